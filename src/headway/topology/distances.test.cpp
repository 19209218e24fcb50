// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/distances.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

using Links = std::vector<std::uint32_t>;
using Ports = std::vector<std::uint16_t>;

// Switches 0 - 1 - 2 with two links between 1 and 2, a one-way link from 2 to 3, and switch 4 without links.
// Nodes 0 and 1 are at switches 0 and 2. Node 2 sends to switch 2; switch 3 delivers to it.
Graph small() {
  Graph graph(3, {2, 3, 5, 2, 1}, IrregularShape{});
  graph.connect(graph.node_port(0), graph.port(0, 0), {});
  graph.connect(graph.node_port(1), graph.port(2, 0), {});
  graph.connect(graph.port(0, 1), graph.port(1, 0), {});
  graph.connect(graph.port(1, 1), graph.port(2, 1), {});
  graph.connect(graph.port(1, 2), graph.port(2, 2), {});
  graph.connect_directed(graph.port(2, 3), graph.port(3, 0), {});
  graph.connect_directed(graph.node_port(2), graph.port(2, 4), {});
  graph.connect_directed(graph.port(3, 1), graph.node_port(2), {});
  return graph;
}

TEST(Distances, FollowTheDirectionOfLinks) {
  const Graph graph = small();
  const Distances from = distances_from(graph, 0);
  EXPECT_EQ(from.links, (Links{0, 1, 2, 3, kNone}));
  EXPECT_EQ(from.order, (std::vector<SwitchId>{0, 1, 2, 3}));
  EXPECT_EQ(from.farthest(), 3U);
  EXPECT_FALSE(from.has_path(4));
  EXPECT_EQ(distances_to(graph, 0).links, (Links{0, 1, 2, kNone, kNone}));
  EXPECT_EQ(distances_to(graph, 3).links, (Links{3, 2, 1, 0, kNone}));
}

TEST(Distances, LeaveOutFailedLinks) {
  Graph graph = small();
  graph.fail(graph.port(1, 1));
  EXPECT_EQ(distances_from(graph, 0).links[2], 2U);
  EXPECT_EQ(ports_nearer(graph, 1, distances_to(graph, 2)), (Ports{2}));
  graph.fail(graph.port(1, 2));
  EXPECT_EQ(distances_from(graph, 0).links[2], kNone);
}

TEST(Distances, NameThePortsOfShortestWays) {
  const Graph graph = small();
  EXPECT_EQ(ports_nearer(graph, 1, distances_to(graph, 3)), (Ports{1, 2}));
  EXPECT_EQ(ports_nearer(graph, 2, distances_to(graph, 0)), (Ports{1, 2}));  // switch 3 is a dead end
  EXPECT_TRUE(ports_nearer(graph, 3, distances_to(graph, 3)).empty());
}

TEST(Distances, KnowTheTwoSwitchesOfANode) {
  const Graph graph = small();
  EXPECT_EQ(switch_from(graph, 1), 2U);
  EXPECT_EQ(switch_to(graph, 1), 2U);
  EXPECT_EQ(switch_from(graph, 2), 2U);
  EXPECT_EQ(switch_to(graph, 2), 3U);
}

}  // namespace
}  // namespace headway
