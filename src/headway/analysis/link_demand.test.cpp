// SPDX-License-Identifier: Apache-2.0
// The shares and demands of links against a walk over every choice that a packet can make, for every topology
// and routing.
#include "headway/analysis/link_demand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "headway/analysis/cuts.h"
#include "headway/base/cancel_scope.h"
#include "headway/base/together.h"
#include "headway/config/assign.h"
#include "tests/property/networks.h"

namespace headway {
namespace {

using LinkShares = std::map<PortId, double>;  // by output

// Follows a packet that is at a switch with this probability, through every choice.
void follow_choices(const Network& network, SwitchId sw, std::uint32_t via, NodeId source, NodeId destination,
                    double probability, LinkShares& shares) {
  const Graph& graph = network.graph;
  if (via != kNone && network.routes.detours->waypoint_of[sw] == via) via = kNone;
  const RouteTable& table = via == kNone ? network.routes.table : network.routes.detours->to_waypoint;
  const PortRange range = via == kNone ? table.of_pair(sw, source, destination) : table.at(sw, via);
  for (std::uint32_t c = 0; c < range.count; ++c) {
    const PortId output = graph.port(sw, table.port(sw, via == kNone ? destination : via, range, c));
    shares[output] += probability / range.count;
    if (const PortId peer = graph.peer_of(output); !graph.is_node_port(peer))
      follow_choices(network, graph.switch_of(peer), via, source, destination, probability / range.count,
                     shares);
  }
}

LinkShares follow_choices(const Network& network, NodeId source, NodeId destination) {
  const Graph& graph = network.graph;
  LinkShares shares = {{graph.node_port(source), 1.0}};
  const SwitchId from = graph.switch_of(graph.peer_of(graph.node_port(source)));
  const SwitchId to = graph.switch_of(graph.source_of(graph.node_port(destination)));
  std::vector<std::uint32_t> vias;
  if (network.routes.detours &&
      network.routes.detours->waypoint_of[from] != network.routes.detours->waypoint_of[to])
    for (std::uint32_t via = 0; via < network.routes.detours->waypoints; ++via)
      if (via != network.routes.detours->waypoint_of[from] && via != network.routes.detours->waypoint_of[to])
        vias.push_back(via);
  if (vias.empty()) vias.push_back(kNone);
  for (const std::uint32_t via : vias)
    follow_choices(network, from, via, source, destination, 1.0 / static_cast<double>(vias.size()), shares);
  return shares;
}

Network small_network(const Choice<Topology>& topology, std::string_view routing) {
  const Graph graph = topology->build({});
  const Choice<Routing> algorithm = choose(routings(), routing);
  return network_of(graph, *algorithm, algorithm->build(graph), *choose(schemes(), "1q"), 8, 0).value();
}

// Calls visit(network) for the largest small networks of every topology with every routing.
void for_each_small_network(const std::function<void(const Network&)>& visit) {
  constexpr int kMost = 2;  // of a topology and a routing
  std::vector<NamedGraph> graphs = small_graphs(20);
  std::ranges::stable_sort(graphs, std::greater(),
                           [](const NamedGraph& named) { return named.graph.nodes(); });
  std::map<std::string, int> visited;
  for (const NamedGraph& graph : graphs)
    for (const auto& [label, routing] : variants(routings())) {
      const std::string kind = graph.label.substr(0, graph.label.find(' ')) + ", " + label;
      if (visited[kind] == kMost) continue;
      const auto routes = routes_over(graph.graph, *routing);
      if (!routes) continue;
      SCOPED_TRACE(graph.label + ", " + label);
      const auto network = network_of(graph.graph, *routing, *routes, *choose(schemes(), "1q"), 8, 0);
      if (!network) continue;
      ++visited[kind];
      visit(*network);
    }
}

void expect_link_rates(const LinkShares& expected, const std::vector<double>& found) {
  for (PortId output = 0; output < found.size(); ++output) {
    const auto known = expected.find(output);
    ASSERT_NEAR(found[output], known == expected.end() ? 0 : known->second, 1e-9) << "output " << output;
  }
}

Workload even_workload(const Choice<Pattern>& pattern, std::uint32_t nodes) {
  Workload workload;
  workload.flows.push_back({.destinations = pattern->build(nodes, 1)});
  for (NodeId node = 0; node < nodes; ++node) workload.sources.push_back({node, 0});
  return workload;
}

std::vector<Choice<Pattern>> patterns_to_try(std::uint32_t nodes) {
  std::vector<Choice<Pattern>> result = {
      choose(patterns(), "uniform"), choose(patterns(), "uniform", {{"include_self", true}}),
      choose(patterns(), "complement"), choose(patterns(), "hotspot", {{"destination", 0}}),
      choose(patterns(), "hotspot", {{"destination", 1}, {"fraction", 0.3}})};
  const NodeSet three{NodeSet::Kind::nodes, 1.0, 0, {nodes - 1, 0, nodes / 2}};
  if (nodes > 2) {
    result.push_back(choose(patterns(), "set", {{"destinations", three}}));
    result.push_back(
        choose(patterns(), "set", {{"destinations", three}, {"weights", std::vector<double>{1, 0, 5}}}));
  }
  for (const std::int64_t size : {1, 2, 3})
    if (nodes % size == 0 && nodes > size)
      result.push_back(choose(patterns(), "next-group", {{"size", size}}));
  std::erase_if(result, [&](const Choice<Pattern>& pattern) {
    Mistakes mistakes;
    pattern->check(nodes, mistakes);
    return !mistakes.empty();
  });
  return result;
}

TEST(Patterns, AreTheSumsOfTheirParts) {
  class Sum final : public Destinations::Components {
   public:
    void one(NodeId destination, double share) override { of[destination] += share; }
    void spread(const Spread& destinations, double share) override {
      for (std::uint32_t i = 0; i < destinations.count; ++i)
        of[destinations.node(i)] += share * destinations.share(i);
    }
    std::map<NodeId, double> of;
  };
  for (const std::uint32_t nodes : {2U, 3U, 6U, 12U})
    for (const Choice<Pattern>& pattern : patterns_to_try(nodes)) {
      const auto destinations = pattern->build(nodes, 1);
      for (NodeId source = 0; source < nodes; ++source) {
        Sum sum;
        destinations->visit_components(source, sum);
        destinations->shares(source, [&](NodeId destination, double share) { sum.of[destination] -= share; });
        for (const auto& [destination, rest] : sum.of)
          EXPECT_NEAR(rest, 0, 1e-12) << pattern.name << ", " << source << " to " << destination;
      }
    }
}

TEST(PacketRoutes, AreTheSameToAllNodesOfASwitch) {
  std::uint32_t networks = 0;
  for_each_small_network([&](const Network& network) {
    const PacketRoutes routes(network);
    if (!routes.by_switch()) return;
    ++networks;
    for (NodeId node = 0; node < network.nodes(); ++node)
      for (NodeId other = 0; other < node; ++other) {
        const SwitchId to = routes.switch_to(node);
        if (routes.switch_to(other) != to) continue;
        for (SwitchId sw = 0; sw < network.graph.switches(); ++sw)
          if (sw != to) ASSERT_EQ(network.routes.table.at(sw, node), network.routes.table.at(sw, other));
      }
  });
  EXPECT_GT(networks, 8);
}

TEST(PacketRoutes, AreThePathsOfAllChoices) {
  std::uint32_t networks = 0;
  for_each_small_network([&](const Network& network) {
    const PacketRoutes routes(network);
    if (!routes.known()) return;
    ++networks;
    Carrier carrier(network.graph);
    for (NodeId source = 0; source < network.nodes(); ++source)
      for (NodeId destination = 0; destination < network.nodes(); ++destination) {
        std::vector<double> found(network.graph.ports());
        routes.visit(carrier, source, destination,
                     [&](PortId output, double share) { found[output] += share; });
        expect_link_rates(follow_choices(network, source, destination), found);
      }
  });
  EXPECT_GT(networks, 60);
}

TEST(LinkDemand, IsTheSumOverAllPairs) {
  std::uint32_t cases = 0;
  for_each_small_network([&](const Network& network) {
    const PacketRoutes routes(network);
    const std::uint32_t nodes = network.nodes();
    std::map<std::pair<NodeId, NodeId>, LinkShares> of_pair;
    for (const Choice<Pattern>& pattern : patterns_to_try(nodes)) {
      SCOPED_TRACE(pattern.name);
      const Workload workload = even_workload(pattern, nodes);
      const std::vector<double> rates = {0.5};
      const OfferedTraffic traffic(workload, nodes, rates);
      const LinkDemand demand = link_demand(routes, traffic);
      EXPECT_EQ(demand.exact, routes.known());
      if (!demand.exact) continue;
      ++cases;
      LinkShares expected;
      for (NodeId source = 0; source < nodes; ++source)
        workload.flows[0].destinations->shares(source, [&](NodeId destination, double share) {
          LinkShares& shares = of_pair[{source, destination}];
          if (shares.empty()) shares = follow_choices(network, source, destination);
          for (const auto& [output, of_output] : shares) expected[output] += 0.5 * share * of_output;
        });
      expect_link_rates(expected, demand.rate);

      // a cut is a bound for every routing
      double most = 0;
      for (PortId output = 0; output < demand.rate.size(); ++output)
        if (demand.rate[output] > 0)
          most = std::max(most, demand.rate[output] / bytes_per_tick(network, output));
      EXPECT_LE(tightest_cut(routes, traffic).load, most * (1 + 1e-9));
    }
  });
  EXPECT_GT(cases, 300);
}

// Blocks of destinations add up to the same demand, whose bytes do not depend on the threads that carry them.
TEST(LinkDemand, IsTheSameOnAnyNumberOfThreads) {
  std::uint32_t exact = 0, limited = 0;
  for_each_small_network([&](const Network& network) {
    const PacketRoutes routes(network);
    for (const Choice<Pattern>& pattern : patterns_to_try(network.nodes())) {
      SCOPED_TRACE(pattern.name);
      const Workload workload = even_workload(pattern, network.nodes());
      const std::vector<double> rates = {0.5};
      const OfferedTraffic traffic(workload, network.nodes(), rates);
      const LinkDemand whole = link_demand(routes, traffic);
      for (const double most : {5e8, 40.0}) {
        const DemandWork in_blocks = {.most_crossings = most, .visits_of_block = 2};
        const LinkDemand alone = link_demand(routes, traffic, in_blocks);
        const ThreadScope scope(3);
        const LinkDemand together = link_demand(routes, traffic, in_blocks);
        EXPECT_EQ(alone.exact, together.exact);
        ASSERT_EQ(alone.rate, together.rate);
        ++(alone.exact ? exact : limited);
        for (PortId output = 0; output < whole.rate.size(); ++output) {
          if (alone.exact) ASSERT_NEAR(alone.rate[output], whole.rate[output], 1e-9);
          if (whole.exact) ASSERT_LE(alone.rate[output], whole.rate[output] + 1e-9);
        }
      }
    }
  });
  EXPECT_GT(exact, 300);
  EXPECT_GT(limited, 300);
}

TEST(LinkDemand, CanBeCancelledOnEveryThread) {
  const Network network = small_network(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}}), "det");
  const Workload workload = even_workload(choose(patterns(), "uniform"), network.nodes());
  const std::vector<double> rates = {1};
  const PacketRoutes routes(network);
  const OfferedTraffic traffic(workload, network.nodes(), rates);
  const std::atomic<bool> cancelled = true;
  const CancelScope cancel(&cancelled);
  const ThreadScope scope(3);
  EXPECT_THROW(link_demand(routes, traffic, {.visits_of_block = 2}), Cancelled);
}

TEST(LinkDemand, IsALowerBoundWhereTheWorkIsLimited) {
  for (const char* routing : {"minimal", "valiant"}) {
    const Network network =
        small_network(choose(topologies(), "dragonfly", {{"p", 1}, {"a", 2}, {"h", 1}}), routing);
    const PacketRoutes routes(network);
    const Workload workload = even_workload(choose(patterns(), "uniform"), network.nodes());
    const std::vector<double> rates = {1};
    const OfferedTraffic traffic(workload, network.nodes(), rates);
    const LinkDemand all = link_demand(routes, traffic),
                     some = link_demand(routes, traffic, {.most_crossings = 20});
    EXPECT_TRUE(all.exact);
    EXPECT_FALSE(some.exact);
    for (PortId output = 0; output < all.rate.size(); ++output)
      EXPECT_LE(some.rate[output], all.rate[output] + 1e-12);
  }
}

// 8 switches, fully connected, with 8 nodes each: the 8 nodes of a switch send over its 7 links.
TEST(Cuts, AreThoseOfSwitchesGroupsAndHalves) {
  const auto cut_of = [](const Choice<Topology>& topology, const Choice<Pattern>& pattern) {
    const Network network = small_network(topology, "adaptive");
    const Workload workload = even_workload(pattern, network.nodes());
    const std::vector<double> rates = {1};
    return tightest_cut(PacketRoutes(network), OfferedTraffic(workload, network.nodes(), rates));
  };
  const Cut of_switch = cut_of(
      choose(topologies(), "hyperx", {{"sides", std::vector<std::int64_t>{8}}, {"nodes_per_switch", 8}}),
      choose(patterns(), "next-group", {{"size", 8}}));
  EXPECT_EQ(of_switch.part, "switch 0");
  EXPECT_DOUBLE_EQ(of_switch.load, 8.0 / 7);
  // half of an 8 x 8 mesh sends all its traffic over 8 links
  const Cut of_half = cut_of(choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{8, 8}}}),
                             choose(patterns(), "complement"));
  EXPECT_EQ(of_half.part, "the half of dimension 0 that begins at plane 0");
  EXPECT_DOUBLE_EQ(of_half.load, 4);
}

}  // namespace
}  // namespace headway
