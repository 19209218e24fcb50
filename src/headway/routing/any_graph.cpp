// SPDX-License-Identifier: Apache-2.0
// Shortest paths in any graph: one for each pair of switches (lash) or for each switch and destination,
// spread over the links (dfsssp), both in layers; or all of them (ecmp, spray).
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/base/plural.h"
#include "headway/routing/any_graph.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/hash_salt.h"
#include "headway/routing/layers.h"
#include "headway/routing/port_sets.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

// Finds shortest paths to one destination after the other; prefers those whose links have the fewest paths so
// far (Hoefler, Schneider and Lumsdaine, "Optimized routing for large-scale InfiniBand networks", HOTI 2009:
// SSSP). The weight of a link is a large constant plus the number of paths over it.
RouteTable balanced_shortest_paths(const Graph& graph) {
  using Weight = std::uint64_t;
  constexpr Weight kFar = ~Weight{0};
  std::vector<std::uint64_t> paths_at(graph.ports());
  std::vector<std::uint32_t> nodes_at(graph.switches());
  for (NodeId node = 0; node < graph.nodes(); ++node) ++nodes_at[switch_from(graph, node)];
  // exceeds the number of paths over all links of any path, so that a path with fewer links always weighs
  // less
  const Weight link = Weight{graph.nodes()} * graph.nodes() * graph.switches() + 1;
  PathTable table(graph);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    poll_cancel();
    std::vector<Weight> weight(graph.switches(), kFar);
    std::vector<PortId> output_of(graph.switches(), kNone);
    std::vector<SwitchId> settled;
    using Entry = std::tuple<Weight, PortId, SwitchId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    weight[switch_to(graph, node)] = 0;
    open.emplace(0, 0, switch_to(graph, node));
    while (!open.empty()) {
      const Weight far = std::get<0>(open.top());
      const SwitchId sw = std::get<2>(open.top());
      open.pop();
      if (far != weight[sw]) continue;  // a shorter path was found later
      settled.push_back(sw);
      for_each_link_to(graph, sw, [&](PortId output, SwitchId from) {
        const Weight through = far + link + paths_at[output];
        if (through >= weight[from]) return;
        weight[from] = through;
        output_of[from] = output;
        open.emplace(through, output, from);
      });
    }
    std::vector<std::uint64_t> through(nodes_at.begin(), nodes_at.end());  // paths that pass a switch
    for (auto sw = settled.rbegin(); sw != settled.rend(); ++sw) {
      if (output_of[*sw] == kNone) continue;
      paths_at[output_of[*sw]] += through[*sw];
      through[graph.switch_of(graph.peer_of(output_of[*sw]))] += through[*sw];
    }
    table.set(node, output_of);
  }
  return std::move(table).routes();
}

// One shortest path for each pair of switches, the first that a search from the source finds. Switches are
// searched from in the order of their numbers. A switch on a path keeps the output that an earlier search has
// given it for this destination, so that outputs depend only on the destination. Choice: LASH takes any
// shortest paths; these are those of OpenSM (shortest_path and generate_routing_func_for_mst in
// opensm/osm_ucast_lash.c), which does not spread them over the links.
RouteTable first_shortest_paths(const Graph& graph) {
  const std::vector<SwitchId> ends = switches_with_nodes(graph, switch_to);
  std::vector<std::vector<PortId>> output_to(graph.switches());  // [end][switch]
  for (const SwitchId end : ends) output_to[end].assign(graph.switches(), kNone);
  for (SwitchId start = 0; start < graph.switches(); ++start) {
    poll_cancel();
    std::vector<PortId> found_over(graph.switches(), kNone);
    std::vector<SwitchId> order = {start};
    for (std::size_t i = 0; i < order.size(); ++i)
      for_each_link_from(graph, order[i], [&](PortId output, SwitchId to) {
        if (to == start || found_over[to] != kNone) return;
        found_over[to] = output;
        order.push_back(to);
      });
    for (const SwitchId end : ends)
      for (SwitchId sw = end; found_over[sw] != kNone;) {
        const PortId output = found_over[sw];
        sw = graph.switch_of(output);
        PortId& chosen = output_to[end][sw];
        if (chosen == kNone) chosen = output;
      }
  }
  PathTable table(graph);
  for (NodeId node = 0; node < graph.nodes(); ++node) table.set(node, output_to[switch_to(graph, node)]);
  return std::move(table).routes();
}

// All ports on shortest paths, as sets. Throws SpecError if there are too many different sets.
RouteTable all_shortest_paths(const Graph& graph, bool per_pair) {
  PortSets sets;
  std::vector<PortRange> candidates(std::size_t{graph.switches()} * graph.nodes());
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    poll_cancel();
    const SwitchId to = switch_to(graph, node);
    const Distances distances = distances_to(graph, to);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      const auto range = sw == to ? port_to(graph, node) : sets.range_of(ports_nearer(graph, sw, distances));
      if (!range)
        throw SpecError("routing.algorithm",
                        "this network has too many different sets of equally short paths",
                        "\"up-down\", \"lash\" and \"dfsssp\" use one path per destination");
      candidates[std::size_t{sw} * graph.nodes() + node] = *range;
    }
  }
  return RouteTable::from_sets(graph.nodes(), std::move(candidates), sets.ports(), per_pair);
}

// All shortest paths. They can wait for each other in a cycle, unless the network is a tree.
template <bool kOnePerPair>
class EqualPaths final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    if (kOnePerPair) salt_.describe(parameters);
  }
  bool single_path() const override { return kOnePerPair; }
  bool by_destination() const override { return false; }
  bool routes(const Shape&) const override { return true; }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    Routes routes = {all_shortest_paths(graph, kOnePerPair), LaneRules().breaking_rings()};
    salt_.apply_to(routes.table);
    if (const auto cycle = find_dependency_cycle(graph, routes); !cycle.empty())
      throw SpecError("routing.algorithm",
                      "the shortest paths of this network can wait for each other in a cycle, so it "
                      "can deadlock: " +
                          to_text(cycle, graph, routes.lanes),
                      "\"lash\" and \"dfsssp\" break such cycles with lanes");
    return routes;
  }

  HashSalt salt_;
};

template <auto kPathsOf, auto kLayersOf>
class Layered final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "most_lanes",
                      .help = "maximum number of lanes; a network that needs more is refused",
                      .bounds = Bounds::from(1, 255)},
                     most_lanes_);
  }
  bool single_path() const override { return true; }
  // The lane depends on the source, but the ports do not.
  bool by_destination() const override { return true; }
  bool routes(const Shape&) const override { return true; }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    RouteTable table = kPathsOf(graph);
    auto layers = kLayersOf(graph, table, static_cast<std::uint32_t>(most_lanes_));
    if (!layers)
      throw SpecError("routing.most_lanes",
                      "the paths of this network need more than " +
                          plural(static_cast<std::size_t>(most_lanes_), "lane") + " to be free of cycles",
                      "use more lanes, or \"up-down\", which needs one");
    return in_layers(graph, std::move(table), std::move(*layers));
  }

  std::int64_t most_lanes_ = 8;
};

}  // namespace

Entry<Routing> ecmp() {
  return {"ecmp",
          "one of all shortest paths for each pair of nodes, chosen by a hash, which differs between seeds; "
          "refused if these paths can deadlock",
          "Hopps, RFC 2992, 2000", make_entry<Routing, EqualPaths<true>>};
}
Entry<Routing> spray() {
  return {"spray", "a random one of all shortest paths for each packet; refused if these paths can deadlock",
          "Dixit et al., INFOCOM 2013", make_entry<Routing, EqualPaths<false>>};
}
Entry<Routing> lash() {
  return {
      "lash",
      "any graph: one shortest path for each pair of switches, as by OpenSM's lash, each in the first lane "
      "that stays free of cycles; the paths are not spread over the links. OpenSM takes the switches "
      "in the order of their GUIDs, so it can need other lanes, and then distributes the paths over them",
      "Skeie, Lysne and Theiss, IPDPS 2002",
      make_entry<Routing, Layered<first_shortest_paths, layers_by_first_fit>>};
}
Entry<Routing> dfsssp() {
  return {
      "dfsssp",
      "any graph: shortest paths spread over the links, with lanes that break cycles where they are weakest. "
      "OpenSM's dfsssp also spreads the paths to switches, which makes those to nodes less even, and then "
      "distributes the paths over all lanes that the links have",
      "Domke, Hoefler and Nagel, IPDPS 2011",
      make_entry<Routing, Layered<balanced_shortest_paths, layers_by_weakest_edge>>};
}

}  // namespace headway
