// SPDX-License-Identifier: Apache-2.0
// Shortest paths in any graph: one for each pair of switches (lash) or for each switch and destination,
// spread over the links (dfsssp), both in layers; or all of them (ecmp, spray).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/base/plural.h"
#include "headway/base/work_scope.h"
#include "headway/routing/any_graph.h"
#include "headway/routing/cycle_rule.h"
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
//
// Weights differ between the nodes of a leaf, but the links of shortest paths do not, so a search looks at
// these alone, from the leaf on. Of links of equal weight it takes the one whose switch a search by Dijkstra
// would settle first, and of those of that switch the one with the lowest number there.
class BalancedPaths {
 public:
  explicit BalancedPaths(const Graph& graph)
      : graph_(graph),
        paths_at_(graph.ports()),
        nodes_at_(graph.switches()),
        // exceeds the number of paths over all links of any path, so that a path with fewer links always
        // weighs less
        link_(Weight{graph.nodes()} * graph.nodes() * graph.switches() + 1),
        next_(graph.switches()),
        weight_(graph.switches()),
        turn_(graph.switches()) {
    for (NodeId node = 0; node < graph.nodes(); ++node) ++nodes_at_[switch_from(graph, node)];
  }

  RouteTable table() {
    PathTable table(graph_);
    SwitchId found = kNone;
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      poll_cancel();
      if (const SwitchId to = switch_to(graph_, node); std::exchange(found, to) != to) find(to);
      choose();
      table.set(node, output_);
      count();
    }
    return std::move(table).routes();
  }

 private:
  using Weight = std::uint64_t;
  struct Next {
    PortId output;
    SwitchId sw;  // behind it
    PortId input;
  };

  // Finds the links of all shortest paths to a leaf, which its nodes share.
  void find(SwitchId to) {
    distances_ = distances_to(graph_, to);
    for (std::vector<Next>& links : next_) links.clear();
    for (const SwitchId sw : distances_.order)
      for_each_link_to(graph_, sw, [&](PortId output, SwitchId from) {
        if (distances_.links[from] == distances_.links[sw] + 1)
          next_[from].push_back({output, sw, graph_.peer_of(output)});
      });
  }

  // The next link of every switch for one node of the leaf.
  void choose() {
    output_.assign(graph_.switches(), kNone);
    const std::vector<SwitchId>& order = distances_.order;
    weight_[order.front()] = 0;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {  // equally far switches
      while (end < order.size() && distances_.links[order[end]] == distances_.links[order[begin]]) ++end;
      settled_.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(end));
      if (begin > 0)
        for (const SwitchId sw : settled_) choose_at(sw);
      if (end == order.size()) return;
      std::ranges::sort(settled_, {}, [&](SwitchId sw) { return std::tuple(weight_[sw], output_[sw], sw); });
      for (std::uint32_t turn = 0; turn < settled_.size(); ++turn) turn_[settled_[turn]] = turn;
    }
  }

  void choose_at(SwitchId sw) {
    count_work(next_[sw].size());
    std::tuple<Weight, std::uint32_t, PortId> best{~Weight{0}, 0, 0};
    for (const Next& link : next_[sw]) {
      const std::tuple through{weight_[link.sw] + link_ + paths_at_[link.output], turn_[link.sw], link.input};
      if (through >= best) continue;
      best = through;
      output_[sw] = link.output;
    }
    weight_[sw] = std::get<0>(best);
  }

  // Adds the paths to the node to those over their links.
  void count() {
    std::vector<std::uint64_t> through(nodes_at_.begin(), nodes_at_.end());  // [switch] paths
    const std::vector<SwitchId>& order = distances_.order;
    for (auto sw = order.rbegin(); sw != order.rend(); ++sw) {
      if (output_[*sw] == kNone) continue;
      paths_at_[output_[*sw]] += through[*sw];
      through[graph_.switch_of(graph_.peer_of(output_[*sw]))] += through[*sw];
    }
  }

  const Graph& graph_;
  std::vector<std::uint64_t> paths_at_;  // [output]
  std::vector<std::uint32_t> nodes_at_;  // [switch]
  const Weight link_;
  Distances distances_;                  // to the leaf
  std::vector<std::vector<Next>> next_;  // [switch] on shortest paths to the leaf
  std::vector<Weight> weight_;           // [switch] of its path to the node
  std::vector<std::uint32_t> turn_;      // [switch] among those that are equally far, in a search
  std::vector<SwitchId> settled_;        // those that are equally far, in this order
  std::vector<PortId> output_;           // [switch] to the node
};

RouteTable balanced_shortest_paths(const Graph& graph) { return BalancedPaths(graph).table(); }

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
  LeafTable table(graph);
  for (std::uint32_t leaf = 0; leaf < table.leaves().size(); ++leaf)
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      if (const PortId output = output_to[table.leaves()[leaf]][sw]; output != kNone)
        table.at(sw, leaf) = {static_cast<std::uint16_t>(graph.local(output)), 1};
  return std::move(table).routes({}, /*per_pair=*/false);
}

// All ports on shortest paths, as sets. Throws SpecError if there are too many different sets.
RouteTable all_shortest_paths(const Graph& graph, bool per_pair) {
  PortSets sets;
  LeafTable table(graph);
  for (std::uint32_t leaf = 0; leaf < table.leaves().size(); ++leaf) {
    poll_cancel();
    const SwitchId to = table.leaves()[leaf];
    const Distances distances = distances_to(graph, to);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      if (sw == to || !distances.has_path(sw)) continue;
      const auto range = sets.range_of(ports_nearer(graph, sw, distances));
      if (!range)
        throw SpecError("routing.algorithm",
                        "this network has too many different sets of equally short paths",
                        "\"up-down\", \"lash\" and \"dfsssp\" use one path per destination");
      table.at(sw, leaf) = *range;
    }
  }
  return std::move(table).routes(sets.ports(), per_pair);
}

// All shortest paths, of which a pair of nodes uses one (ECMP), or its packets draw one each. They can wait
// for each other in a cycle, unless the network is a tree: there, they go up and then down.
template <bool kOnePerPair>
class EqualPaths final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    if (!kOnePerPair)
      parameters.field(
          {.name = "paths",
           .help = "a pair of nodes uses so many of the shortest paths, or fewer: a packet draws "
                   "one of so many labels at its source, and switches choose by a hash of source, "
                   "destination and label, as with the queue pairs of a NIC; 1 is ecmp; default: "
                   "all, drawn at every switch",
           .bounds = Bounds::from(1, 1 << 24)},
          paths_);
    salt_.describe(parameters);
    cycles_.describe(parameters);
  }
  bool single_path() const override { return is_per_pair(); }
  bool draws() const override { return !is_per_pair(); }
  bool by_destination() const override { return false; }
  bool routes(const Shape&) const override { return true; }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (!kOnePerPair && salt_.is_set() && !paths_)
      throw SpecError("routing.salt", "enters the hash of labels, and without routing.paths there are none",
                      "omit it, or give routing.paths");
    Routes routes = equal_paths(graph, is_per_pair(), cycles_.refuses());
    if (!is_per_pair() && paths_) routes.table.set_labels(static_cast<std::uint32_t>(*paths_));
    salt_.apply_to(routes.table);
    cycles_.apply_to(routes);
    return routes;
  }
  // Choice: labels as NICs and transports have them, and not the first paths of a list, so that paths can
  // coincide, as they do there.
  bool is_per_pair() const { return kOnePerPair || paths_ == 1; }

  std::optional<std::int64_t> paths_;
  HashSalt salt_;
  CycleRule cycles_;
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

Routes equal_paths(const Graph& graph, bool per_pair, bool refuses_cycles) {
  if (const auto* tree = std::get_if<TreeShape>(&graph.shape()); tree != nullptr && !graph.has_failures())
    return {RouteTable::tree_of_equal_paths(*tree, per_pair), LaneRules().breaking_rings()};
  Routes routes = {all_shortest_paths(graph, per_pair), LaneRules().breaking_rings()};
  if (!refuses_cycles) return routes;
  if (const auto cycle = find_dependency_cycle(graph, routes); !cycle.empty())
    throw SpecError("routing.algorithm",
                    "the shortest paths of this network can wait for each other in a cycle, so it "
                    "can deadlock: " +
                        to_text(cycle, graph, routes.lanes),
                    "\"lash\" and \"dfsssp\" break such cycles with lanes; cycles = \"allow\" runs them");
  return routes;
}

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
