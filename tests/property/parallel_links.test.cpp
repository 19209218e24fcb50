// SPDX-License-Identifier: Apache-2.0
// Parallel links are all used: if several links join two switches, or two groups of a dragonfly, and packets
// to at least as many destinations cross them, none of these links is without a destination. Over all
// topologies, also where their parameters change their nature, and all routings that fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/reach.h"
#include "headway/topology/distances.h"
#include "tests/property/networks.h"
#include "tests/support/link_loads.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

NamedGraph graph_of(const char* name, Arguments arguments) {
  std::string label = name;
  for (const Argument& argument : arguments) {
    label += ' ' + std::string(argument.name) + '=';
    if (const auto* number = std::get_if<std::int64_t>(&argument.value)) label += std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&argument.value)) label += *text;
    if (const auto* list = std::get_if<Numbers>(&argument.value)) label += testing::PrintToString(*list);
  }
  return {label, choose(topologies(), name, arguments)->build({})};
}

// A network of two halves, whose switches have `links` to a switch of the other half.
struct Halves {
  NamedGraph of;
  std::int64_t nodes_of_switch, links;
};
std::vector<Halves> halves() {
  std::vector<Halves> result;
  for (const std::int64_t p : {1, 2, 4, 6}) {
    for (const auto& [a, h] : {std::pair{4, 1}, {4, 2}, {4, 4}, {1, 3}, {2, 1}}) {
      result.push_back({graph_of("dragonfly", {{"p", p}, {"a", a}, {"h", h}, {"g", 2}}), p, h});
      result.push_back(
          {graph_of("dragonfly-plus", {{"p", p}, {"leaves", 2}, {"spines", a}, {"h", h}, {"g", 2}}), p, 1});
    }
    for (const std::int64_t width : {1, 2, 3})
      result.push_back(
          {graph_of("hyperx",
                    {{"sides", Numbers{4, 2}}, {"widths", Numbers{1, width}}, {"nodes_per_switch", p}}),
           p, width});
    for (const Numbers& sides : {Numbers{4, 2}, {2, 2}})
      result.push_back({graph_of("torus", {{"sides", sides}, {"nodes_per_switch", p}}), p, 2});
  }
  for (const std::int64_t links : {1, 2, 4})
    result.push_back(
        {graph_of("pgft",
                  {{"children", Numbers{4, 2}}, {"parents", Numbers{1, 1}}, {"links", Numbers{1, links}}}),
         4, links});
  return result;
}

// Networks with parallel links, beyond those of small_graphs: many and few, in numbers that do not divide, in
// each dimension, with one and with several nodes at a switch, and groups of one switch.
std::vector<NamedGraph> graphs() {
  std::vector<NamedGraph> result = small_graphs(64);
  const auto add = [&](const char* name, Arguments arguments) {
    result.push_back(graph_of(name, arguments));
  };
  for (const char* arrangement : {"absolute", "relative", "palm-tree"})
    for (const auto& [p, a, h, g] : {std::array{2, 4, 4, 2},
                                     {2, 4, 4, 3},
                                     {2, 4, 4, 5},
                                     {4, 4, 2, 5},
                                     {3, 4, 3, 3},
                                     {2, 3, 2, 4},
                                     {1, 4, 3, 5},
                                     {4, 2, 3, 3},
                                     {2, 3, 5, 2},
                                     {4, 1, 4, 3},
                                     {4, 1, 6, 2}}) {
      add("dragonfly", {{"p", p}, {"a", a}, {"h", h}, {"g", g}, {"arrangement", arrangement}});
      add("dragonfly-plus",
          {{"p", p}, {"leaves", a}, {"spines", a}, {"h", h}, {"g", g}, {"arrangement", arrangement}});
    }
  for (const std::int64_t p : {1, 2, 3})
    for (const auto& [sides, widths] : {std::pair<Numbers, Numbers>{{2}, {3}},
                                        {{4, 4}, {2, 2}},
                                        {{3, 2}, {2, 3}},
                                        {{2, 2, 2}, {2, 2, 2}},
                                        {{4, 2, 4}, {2, 1, 2}},
                                        {{3, 3, 3}, {1, 4, 1}}})
      add("hyperx", {{"sides", sides}, {"widths", widths}, {"nodes_per_switch", p}});
  for (const std::int64_t p : {1, 2, 3})
    for (const Numbers& sides : {Numbers{2}, {2, 4}, {4, 2}, {2, 2, 2}, {2, 5}})
      add("torus", {{"sides", sides}, {"nodes_per_switch", p}});
  add("pgft", {{"children", Numbers{4, 4}}, {"parents", Numbers{1, 2}}, {"links", Numbers{1, 2}}});
  add("pgft", {{"children", Numbers{4, 3}}, {"parents", Numbers{1, 1}}, {"links", Numbers{1, 3}}});
  add("pgft", {{"children", Numbers{3, 2, 2}}, {"parents", Numbers{1, 2, 1}}, {"links", Numbers{1, 1, 3}}});
  return result;
}

// [switch] what parallel links join: groups, or the switches themselves. Routes up and down a tree cannot use
// all links between two groups.
std::vector<std::uint32_t> ends_of_trunks(const Graph& graph, bool up_down) {
  std::vector<std::uint32_t> of_switch;
  std::uint32_t together = 1;
  if (up_down) {
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) of_switch.push_back(sw);
    return of_switch;
  }
  if (const auto* dragonfly = std::get_if<DragonflyShape>(&graph.shape()))
    together = dragonfly->switches_per_group;
  if (const auto* plus = std::get_if<DragonflyPlusShape>(&graph.shape()))
    together = plus->switches_per_group();
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) of_switch.push_back(sw / together);
  return of_switch;
}

// [output] the destinations or waypoints of the packets that may leave by it.
class Users {
 public:
  Users(const Graph& graph, bool up_down)
      : graph_(graph), of_(graph.ports()), trunk_of_(ends_of_trunks(graph, up_down)) {}

  void add_to_nodes(const RouteTable& table) {
    Reach reach(graph_, table);
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      std::set<SwitchId> reached;
      reach.follow(node, [&](PortId, PortId input) { reached.insert(graph_.switch_of(input)); });
      for (const SwitchId sw : reached) add(table, sw, node, node);
    }
  }
  // A waypoint stands for many destinations.
  void add_to_waypoints(const Detours& detours) {
    if (detours.waypoints < 3) return;  // no packet has one
    const std::uint32_t nodes = graph_.nodes();
    for (std::uint32_t via = 0; via < detours.waypoints; ++via) {
      std::vector<SwitchId> reached;
      for (const SwitchId sw : switches_with_nodes(graph_, switch_from))
        if (detours.waypoint_of[sw] != via) reached.push_back(sw);
      std::set<SwitchId> seen(reached.begin(), reached.end());
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (std::uint32_t user = nodes * (via + 1); user < nodes * (via + 2); ++user)
          for (const PortId output : add(detours.to_waypoint, reached[i], via, user)) {
            const SwitchId next = graph_.switch_of(graph_.peer_of(output));
            if (detours.waypoint_of[next] != via && seen.insert(next).second) reached.push_back(next);
          }
    }
  }

  // An unused link among parallel ones that have at least as many users as there are links; empty if there is
  // none.
  std::string idle_link() const {
    struct Trunk {
      std::uint32_t links = 0;
      std::set<std::uint32_t> users;
      PortId idle = kNone;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Trunk> trunks;
    for (PortId output = 0; output < graph_.switch_ports(); ++output) {
      const PortId input = graph_.peer_of(output);
      if (input == kNone || graph_.is_node_port(input)) continue;
      const std::pair ends{trunk_of_[graph_.switch_of(output)], trunk_of_[graph_.switch_of(input)]};
      if (ends.first == ends.second) continue;
      Trunk& trunk = trunks[ends];
      ++trunk.links;
      trunk.users.insert(of_[output].begin(), of_[output].end());
      if (of_[output].empty()) trunk.idle = output;
    }
    for (const auto& [ends, trunk] : trunks)
      if (trunk.idle != kNone && trunk.users.size() >= trunk.links)
        return "port " + std::to_string(graph_.local(trunk.idle)) + " of switch " +
               std::to_string(graph_.switch_of(trunk.idle)) + " is one of " + std::to_string(trunk.links) +
               " links with " + std::to_string(trunk.users.size()) + " users, and has none";
    return "";
  }

 private:
  std::vector<PortId> add(const RouteTable& table, SwitchId sw, std::uint32_t to, std::uint32_t user) {
    std::vector<PortId> outputs;
    const PortRange range = table.at(sw, to);
    for (std::uint32_t i = 0; i < range.count; ++i) {
      outputs.push_back(graph_.port(sw, table.port(sw, to, range, i)));
      of_[outputs.back()].insert(user);
    }
    return outputs;
  }

  const Graph& graph_;
  std::vector<std::set<std::uint32_t>> of_;
  std::vector<std::uint32_t> trunk_of_;  // [switch]
};

TEST(ParallelLinks, AreAllUsedByEveryRouting) {
  for (const NamedGraph& of : graphs())
    for (const auto& [label, routing] : variants(routings())) {
      // these do not spread their paths, as their models in OpenSM (docs/modelling.md, "Any graph")
      if (label.starts_with("lash") || label.find("balance=destinations") != label.npos) continue;
      // where packets do not choose, they take the link of det, also those that have come by another switch
      if (label.find("choose_in=[") != label.npos && label.find("choose_in=[]") == label.npos) continue;
      const auto routes = routes_over(of.graph, *routing);
      if (!routes) continue;
      Users users(of.graph, label.starts_with("up-down"));
      users.add_to_nodes(routes->table);
      if (routes->detours) users.add_to_waypoints(*routes->detours);
      EXPECT_EQ(users.idle_link(), "") << label << " over " << of.label;
    }
}

// So the channels that wait for each other have no cycle, whatever the link that a packet takes.
TEST(ParallelLinks, LeaveNoCycleOfChannels) {
  for (const NamedGraph& of : graphs())
    for (const auto& entry : routings()) {
      const auto routes = routes_over(of.graph, *entry.make());
      EXPECT_TRUE(!routes || find_dependency_cycle(of.graph, *routes).empty())
          << entry.name << " over " << of.label;
    }
}

// If all packets of one half of a network go to the other half, parallel links carry them, and the best
// routing carries as much as any paths can. Every destination has one of the links to its switch, so it
// carries less if their numbers do not divide.
TEST(ParallelLinks, CarryTheMaximumFlowBetweenTwoHalves) {
  std::set<double> flows;
  for (const auto& [of, nodes_of_switch, links] : halves()) {
    const double flow = test::flow_between_halves(of.graph);
    double best = 0;
    for (const auto& entry : routings()) {
      const auto routing = entry.make();
      const auto routes = routes_over(of.graph, *routing);
      if (!routes || routes->detours || routes->choices || routes->table.by_source()) continue;
      test::LinkLoads loads(of.graph, *routes);
      best = std::max(best, loads.of_counted_paths(test::to_next_group(of.graph, of.graph.nodes() / 2)));
    }
    const std::int64_t most_of_link = (nodes_of_switch + links - 1) / links;
    const double whole = std::min(1.0, static_cast<double>(nodes_of_switch) / (links * most_of_link));
    EXPECT_GE(best, 0.99 * flow * (nodes_of_switch < links ? 1 : whole)) << of.label;
    EXPECT_LE(best, 1.01 * flow) << of.label;
    flows.insert(flow);
  }
  EXPECT_GE(flows.size(), 4U);  // not all are limited by the links of the nodes
}

}  // namespace
}  // namespace headway
