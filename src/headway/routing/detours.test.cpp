// SPDX-License-Identifier: Apache-2.0
// Paths and their lanes against the definitions: a dragonfly counts global links, a torus crossed datelines,
// a HyperX waypoints. With fewer lanes there are cycles.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using Sides = std::vector<std::int64_t>;

struct Hop {
  PortId output;
  std::uint32_t lane;
  bool after_waypoint;
};

// The path of a packet over waypoint `via`, or the direct path if `via` is kNone.
std::vector<Hop> path_of(const Graph& graph, const Routes& routes, NodeId source, NodeId destination,
                         std::uint32_t via) {
  std::vector<Hop> hops;
  PortId output = graph.node_port(source);
  std::uint8_t came = routes.lanes.class_of(output), level = 0;
  bool turned = false;
  while (hops.size() < 100) {
    const LaneRules::Step step = routes.lanes.step(level, came, routes.lanes.class_of(output));
    hops.push_back({output, step.lane, turned});
    level = step.level;
    came = routes.lanes.class_of(output);
    const PortId input = graph.peer_of(output);
    if (graph.is_node_port(input)) {
      EXPECT_EQ(graph.node_of(input), destination);
      return hops;
    }
    const SwitchId sw = graph.switch_of(input);
    if (via != kNone && routes.detours->waypoint_of[sw] == via) {
      via = kNone;
      turned = true;
      level = routes.lanes.after_waypoint(level);
    }
    const RouteTable& table = via == kNone ? routes.table : routes.detours->to_waypoint;
    const std::uint32_t to = via == kNone ? destination : via;
    const PortRange next = table.at(sw, to);
    // of several candidates, a different one for every pair
    output = graph.port(sw, table.port(sw, to, next, (source + destination) % next.count));
  }
  ADD_FAILURE() << "no path from " << source << " to " << destination;
  return hops;
}

template <class Visit>
void for_all_paths(const Graph& graph, const Routes& routes, Visit&& visit) {
  const auto part_at = [&](NodeId node) {
    return routes.detours ? routes.detours->waypoint_of[graph.switch_of(graph.peer_of(graph.node_port(node)))]
                          : 0;
  };
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
      visit(path_of(graph, routes, source, destination, kNone));
      for (std::uint32_t via = 0; routes.detours && via < routes.detours->waypoints; ++via)
        if (via != part_at(source) && via != part_at(destination))
          visit(path_of(graph, routes, source, destination, via));
    }
}

TEST(Direct, DragonfliesCountGlobalLinks) {
  for (const auto& [p, a, h, g] : {std::array{1, 4, 2, 9}, {1, 3, 2, 4}, {2, 1, 4, 5}}) {
    const Graph graph =
        choose(topologies(), "dragonfly", {{"p", p}, {"a", a}, {"h", h}, {"g", g}})->build({});
    const auto group = [&graph, size = static_cast<SwitchId>(a)](PortId port) {
      return graph.switch_of(port) / size;
    };
    for (const char* name : {"minimal", "valiant", "ugal"}) {
      const Routes routes = choose(routings(), name)->build(graph);
      EXPECT_EQ(routes.lanes.lanes(), name == std::string("minimal") ? 2U : 3U);
      for_all_paths(graph, routes, [&](const std::vector<Hop>& hops) {
        std::uint32_t global = 0;
        for (const Hop& hop : hops) {
          const PortId input = graph.peer_of(hop.output);
          if (graph.is_node_port(hop.output) || graph.is_node_port(input)) continue;
          ASSERT_EQ(hop.lane, global) << name;
          global += group(hop.output) != group(input) ? 1 : 0;
        }
        ASSERT_LE(hops.size(), name == std::string("minimal") ? 5U : 7U);
      });
    }
  }
}

TEST(Direct, ToriCountTheDatelineOfEachDimension) {
  const Sides sides = {5, 4};
  const Graph graph = choose(topologies(), "torus", {{"sides", sides}})->build({});
  const auto place = [&](SwitchId sw, std::size_t d) { return d == 0 ? sw % 5 : sw / 5; };
  for (const bool detours : {false, true}) {
    const Routes routes = detours
                              ? choose(routings(), "valiant")->build(graph)
                              : choose(routings(), "dor", {{"rings", std::string("dateline")}})->build(graph);
    EXPECT_EQ(routes.lanes.lanes(), detours ? 4U : 2U);
    for_all_paths(graph, routes, [&](const std::vector<Hop>& hops) {
      bool crossed[2] = {false, false}, before = false;
      for (const Hop& hop : hops) {
        if (hop.after_waypoint && !before) crossed[0] = crossed[1] = false;  // datelines count anew
        before = hop.after_waypoint;
        const PortId input = graph.peer_of(hop.output);
        if (graph.is_node_port(hop.output) || graph.is_node_port(input)) continue;
        const SwitchId from = graph.switch_of(hop.output), to = graph.switch_of(input);
        const std::size_t d = place(from, 0) == place(to, 0) ? 1 : 0;
        crossed[d] |= place(from, d) + place(to, d) == static_cast<SwitchId>(sides[d] - 1) &&
                      (place(from, d) == 0 || place(to, d) == 0) && sides[d] > 2;
        ASSERT_EQ(hop.lane, (hop.after_waypoint ? 2U : 0U) + (crossed[d] ? 1U : 0U));
      }
    });
  }
}

TEST(Direct, HyperXCountsWaypoints) {
  const Graph graph =
      choose(topologies(), "hyperx", {{"sides", Sides{3, 4}}, {"widths", Sides{1, 2}}})->build({});
  const Routes routes = choose(routings(), "valiant")->build(graph);
  for_all_paths(graph, routes, [&](const std::vector<Hop>& hops) {
    for (const Hop& hop : hops) ASSERT_EQ(hop.lane, hop.after_waypoint ? 1U : 0U);
    ASSERT_LE(hops.size(), 6U);
  });
}

// If the number of the waypoint determined the link, it would always be the same one.
TEST(Direct, DetoursUseAllParallelLinksOfAHyperX) {
  const auto graph =
      choose(topologies(), "hyperx", {{"sides", Sides{3, 2}}, {"widths", Sides{2, 3}}})->build({});
  const Routes routes = choose(routings(), "valiant")->build(graph);
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (SwitchId via = 0; via < graph.switches(); ++via) {
      if (sw == via) continue;
      const PortRange ports = routes.detours->to_waypoint.at(sw, via);
      const bool same_column = sw % 3 == via % 3;
      ASSERT_EQ(ports.count, same_column ? 3U : 2U) << sw << " to " << via;
      for (std::uint32_t i = 0; i < ports.count; ++i) {
        const SwitchId next = graph.switch_of(graph.peer_of(graph.port(sw, ports.first + i)));
        EXPECT_EQ(next, same_column ? via : sw - sw % 3 + via % 3);
      }
    }
}

TEST(Direct, LeavesACycleWithFewerLanes) {
  const auto dragonfly = choose(topologies(), "dragonfly", {{"p", 1}, {"a", 3}, {"h", 2}})->build({});
  const auto hyperx = choose(topologies(), "hyperx", {{"sides", Sides{3, 3}}})->build({});
  const auto torus = choose(topologies(), "torus", {{"sides", Sides{5, 2}}})->build({});
  for (const auto& [graph, name] : {std::pair{&dragonfly, "minimal"},
                                    {&dragonfly, "valiant"},
                                    {&dragonfly, "par"},
                                    {&hyperx, "valiant"},
                                    {&torus, "ugal"}}) {
    Routes routes = choose(routings(), name)->build(*graph);
    EXPECT_TRUE(find_dependency_cycle(*graph, routes).empty()) << name;
    const LaneRules& lanes = routes.lanes;
    std::vector<std::uint8_t> classes;
    for (PortId port = 0; port < graph->ports(); ++port) classes.push_back(lanes.class_of(port));
    const std::uint32_t highest = *std::ranges::max_element(classes);
    std::vector<std::uint8_t> after;
    for (std::uint32_t level = 0; level < lanes.levels(); ++level)
      after.push_back(lanes.after_waypoint(static_cast<std::uint8_t>(level)));
    routes.lanes = LaneRules(1, lanes.levels(), highest + 1, classes,
                             [&](std::uint32_t level, std::uint32_t came, std::uint32_t goes) {
                               LaneRules::Step step = lanes.step(static_cast<std::uint8_t>(level),
                                                                 static_cast<std::uint8_t>(came),
                                                                 static_cast<std::uint8_t>(goes));
                               step.lane = 0;
                               return step;
                             })
                       .with_waypoints(after)
                       .breaking_rings();
    EXPECT_FALSE(find_dependency_cycle(*graph, routes).empty()) << name;
  }
}

}  // namespace
}  // namespace headway
