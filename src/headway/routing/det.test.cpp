// SPDX-License-Identifier: Apache-2.0
// DET on the 2-ary 3-tree of OBQA's Figures 1 and 3 (sections 2 and 3), its balance on trees of several
// shapes, and a single switch.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

TEST(Det, AgreesWithTheExampleOfTheObqaPaper) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}})->build({});
  const RouteTable routes = choose(routings(), "det")->build(graph).table;
  const struct {
    SwitchId sw;
    NodeId destination;
    std::uint16_t port;
  } cases[] = {
      {0, 1, 1}, {0, 2, 2}, {0, 3, 3}, {0, 4, 2}, {0, 5, 3}, {0, 6, 2},
      {0, 7, 3}, {4, 2, 1}, {4, 4, 2}, {4, 6, 3}, {8, 4, 1}, {8, 0, 0},
  };
  for (const auto& c : cases)
    EXPECT_EQ(routes.at(c.sw, c.destination), (PortRange{c.port, 1})) << c.sw << " to " << c.destination;
}

struct Usage {
  std::uint64_t pairs = 0;
  std::set<NodeId> destinations;
};

class DetOnTrees : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  const std::uint32_t k = static_cast<std::uint32_t>(GetParam().first);
  const Graph graph =
      choose(topologies(), "k-ary-n-tree", {{"k", GetParam().first}, {"n", GetParam().second}})->build({});
  const RouteTable routes = choose(routings(), "det")->build(graph).table;
  const std::uint32_t per_stage = graph.nodes() / k;
};
INSTANTIATE_TEST_SUITE_P(Shapes, DetOnTrees,
                         testing::Values(std::pair{2, 4}, std::pair{3, 3}, std::pair{4, 3}, std::pair{16, 2},
                                         std::pair{5, 1}),
                         [](const auto& tree) {
                           return "k" + std::to_string(tree.param.first) + "n" +
                                  std::to_string(tree.param.second);
                         });

TEST_P(DetOnTrees, EveryLinkOfAStageAndDirectionCarriesTheSameNumberOfPairs) {
  std::vector<Usage> usage_of(graph.ports());
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId destination = 0; destination < graph.nodes(); ++destination)
      if (source != destination)
        test::walk(graph, routes, source, destination, [&](PortId output) {
          ++usage_of[output].pairs;
          usage_of[output].destinations.insert(destination);
        });

  // (stage, down) -> distinct counts
  std::map<std::pair<std::uint32_t, bool>, std::set<std::uint64_t>> pairs_of;
  for (PortId output = 0; output < graph.switch_ports(); ++output) {
    if (graph.peer_of(output) == kNone) continue;
    const bool down = graph.local(output) < k;
    pairs_of[{graph.switch_of(output) / per_stage, down}].insert(usage_of[output].pairs);
    if (down) {
      EXPECT_EQ(usage_of[output].destinations.size(), 1U) << output;
    }
  }
  for (const auto& [where, pairs] : pairs_of) EXPECT_EQ(pairs.size(), 1U) << "stage " << where.first;
}

TEST_P(DetOnTrees, CarriesTheComplementWithoutConflict) {
  std::vector<int> pairs(graph.ports(), 0);
  for (NodeId source = 0; source < graph.nodes(); ++source)
    test::walk(graph, routes, source, graph.nodes() - 1 - source, [&](PortId output) { ++pairs[output]; });
  EXPECT_LE(*std::max_element(pairs.begin(), pairs.end()), 1);
}

TEST(Det, TakesTheNodesPortOnASingleSwitch) {
  const Graph graph = choose(topologies(), "single-switch", {{"nodes", 5}})->build({});
  const RouteTable routes = choose(routings(), "det")->build(graph).table;
  for (NodeId node = 0; node < 5; ++node)
    EXPECT_EQ(routes.at(0, node), (PortRange{static_cast<std::uint16_t>(node), 1}));
}

}  // namespace
}  // namespace headway
