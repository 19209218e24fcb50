// SPDX-License-Identifier: Apache-2.0
// A 3x2 mesh and torus with two nodes per switch, by hand.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Graph three_by_two(const char* name) {
  return choose(topologies(), name, {{"sides", std::vector<std::int64_t>{3, 2}}, {"nodes_per_switch", 2}})
      ->build({});
}

// Switches 0 1 2 lie below 3 4 5. Ports: 0 1 nodes, 2 left, 3 right, 4 down, 5 up.
TEST(Grid, AMeshEndsAtItsBorders) {
  const Graph graph = three_by_two("mesh");
  EXPECT_EQ(graph.nodes(), 12U);
  EXPECT_EQ(graph.switches(), 6U);
  EXPECT_EQ(graph.radix(0), 6U);
  EXPECT_EQ(graph.peer_of(graph.node_port(7)), graph.port(3, 1));
  EXPECT_EQ(graph.peer_of(graph.port(0, 3)), graph.port(1, 2));
  EXPECT_EQ(graph.peer_of(graph.port(1, 5)), graph.port(4, 4));
  EXPECT_EQ(graph.peer_of(graph.port(0, 2)), kNone);
  EXPECT_EQ(graph.peer_of(graph.port(5, 3)), kNone);
  EXPECT_EQ(graph.peer_of(graph.port(4, 5)), kNone);
  EXPECT_FALSE(graph.has_rings());
  EXPECT_EQ(graph.ring_input(graph.port(0, 3)), kNone);
}

TEST(Grid, ATorusClosesItsLinesToRings) {
  const Graph graph = three_by_two("torus");
  EXPECT_EQ(graph.peer_of(graph.port(2, 3)), graph.port(0, 2));
  EXPECT_EQ(graph.peer_of(graph.port(3, 2)), graph.port(5, 3));
  EXPECT_EQ(graph.peer_of(graph.port(1, 5)), graph.port(4, 4));
  EXPECT_EQ(graph.peer_of(graph.port(1, 4)), graph.port(4, 5));
  EXPECT_EQ(graph.ring_input(graph.port(1, 3)), graph.port(1, 2));
  EXPECT_EQ(graph.ring_input(graph.port(1, 4)), graph.port(1, 5));
  EXPECT_EQ(graph.ring_input(graph.port(1, 1)), kNone);
}

TEST(Grid, RefusesWhatIsNoGrid) {
  for (const std::vector<std::int64_t>& sides : {std::vector<std::int64_t>{}, std::vector<std::int64_t>(9, 1),
                                                 std::vector<std::int64_t>{5000, 5000}}) {
    Mistakes mistakes;
    choose(topologies(), "mesh", {{"sides", sides}})->check(mistakes);
    ASSERT_EQ(mistakes.list().size(), 1U);
    EXPECT_EQ(mistakes.list()[0].key, "network.sides");
  }
}

}  // namespace
}  // namespace headway
