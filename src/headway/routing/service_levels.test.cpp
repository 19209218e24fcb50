// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/service_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

using Sides = std::vector<std::int64_t>;
using testing::HasSubstr;

Graph graph_of(const char* topology, std::initializer_list<Argument> arguments) {
  return choose(topologies(), topology, arguments)->build({});
}

// Every service level uses one of the lanes.
ServiceLevels modulo(std::uint32_t lanes, std::uint32_t levels) {
  return {.lanes = lanes, .table = LaneTable::modulo(levels, lanes)};
}

// Two lanes, by hop: 0, 1, 1, 0, 0, ...
ServiceLevels by_hop() { return {.lanes = 2, .table = {.hops = 4, .lane = {0, 1, 1, 0}}}; }

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const SpecError& error) {
    return error.mistakes().front().key + ": " + error.mistakes().front().message;
  }
  return "";
}

// The lanes on the only path between two nodes, beginning with the node's own link.
std::vector<std::uint32_t> lanes_of(const Graph& graph, const Routes& routes, NodeId from, NodeId to,
                                    std::uint8_t service) {
  PortId link = graph.node_port(from);
  SwitchId sw = graph.switch_of(graph.peer_of(link));
  LaneRules::Step step{0, routes.lanes.first_level(sw, to, service)};
  std::uint8_t came = routes.lanes.came_by(link);
  std::vector<std::uint32_t> lanes;
  for (;;) {
    step = routes.lanes.step(step.level, came, routes.lanes.goes_by(link));
    came = routes.lanes.came_by(link);
    const PortId input = graph.peer_of(link);
    if (graph.is_node_port(input)) return lanes;  // its lane does not matter
    lanes.push_back(step.lane);
    sw = graph.switch_of(input);
    link = graph.port(sw, routes.table.at(sw, to).first);
  }
}

TEST(ServiceLevels, AreLanesOfEveryLaneOfTheRouting) {
  const Graph torus = graph_of("torus", {{"sides", Sides{5, 4}}});
  const Routes base = choose(routings(), "dor", {{"rings", "dateline"}})->build(torus);
  ASSERT_EQ(base.lane_count(), 2U);
  const Routes routes = with_service_levels(base, torus, modulo(3, 5));
  EXPECT_EQ(routes.lane_count(), 6U);
  EXPECT_EQ(routes.lanes.services(), 5U);
  for (NodeId from = 0; from < torus.nodes(); ++from)
    for (NodeId to = 0; to < torus.nodes(); ++to) {
      if (from == to) continue;
      std::vector<std::uint32_t> expected = lanes_of(torus, base, from, to, 0);
      for (const std::uint8_t service : {0, 1, 4}) {
        std::vector<std::uint32_t> with = expected;
        for (std::uint32_t& lane : with) lane = lane * 3 + service % 3;
        EXPECT_EQ(lanes_of(torus, routes, from, to, service), with) << from << " to " << to;
      }
    }
}

// A line of switches; ports: 0 node, 1 lower, 2 higher.
TEST(ServiceLevels, HopsCountSwitchesAndTheLastStandsForLaterOnes) {
  const Graph line = graph_of("mesh", {{"sides", Sides{8}}});
  const Routes routes = with_service_levels(choose(routings(), "dor")->build(line), line, by_hop());
  EXPECT_EQ(lanes_of(line, routes, 0, 7, 0), (std::vector<std::uint32_t>{0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(lanes_of(line, routes, 6, 4, 0), (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(ServiceLevels, TablesTellPortsApart) {
  const Graph line = graph_of("mesh", {{"sides", Sides{4}}});
  // from the node to higher switches: lane 2; from lower to higher ones: lane 1; else 0
  LaneTable table{.levels = 2, .inputs = 3, .outputs = 3, .lane = std::vector<std::uint8_t>(18, 0)};
  for (std::uint32_t level = 0; level < 2; ++level) {
    table.lane[(level * 3 + 0) * 3 + 2] = 2;
    table.lane[(level * 3 + 1) * 3 + 2] = 1;
  }
  const Routes routes =
      with_service_levels(choose(routings(), "dor")->build(line), line, {.lanes = 3, .table = table});
  // over its node's link a packet takes the lane of its level
  EXPECT_EQ(lanes_of(line, routes, 0, 3, 1), (std::vector<std::uint32_t>{1, 2, 1, 1}));
  EXPECT_EQ(lanes_of(line, routes, 3, 0, 0), (std::vector<std::uint32_t>{0, 0, 0, 0}));
}

TEST(ServiceLevels, OfPairsAreSumsOfIndices) {
  const PairLevels levels{.level = {3, 1, 4, 1, 5, 2}, .of_source = {0, 3}, .of_destination = {2, 1, 0}};
  EXPECT_EQ(levels.at(0, 0), 4);
  EXPECT_EQ(levels.at(1, 2), 1);
  EXPECT_EQ(levels.at(1, 0), 2);
  EXPECT_EQ(PairLevels{}.at(7, 9), 0);
}

TEST(ServiceLevels, HaveLanesOfChoices) {
  const Graph mesh = graph_of("mesh", {{"sides", Sides{3, 3}}});
  const Routes base = choose(routings(), "adaptive")->build(mesh);
  ASSERT_EQ(base.lane_count(), 2U);
  const Routes routes = with_service_levels(base, mesh, modulo(3, 4));
  EXPECT_EQ(routes.lane_count(), 6U);
  EXPECT_EQ(routes.lanes.lane_of(3), 0);
  EXPECT_TRUE(find_dependency_cycle(mesh, routes).empty());
  EXPECT_EQ(
      refusal([&] { with_service_levels(base, mesh, by_hop()); }),
      "switch.lane_table_file: packets that choose among ports cannot change their lanes by hop or port");
}

// A one-way ring of four switches: every packet goes round, over at most three links.
TEST(ServiceLevels, BreakTheCyclesOfRoutesLeftToThem) {
  const Graph ring = test::ring(4);
  const std::string path = testing::TempDir() + "service_levels_test.routes";
  std::ofstream(path) << "switch 0\n0 0\n* 1\nswitch 1\n1 0\n* 1\nswitch 2\n2 0\n* 1\nswitch 3\n3 0\n* 1\n";
  const auto clockwise = [&](const char* cycles) {
    return choose(routings(), "table", {{"file", path}, {"cycles", cycles}})->build(ring);
  };
  const ServiceLevels two{.lanes = 2, .table = {.hops = 3, .lane = {0, 0, 1}}};
  EXPECT_THAT(refusal([&] { with_service_levels(clockwise("lanes"), ring, {}); }),
              HasSubstr("routing.file: packets can wait for each other in a cycle"));
  const ServiceLevels three{.lanes = 3, .table = {.hops = 3, .lane = {0, 1, 2}}};
  EXPECT_EQ(refusal([&] { with_service_levels(clockwise("lanes"), ring, three); }), "");
  EXPECT_THAT(refusal([&] { with_service_levels(clockwise("lanes"), ring, two); }),
              HasSubstr("packets can wait for each other in a cycle"));
  EXPECT_EQ(refusal([&] { with_service_levels(clockwise("allow"), ring, two); }), "");
}

// As in LASH, every pair has the service level of a layer that is free of cycles.
TEST(ServiceLevels, OfPairsBreakCycles) {
  const Graph ring = test::ring(4);
  const std::string path = testing::TempDir() + "service_levels_of_pairs.routes";
  std::ofstream(path) << "switch 0\n0 0\n* 1\nswitch 1\n1 0\n* 1\nswitch 2\n2 0\n* 1\nswitch 3\n3 0\n* 1\n";
  const Routes clockwise = choose(routings(), "table", {{"file", path}, {"cycles", "lanes"}})->build(ring);
  // level 1: the pairs whose path continues after the link from switch 3 to switch 0
  ServiceLevels layers = modulo(2, 2);
  layers.of_pair.of_source = {0, 4, 8, 12};
  layers.of_pair.of_destination = {0, 1, 2, 3};
  for (NodeId source = 0; source < 4; ++source)
    for (NodeId destination = 0; destination < 4; ++destination)
      layers.of_pair.level.push_back(destination < source && destination > 0 ? 1 : 0);
  EXPECT_EQ(refusal([&] { with_service_levels(clockwise, ring, layers); }), "");
  layers.named = {0};  // a flow between any nodes
  EXPECT_THAT(refusal([&] { with_service_levels(clockwise, ring, layers); }),
              HasSubstr("wait for each other in a cycle"));
  layers.named = {};
  layers.of_pair.level[2 * 4 + 1] = 0;
  EXPECT_THAT(refusal([&] { with_service_levels(clockwise, ring, layers); }),
              HasSubstr("wait for each other in a cycle"));
}

// Without datelines a bubble keeps the rings of a torus moving, but not if packets change their lanes there.
TEST(ServiceLevels, LeaveNoBubbleInRingsWherePacketsChangeTheirLanes) {
  const Graph ring = graph_of("torus", {{"sides", Sides{6}}});
  const Routes dor = choose(routings(), "dor")->build(ring);
  EXPECT_FALSE(with_service_levels(dor, ring, modulo(2, 2)).lanes.break_rings());
  const ServiceLevels zigzag{.lanes = 2, .table = {.hops = 3, .lane = {0, 1, 0}}};
  EXPECT_THAT(refusal([&] { with_service_levels(dor, ring, zigzag); }),
              HasSubstr("switch.lane_table_file: packets can wait for each other in a cycle"));
  const ServiceLevels by_link{.lanes = 3, .table = {.hops = 3, .lane = {0, 1, 2}}};
  const Routes safe = with_service_levels(dor, ring, by_link);
  EXPECT_TRUE(safe.lanes.break_rings());
  EXPECT_TRUE(find_dependency_cycle(ring, safe).empty());
}

TEST(ServiceLevels, HaveLimits) {
  const Graph dragonfly = graph_of("dragonfly", {{"p", 1}, {"a", 3}, {"h", 2}});
  const Routes par = choose(routings(), "par")->build(dragonfly);
  EXPECT_THAT(refusal([&] { with_service_levels(par, dragonfly, modulo(65, 65)); }),
              HasSubstr("switch.lanes: makes 260 lanes"));
  ServiceLevels deep = modulo(2, 64);
  deep.table.hops = 2;
  deep.table.lane.assign(128, 0);
  EXPECT_THAT(refusal([&] { with_service_levels(par, dragonfly, deep); }),
              HasSubstr("switch.lane_table_file: makes 512 levels"));
}

}  // namespace
}  // namespace headway
