// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/around_failures.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/paths_left.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"
#include "headway/topology/link_faults.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Graph tree(std::int64_t k, std::int64_t n) {
  return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}})->build({});
}

// Without failures, the general routes are those of the formula.
TEST(TreeAroundFailures, IsDModKWithoutFailures) {
  for (const auto& [k, n] : {std::pair{2, 3}, {4, 2}, {3, 3}}) {
    const Graph graph = tree(k, n);
    const RouteTable table = tree_around_failures(graph, true);
    const RouteTable drawn = tree_around_failures(graph, false);
    const RouteTable det = choose(routings(), "det")->build(graph).table;
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        EXPECT_EQ(table.at(sw, node), det.at(sw, node));
        EXPECT_EQ(drawn.at(sw, node).count, det.at(sw, node).first < static_cast<std::uint32_t>(k) ? 1 : k);
      }
  }
}

// Every packet arrives over working links, whatever it draws, and packets cannot wait in a cycle.
TEST(TreeAroundFailures, ReachesEveryNode) {
  std::uint32_t routed = 0;
  for (std::int64_t seed = 0; seed < 40; ++seed)
    for (const char* name : {"det", "random-up", "up-down", "ecmp", "lash", "dfsssp"}) {
      Graph graph = seed % 2 == 0 ? tree(4, 2) : tree(2, 4);
      try {
        LinkFaults faults;
        faults.failed.part = 0.15;
        faults.failed.seed = seed;
        apply(faults, graph);
        const Routes routes = choose(routings(), name)->build(graph);
        EXPECT_TRUE(find_dependency_cycle(graph, routes).empty()) << name << ' ' << seed;
        for (NodeId source = 0; source < graph.nodes(); ++source)
          for (NodeId node = 0; node < graph.nodes(); ++node) {
            std::vector<SwitchId> open = {switch_from(graph, source)};
            for (std::size_t i = 0; i < open.size() && open.size() < 1000; ++i) {
              const PortRange ports = routes.table.at(open[i], node);
              ASSERT_GT(ports.count, 0) << name << ' ' << seed;
              for (std::uint32_t number = 0; number < ports.count; ++number) {
                const PortId input =
                    graph.peer_of(graph.port(open[i], routes.table.port(open[i], node, ports, number)));
                ASSERT_NE(input, kNone);
                if (graph.is_node_port(input))
                  EXPECT_EQ(graph.node_of(input), node);
                else
                  open.push_back(graph.switch_of(input));
              }
            }
            EXPECT_LT(open.size(), 1000U);
          }
        ++routed;
      } catch (const SpecError&) {  // too many links have failed, or shortest paths have a cycle
      }
    }
  EXPECT_GT(routed, 120U);
}

// Leaf 0 has lost both links up and switch 4 both links down: every routing still connects the nodes within
// each part.
TEST(TreeAroundFailures, LeavesOutWhatCannotBeReached) {
  for (const char* name : {"det", "random-up", "up-down", "ecmp", "spray", "lash", "dfsssp"}) {
    SCOPED_TRACE(name);
    Graph graph = tree(2, 3);
    LinkFaults faults;
    faults.failed.at = {"0:2", "0:3"};
    faults.unreachable = Unreachable::reported;
    apply(faults, graph);
    const Routes routes = choose(routings(), name)->build(graph, Unreachable::reported);
    EXPECT_TRUE(find_dependency_cycle(graph, routes).empty());
    for (NodeId source = 0; source < graph.nodes(); ++source)
      for (NodeId node = 0; node < graph.nodes(); ++node)
        EXPECT_EQ(has_path(graph, routes.table, source, node), (source < 2) == (node < 2))
            << source << ' ' << node;
    EXPECT_THROW(choose(routings(), name)->build(graph), SpecError);
  }
}

// Links connect node 0 and node 7, but every path goes down before it goes up again.
TEST(TreeAroundFailures, SaysWhichRoutingsFindOtherPaths) {
  Graph graph = tree(2, 3);
  LinkFaults faults;
  faults.failed.at = {"0:3", "3:2"};  // leaf 0 has only way 0 left, and leaf 3 only way 1
  apply(faults, graph);
  try {
    choose(routings(), "det")->build(graph);
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_STREQ(error.what(),
                 "network.failures: without these links, this routing has no path from node 0 to node 6; "
                 "routing.algorithm = \"up-down\" or \"dfsssp\" finds other paths");
  }
  choose(routings(), "up-down")->build(graph);
}

TEST(TreeAroundFailures, OtherRoutingsNameThoseThatCan) {
  Graph graph = tree(4, 2);
  LinkFaults faults;
  faults.failed.at = {"0:4"};
  apply(faults, graph);
  try {
    choose(routings(), "adaptive")->build(graph);
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_STREQ(
        error.what(),
        "routing.algorithm: \"adaptive\" cannot route around failed links in a tree; \"det\", \"random-up\", "
        "\"table\", \"up-down\", \"ecmp\", \"spray\", \"lash\" or \"dfsssp\" can");
  }
}

}  // namespace
}  // namespace headway
