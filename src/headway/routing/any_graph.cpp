// SPDX-License-Identifier: Apache-2.0
// Routing for any graph: up*/down* routing, balanced shortest paths in layers, and all shortest paths. The
// first two find one path for each switch and destination, and spread the paths over the links.
#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <tuple>

#include "headway/base/cancel_scope.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/layers.h"
#include "headway/routing/port_sets.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

PortRange port_to(const Graph& graph, NodeId node) {
  return {static_cast<std::uint16_t>(graph.local(graph.source_of(graph.node_port(node)))), 1};
}

// Up*/down*: links lead up or down in the order of a breadth-first search from the root, which visits
// neighbours in the order of their numbers. A path goes up, then down, so that no cycle of channels can
// exist. Choice: a switch that can reach the destination over down links does so, even if a path over up
// links is shorter; then routes depend only on the destination. Among paths of the same length it takes the
// link with the fewest routes.
class UpDownTable {
 public:
  UpDownTable(const Graph& graph, SwitchId root)
      : graph_(graph), rank_(graph.switches()), routes_at_(graph.ports()) {
    std::vector<bool> seen(graph.switches());
    const auto search = [&](SwitchId from) {
      std::size_t i = order_.size();
      order_.push_back(from);
      seen[from] = true;
      for (; i < order_.size(); ++i) {
        rank_[order_[i]] = static_cast<std::uint32_t>(i);
        std::vector<SwitchId> next;
        for_each_link_to(graph, order_[i], [&](PortId, SwitchId other) {
          if (!seen[other]) next.push_back(other);
          seen[other] = true;
        });
        std::ranges::sort(next);
        order_.insert(order_.end(), next.begin(), next.end());
      }
    };
    search(root);
    for (NodeId node = 0; node < graph.nodes(); ++node) root_has_nodes_ |= seen[switch_to(graph, node)];
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)  // parts that failures have cut off
      if (!seen[sw]) search(sw);
  }

  bool root_has_nodes() const { return root_has_nodes_; }

  RouteTable table() {
    std::vector<PortRange> candidates(std::size_t{graph_.switches()} * graph_.nodes());
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      poll_cancel();
      find(switch_to(graph_, node));
      for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
        PortRange& range = candidates[std::size_t{sw} * graph_.nodes() + node];
        if (links_[sw] == 0) {
          range = port_to(graph_, node);
        } else if (links_[sw] == kNone) {
          range = {0, 0};  // no path
        } else {
          range = {static_cast<std::uint16_t>(graph_.local(output_[sw])), 1};
          ++routes_at_[output_[sw]];
        }
      }
    }
    return RouteTable::from_table(graph_.nodes(), std::move(candidates));
  }

 private:
  void find(SwitchId to) {
    links_.assign(graph_.switches(), kNone);
    output_.assign(graph_.switches(), kNone);
    links_[to] = 0;
    std::vector<SwitchId> frontier = {to};
    for (std::size_t i = 0; i < frontier.size(); ++i)  // over down links
      for_each_link_to(graph_, frontier[i], [&](PortId output, SwitchId from) {
        if (rank_[from] > rank_[frontier[i]]) return;
        if (links_[from] == kNone) frontier.push_back(from);
        offer(from, output, links_[frontier[i]] + 1);
      });
    std::vector<bool> goes_down(graph_.switches());
    for (const SwitchId sw : frontier) goes_down[sw] = true;
    for (const SwitchId sw : order_) {  // the others over up links, from the root on
      if (goes_down[sw]) continue;
      for_each_link_from(graph_, sw, [&](PortId output, SwitchId above) {
        if (rank_[above] < rank_[sw] && links_[above] != kNone) offer(sw, output, links_[above] + 1);
      });
    }
  }

  void offer(SwitchId sw, PortId output, std::uint32_t links) {
    const auto is_better = [&] {
      return std::tuple(links, routes_at_[output], output) <
             std::tuple(links_[sw], routes_at_[output_[sw]], output_[sw]);
    };
    if (output_[sw] != kNone ? !is_better() : links_[sw] != kNone) return;
    links_[sw] = links;
    output_[sw] = output;
  }

  const Graph& graph_;
  bool root_has_nodes_ = false;           // in the root's part of the network
  std::vector<SwitchId> order_;           // from the root on
  std::vector<std::uint32_t> rank_;       // [switch] its place in the order
  std::vector<std::uint32_t> routes_at_;  // [output] pairs of switch and destination that use it
  std::vector<std::uint32_t> links_;      // [switch] number of links to the destination
  std::vector<PortId> output_;            // [switch]
};

// The switch with the smallest distance to the farthest switch; the first of several. Considers only the
// switches that are reached by the most others, because failures can cut off parts of the network.
SwitchId centre_of(const Graph& graph) {
  SwitchId best = 0;
  std::size_t most = 0;
  std::uint32_t least = kNone;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const Distances distances = distances_to(graph, sw);
    const std::size_t reached = distances.order.size();
    if (reached < most || (reached == most && distances.farthest() >= least)) continue;
    most = reached;
    least = distances.farthest();
    best = sw;
  }
  return best;
}

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
  std::vector<PortRange> candidates(std::size_t{graph.switches()} * graph.nodes());
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
      PortRange& range = candidates[std::size_t{*sw} * graph.nodes() + node];
      range = port_to(graph, node);
      if (output_of[*sw] == kNone) continue;
      range = {static_cast<std::uint16_t>(graph.local(output_of[*sw])), 1};
      paths_at[output_of[*sw]] += through[*sw];
      through[graph.switch_of(graph.peer_of(output_of[*sw]))] += through[*sw];
    }
  }
  return RouteTable::from_table(graph.nodes(), std::move(candidates));
}

// All ports on shortest paths, as sets. Throws SpecError if there are too many different sets.
class ShortestSets {
 public:
  explicit ShortestSets(const Graph& graph) : graph_(graph) {}

  RouteTable table(bool per_pair) {
    std::vector<PortRange> candidates(std::size_t{graph_.switches()} * graph_.nodes());
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      poll_cancel();
      const SwitchId to = switch_to(graph_, node);
      const Distances distances = distances_to(graph_, to);
      for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
        candidates[std::size_t{sw} * graph_.nodes() + node] =
            sw == to ? port_to(graph_, node) : ports_of(sw, distances);
    }
    return RouteTable::from_sets(graph_.nodes(), std::move(candidates), sets_.ports(), per_pair);
  }

 private:
  PortRange ports_of(SwitchId sw, const Distances& distances) {
    const std::optional<PortRange> range = sets_.range_of(ports_nearer(graph_, sw, distances));
    if (!range)
      throw SpecError({{.key = "routing.algorithm",
                        .message = "this network has too many different sets of equally short paths",
                        .hint = "\"up-down\", \"lash\" and \"dfsssp\" use one path per destination",
                        .where = ""}});
    return *range;
  }

  const Graph& graph_;
  PortSets sets_;
};

// All shortest paths. They can wait for each other in a cycle, unless the network is a tree.
class EqualPaths : public Routing {
 public:
  void describe(Parameters&) override {}
  bool by_destination() const override { return false; }
  bool routes(const Shape&) const override { return true; }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    Routes routes = {ShortestSets(graph).table(single_path()), LaneRules().breaking_rings()};
    if (const auto cycle = find_dependency_cycle(graph, routes); !cycle.empty())
      throw SpecError(
          {{.key = "routing.algorithm",
            .message = "the shortest paths of this network can wait for each other in a cycle, so it "
                       "can deadlock: " +
                       to_text(cycle, graph, routes.lanes),
            .hint = "\"lash\" and \"dfsssp\" break such cycles with lanes",
            .where = ""}});
    return routes;
  }
};

class Ecmp final : public EqualPaths {
 public:
  bool single_path() const override { return true; }
};
class Spray final : public EqualPaths {
 public:
  bool single_path() const override { return false; }
};

class UpDown final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "root",
                      .help = "number of the switch at the top; default: the first one of those with the "
                              "smallest distance to the farthest switch",
                      .at_least = 0},
                     root_);
  }
  bool single_path() const override { return true; }
  bool routes(const Shape& shape) const override { return !std::holds_alternative<StagesShape>(shape); }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (root_ && *root_ >= graph.switches())
      throw SpecError({{.key = "routing.root",
                        .message = "there is no switch " + std::to_string(*root_),
                        .hint = "at most " + std::to_string(graph.switches() - 1),
                        .where = ""}});
    UpDownTable table(graph, root_ ? static_cast<SwitchId>(*root_) : centre_of(graph));
    if (!table.root_has_nodes())
      throw SpecError({{.key = "routing.root",
                        .message = "no path leads from any node to switch " +
                                   graph.switch_name(static_cast<SwitchId>(root_.value_or(0))),
                        .hint = "use a switch with links",
                        .where = ""}});
    // packets never wait for each other around a ring, so no ring needs a bubble
    return {table.table(), LaneRules().breaking_rings()};
  }

  std::optional<std::int64_t> root_;
};

class Layered : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "most_lanes",
                      .help = "maximum number of lanes; a network that needs more is refused",
                      .at_least = 1,
                      .at_most = 255},
                     most_lanes_);
  }
  bool single_path() const override { return true; }
  // The lane depends on the source, but the ports do not.
  bool by_destination() const override { return true; }
  bool routes(const Shape&) const override { return true; }
  bool avoids_failures(const Shape&) const override { return true; }

 private:
  virtual std::optional<Layers> layers_of(const Graph& graph, const RouteTable& table,
                                          std::uint32_t most) const = 0;
  Routes routes_of(const Graph& graph) const override {
    RouteTable table = balanced_shortest_paths(graph);
    auto layers = layers_of(graph, table, static_cast<std::uint32_t>(most_lanes_));
    if (!layers)
      throw SpecError({{.key = "routing.most_lanes",
                        .message = "the paths of this network need more than " + std::to_string(most_lanes_) +
                                   (most_lanes_ == 1 ? " lane" : " lanes") + " to be free of cycles",
                        .hint = "use more lanes, or \"up-down\", which needs one",
                        .where = ""}});
    return in_layers(graph, std::move(table), std::move(*layers));
  }

  std::int64_t most_lanes_ = 8;
};

class Lash final : public Layered {
  std::optional<Layers> layers_of(const Graph& graph, const RouteTable& table,
                                  std::uint32_t most) const override {
    return layers_by_first_fit(graph, table, most);
  }
};

class Dfsssp final : public Layered {
  std::optional<Layers> layers_of(const Graph& graph, const RouteTable& table,
                                  std::uint32_t most) const override {
    return layers_by_weakest_edge(graph, table, most);
  }
};

}  // namespace

Entry<Routing> up_down() {
  return {"up-down", "any graph: up towards the root of a spanning tree, then down; one lane",
          "Schroeder et al., IEEE J. Selected Areas in Communications 9(8), 1991",
          make_entry<Routing, UpDown>};
}
Entry<Routing> ecmp() {
  return {"ecmp",
          "one of all shortest paths for each pair of nodes, chosen by a hash; refused if these paths can "
          "deadlock",
          "Hopps, RFC 2992, 2000", make_entry<Routing, Ecmp>};
}
Entry<Routing> spray() {
  return {"spray", "a random one of all shortest paths for each packet; refused if these paths can deadlock",
          "Dixit et al., INFOCOM 2013", make_entry<Routing, Spray>};
}
Entry<Routing> lash() {
  return {"lash", "any graph: shortest paths, each in the first lane that stays free of cycles",
          "Skeie, Lysne and Theiss, IPDPS 2002", make_entry<Routing, Lash>};
}
Entry<Routing> dfsssp() {
  return {
      "dfsssp",
      "any graph: shortest paths spread over the links, with lanes that break cycles where they are weakest",
      "Domke, Hoefler and Nagel, IPDPS 2011", make_entry<Routing, Dfsssp>};
}

}  // namespace headway
