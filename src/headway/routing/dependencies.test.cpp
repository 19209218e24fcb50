// SPDX-License-Identifier: Apache-2.0
// Known cycles: a one-way ring has one, an open ring has none; a torus has one per line and direction unless
// bubbles keep its rings moving; a mesh has one if packets use both orders of the dimensions.
#include "headway/routing/dependencies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "headway/config/assign.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

std::vector<PortId> outputs(const std::vector<Channel>& channels) {
  std::vector<PortId> result;
  for (const Channel& channel : channels) result.push_back(channel.output);
  return result;
}

TEST(Dependencies, ARingIsACycle) {
  const Graph graph = test::ring(4);
  std::vector<PortId> cycle = outputs(find_dependency_cycle(graph, test::ring_routes(4)));
  std::ranges::sort(cycle);
  EXPECT_EQ(cycle, (std::vector<PortId>{1, 3, 5, 7}));
  EXPECT_TRUE(find_dependency_cycle(test::star(5, 6), test::star_routes(5)).empty());
}

// Copies a grid without its shape, so that its rings are unknown.
std::vector<PortId> cycle_without_rings(const Graph& graph, const RouteTable& routes) {
  Graph plain(graph.nodes(), std::vector<std::uint32_t>(graph.switches(), graph.radix(0)), IrregularShape{});
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) plain.connect_directed(port, graph.peer_of(port), {});
  return outputs(find_dependency_cycle(plain, routes));
}

TEST(Dependencies, ATorusNeedsItsRings) {
  for (const std::int64_t side : {3, 4, 5, 6}) {
    const Graph graph =
        choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{side, 2}}})->build({});
    const RouteTable routes = choose(routings(), "dor")->build(graph).table;
    EXPECT_TRUE(find_dependency_cycle(graph, routes).empty()) << side;
    // paths in a ring cross a switch only from side 4 on, and close a cycle only from side 5 on
    EXPECT_EQ(cycle_without_rings(graph, routes).empty(), side <= 4) << side;
  }
}

TEST(Dependencies, AMeshNeedsOneOrder) {
  const Graph graph = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{3, 3}}})->build({});
  const RouteTable x_first = choose(routings(), "dor")->build(graph).table;
  const RouteTable y_first =
      choose(routings(), "dor", {{"order", std::vector<std::int64_t>{1, 0}}})->build(graph).table;
  EXPECT_TRUE(cycle_without_rings(graph, x_first).empty());
  EXPECT_TRUE(cycle_without_rings(graph, y_first).empty());
  std::vector<PortRange> mixed;  // the order depends on the destination
  for (SwitchId sw = 0; sw < 9; ++sw)
    for (NodeId node = 0; node < 9; ++node) mixed.push_back((node % 2 == 0 ? x_first : y_first).at(sw, node));
  const std::vector<PortId> cycle = outputs(find_dependency_cycle(graph, RouteTable::from_table(9, mixed)));
  ASSERT_FALSE(cycle.empty());
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const PortId next = cycle[(i + 1) % cycle.size()];
    EXPECT_EQ(graph.switch_of(graph.peer_of(cycle[i])), graph.switch_of(next));
  }
}

}  // namespace
}  // namespace headway
