// SPDX-License-Identifier: Apache-2.0
// The four ways to choose an up port, on the 64-node perfect-shuffle BMIN of the papers.
#include <gtest/gtest.h>

#include <algorithm>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

const Graph& shuffle() {
  static const Graph graph = choose(topologies(), "bmin")->build({});
  return graph;
}
RouteTable routes(const char* up) {
  return choose(routings(), "turnaround", {{"up", up}})->build(shuffle()).table;
}

// [output] pairs of different nodes whose path uses it
std::vector<int> paths(const RouteTable& table) {
  std::vector<int> result(shuffle().ports(), 0);
  for (NodeId source = 0; source < 64; ++source)
    for (NodeId destination = 0; destination < 64; ++destination)
      if (source != destination)
        test::walk(shuffle(), table, source, destination, [&](PortId output) { ++result[output]; });
  return result;
}

TEST(Turnaround, ByDestinationIsDet) {
  const RouteTable det = choose(routings(), "det")->build(shuffle()).table, up = routes("destination");
  for (SwitchId sw = 0; sw < shuffle().switches(); ++sw)
    for (NodeId node = 0; node < 64; ++node) EXPECT_EQ(up.at(sw, node), det.at(sw, node));
}

TEST(Turnaround, BySourceEveryNodeKeepsItsWayUp) {
  const RouteTable table = routes("source");
  for (NodeId source = 0; source < 64; ++source) {
    std::vector<PortId> path(2, kNone);  // up from stages 0 and 1
    for (NodeId destination = 0; destination < 64; ++destination)
      test::walk(shuffle(), table, source, destination, [&](PortId output) {
        if (shuffle().is_node_port(output) || shuffle().local(output) < 4) return;
        PortId& taken = path[static_cast<std::size_t>(shuffle().stage_of(shuffle().switch_of(output)))];
        EXPECT_TRUE(taken == kNone || taken == output);
        taken = output;
      });
  }
}

TEST(Turnaround, EveryChoiceLoadsTheLinksOfAStageAlike) {
  for (const char* up : {"source", "source+destination", "destination"}) {
    const std::vector<int> count = paths(routes(up));
    for (int stage = 0; stage < 3; ++stage)
      for (const bool down : {false, true}) {
        std::vector<int> here;
        for (PortId output = 0; output < shuffle().switch_ports(); ++output)
          if (shuffle().peer_of(output) != kNone &&
              shuffle().stage_of(shuffle().switch_of(output)) == stage &&
              (shuffle().local(output) < 4) == down)
            here.push_back(count[output]);
        if (!here.empty())
          EXPECT_EQ(*std::ranges::min_element(here), *std::ranges::max_element(here)) << up << ' ' << stage;
      }
  }
}

// Nodes at one switch, nodes that differ only in the most significant digit, and other nodes.
TEST(Turnaround, TurnsWhereTheShuffleJoinsTheLeaves) {
  const RouteTable table = routes("source");
  const auto switches = [&](NodeId source, NodeId destination) {
    int crossed = -1;
    test::walk(shuffle(), table, source, destination, [&](PortId) { ++crossed; });
    return crossed;
  };
  EXPECT_EQ(switches(20, 23), 1);
  EXPECT_EQ(switches(20, 20 + 16), 3);  // digits (1 1 0), (2 1 0)
  EXPECT_EQ(switches(20, 24), 5);       // digits (1 1 0), (1 2 0)
}

}  // namespace
}  // namespace headway
