// SPDX-License-Identifier: Apache-2.0
// Routes and their lanes are those of plain algorithms, which search once for every node and follow every
// pair of nodes: over random networks with parallel links and failures, and over trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/routing/any_graph.h"
#include "headway/routing/dependencies.h"
#include "headway/topology/distances.h"
#include "headway/topology/link_faults.h"
#include "tests/property/networks.h"
#include "tests/support/plain_dependencies.h"
#include "tests/support/plain_routes.h"

namespace headway {
namespace {

// Random switches and links, some of them parallel and some failed. Nodes of a switch are not consecutive.
Graph random_network(std::uint64_t seed) {
  Rng rng(seed, StreamKind::pattern, 1);
  const std::uint32_t switches = 3 + rng.below(14), more = rng.below(2 * switches);
  std::vector<std::pair<SwitchId, SwitchId>> links;
  for (SwitchId sw = 1; sw < switches; ++sw) links.emplace_back(sw, rng.below(sw));
  for (std::uint32_t i = 0; i < more; ++i) {
    const SwitchId a = rng.below(switches), b = rng.below(switches);
    if (a != b) links.insert(links.end(), 1 + rng.below(3), {a, b});
  }
  std::vector<SwitchId> place_of;  // [node]
  const std::uint32_t nodes = 2 + rng.below(seed % 10 == 0 ? 200 : 3 * switches);
  for (NodeId node = 0; node < nodes; ++node) place_of.push_back(rng.below(switches));
  std::vector<std::uint32_t> radix(switches), used(switches);
  for (const auto& [a, b] : links) ++radix[a], ++radix[b];
  for (const SwitchId sw : place_of) ++radix[sw];
  Graph graph(nodes, radix, IrregularShape{});
  const auto next_port = [&](SwitchId sw) { return graph.port(sw, used[sw]++); };
  for (NodeId node = 0; node < nodes; ++node)
    graph.connect(graph.node_port(node), next_port(place_of[node]), {});
  for (const auto& [a, b] : links) {
    const PortId from = next_port(a);
    graph.connect(from, next_port(b), {});
  }
  if (seed % 3 != 0) return graph;
  LinkFaults faults;
  faults.failed.part = 0.15;
  faults.failed.seed = static_cast<std::int64_t>(seed);
  faults.unreachable = Unreachable::reported;
  apply(faults, graph);
  return graph;
}

std::vector<NamedGraph> networks() {
  std::vector<NamedGraph> result;
  for (std::uint64_t seed = 0; seed < 120; ++seed)
    result.push_back({"random network " + std::to_string(seed), random_network(seed)});
  const std::vector<NamedGraph> small = small_graphs(64);
  result.insert(result.end(), small.begin(), small.end());
  using Numbers = std::vector<std::int64_t>;
  for (const auto& [children, parents, links] : {std::tuple{Numbers{3, 4}, Numbers{1, 2}, Numbers{1, 3}},
                                                 {Numbers{2, 3, 2}, Numbers{1, 3, 2}, Numbers{1, 1, 2}},
                                                 {Numbers{4, 1, 2}, Numbers{1, 2, 3}, Numbers{1, 1, 1}},
                                                 {Numbers{5}, Numbers{1}, Numbers{1}}})
    result.push_back({"pgft", choose(topologies(), "pgft",
                                     {{"children", children}, {"parents", parents}, {"links", links}})
                                  ->build({})});
  return result;
}

std::optional<Routes> routes_reported(const Graph& graph, const Routing& routing) {
  try {
    return routing.build(graph, Unreachable::reported);
  } catch (const SpecError&) {
    return std::nullopt;
  }
}

std::vector<std::uint16_t> ports_at(const RouteTable& table, SwitchId sw, NodeId node) {
  const PortRange range = table.at(sw, node);
  std::vector<std::uint16_t> ports;
  for (std::uint32_t i = 0; i < range.count; ++i)
    ports.push_back(static_cast<std::uint16_t>(table.port(sw, node, range, i)));
  return ports;
}

// Calls visit(network, its routes) for all networks that the routing can route.
template <class Visit>
void for_each_routed(const Routing& routing, Visit&& visit) {
  std::size_t routed = 0;
  for (const auto& [label, graph] : networks()) {
    SCOPED_TRACE(label);
    const std::optional<Routes> routes = routes_reported(graph, routing);
    if (!routes) continue;
    visit(graph, *routes);
    ++routed;
  }
  EXPECT_GT(routed, 20U);
}

void expect_equal_tables(const Graph& graph, const RouteTable& table, const RouteTable& plain) {
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId node = 0; node < graph.nodes(); ++node)
      ASSERT_EQ(ports_at(table, sw, node), ports_at(plain, sw, node)) << sw << ' ' << node;
}

TEST(PlainRoutes, EqualPathsAreAllShortestOnes) {
  for (const char* name : {"ecmp", "spray"})
    for_each_routed(*choose(routings(), name), [&](const Graph& graph, const Routes& routes) {
      EXPECT_EQ(routes.table.by_source(), std::string_view(name) == "ecmp");
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        const SwitchId to = switch_to(graph, node);
        const Distances distances = distances_to(graph, to);
        for (SwitchId sw = 0; sw < graph.switches(); ++sw)
          ASSERT_EQ(ports_at(routes.table, sw, node),
                    sw == to ? std::vector{port_to(graph, node).first} : ports_nearer(graph, sw, distances));
      }
    });
}

// A large network looks its routes up by leaf, a small one in a table of all nodes.
TEST(PlainRoutes, ByLeafAreThoseOfATable) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = random_network(seed);
    Rng rng(seed, StreamKind::pattern, 2);
    const auto built = [&](std::uint64_t largest_table) {
      std::vector<LeafRoutes::Node> nodes;
      std::vector<SwitchId> leaves(graph.switches());
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) leaves[sw] = sw;
      for (NodeId node = 0; node < graph.nodes(); ++node)
        nodes.push_back({switch_to(graph, node), port_to(graph, node).first});
      Rng of_ports = rng;
      std::vector<PortRange> candidates;
      for (std::size_t i = 0; i < std::size_t{graph.switches()} * graph.switches(); ++i)
        candidates.push_back(
            {static_cast<std::uint16_t>(of_ports.below(4)), static_cast<std::uint16_t>(of_ports.below(4))});
      return RouteTable::from_leaves(LeafRoutes(nodes, leaves, candidates), graph.switches(), graph.nodes(),
                                     {5, 0, 3, 2, 7, 1, 4}, seed % 2 == 0, largest_table);
    };
    const RouteTable by_leaf = built(0), table = built(~std::uint64_t{0});
    EXPECT_EQ(by_leaf.by_destination(), table.by_destination());
    EXPECT_EQ(by_leaf.by_switch(), table.by_switch());
    expect_equal_tables(graph, by_leaf, table);
    for (NodeId source = 0; source < std::min(graph.nodes(), 9U); ++source)
      for (NodeId node = 0; node < graph.nodes(); ++node)
        ASSERT_EQ(by_leaf.of_pair(0, source, node), table.of_pair(0, source, node));
  }
}

TEST(PlainRoutes, BalancedShortestPathsAreThoseOfDijkstra) {
  for_each_routed(*choose(routings(), "dfsssp"), [](const Graph& graph, const Routes& routes) {
    expect_equal_tables(graph, routes.table, test::plain_balanced_paths(graph));
  });
}

TEST(PlainRoutes, UpDownTakesTheLeastLoadedOfAllLinks) {
  for (const char* balance : {"paths", "destinations"})
    for_each_routed(
        *choose(routings(), "up-down", {{"root", std::vector<std::string>{"0"}}, {"balance", balance}}),
        [&](const Graph& graph, const Routes& routes) {
          const bool by_destinations = std::string_view(balance) == "destinations";
          expect_equal_tables(graph, routes.table, test::plain_up_down(graph, 0, by_destinations));
        });
}

TEST(PlainRoutes, LayersOfLashAreThoseOfAllPaths) {
  for_each_routed(*choose(routings(), "lash"), [](const Graph& graph, const Routes& routes) {
    const std::optional<Layers> plain = test::plain_first_fit(graph, routes.table, 8);
    ASSERT_TRUE(plain);
    ASSERT_EQ(routes.lanes.lanes(), plain->count);
    for (NodeId source = 0; source < graph.nodes(); ++source)
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        const SwitchId from = switch_from(graph, source);
        ASSERT_EQ(routes.lanes.first_level(from, node, 0),
                  plain->of_path[std::size_t{from} * graph.nodes() + node]);
      }
  });
}

// With the lanes of the routing there is no cycle; in one lane, there often is one, and it is the same.
TEST(PlainRoutes, CyclesAreThoseOfAllPairs) {
  std::size_t cycles = 0;
  for (const auto& entry : routings())
    for (const auto& [label, graph] : networks()) {
      SCOPED_TRACE(std::string(entry.name) + " on " + label);
      std::optional<Routes> routes = routes_reported(graph, *entry.make());
      if (!routes || (routes->detours && graph.nodes() > 24)) continue;
      EXPECT_EQ(find_dependency_cycle(graph, *routes), test::plain_dependency_cycle(graph, *routes));
      routes->choices.reset();
      const LaneRules lanes = routes->lanes;
      std::vector<std::uint8_t> classes;
      for (PortId port = 0; port < graph.ports(); ++port) classes.push_back(lanes.class_of(port));
      routes->lanes = LaneRules(1, lanes.levels(), *std::ranges::max_element(classes) + 1U, classes,
                                [&](std::uint8_t level, std::uint32_t came, std::uint32_t goes) {
                                  LaneRules::Step step = lanes.step(level, static_cast<std::uint8_t>(came),
                                                                    static_cast<std::uint8_t>(goes));
                                  step.lane = 0;
                                  return step;
                                })
                          .breaking_rings();
      const std::vector<Channel> cycle = find_dependency_cycle(graph, *routes);
      EXPECT_EQ(cycle, test::plain_dependency_cycle(graph, *routes));
      cycles += cycle.empty() ? 0 : 1;
    }
  EXPECT_GT(cycles, 20U);
}

}  // namespace
}  // namespace headway
