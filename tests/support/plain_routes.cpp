// SPDX-License-Identifier: Apache-2.0
#include "tests/support/plain_routes.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "headway/routing/any_graph.h"
#include "headway/topology/distances.h"

namespace headway::test {

RouteTable plain_balanced_paths(const Graph& graph) {
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

namespace {

// Up*/down* (routing/up_down.cpp).
class PlainUpDown {
 public:
  PlainUpDown(const Graph& graph, std::vector<SwitchId> roots, bool by_destinations)
      : graph_(graph),
        by_destinations_(by_destinations),
        rank_(graph.switches()),
        load_(graph.ports()),
        nodes_at_(graph.switches()) {
    for (NodeId node = 0; node < graph.nodes(); ++node) ++nodes_at_[switch_from(graph, node)];
    std::vector<bool> seen(graph.switches());
    const auto search = [&](const std::vector<SwitchId>& from) {
      std::size_t i = order_.size();
      order_.insert(order_.end(), from.begin(), from.end());
      for (const SwitchId sw : from) seen[sw] = true;
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
    std::ranges::sort(roots);
    search(roots);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)  // parts that failures have cut off
      if (!seen[sw]) search({sw});
  }

  RouteTable table() {
    PathTable table(graph_);
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      find(switch_to(graph_, node));
      table.set(node, output_);
      count();
    }
    return std::move(table).routes();
  }

 private:
  // Adds the paths to the destination to the loads of their links.
  void count() {
    std::vector<SwitchId> farthest_first;
    for (const SwitchId sw : order_)
      if (output_[sw] != kNone) farthest_first.push_back(sw);
    if (by_destinations_) {
      for (const SwitchId sw : farthest_first) ++load_[output_[sw]];
      return;
    }
    std::ranges::sort(farthest_first, std::greater<>(), [&](SwitchId sw) { return links_[sw]; });
    std::vector<std::uint64_t> through(nodes_at_.begin(), nodes_at_.end());  // [switch] paths
    for (const SwitchId sw : farthest_first) {
      load_[output_[sw]] += through[sw];
      through[graph_.switch_of(graph_.peer_of(output_[sw]))] += through[sw];
    }
  }

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
    for (const SwitchId sw : order_) {  // the others over up links, from the roots on
      if (goes_down[sw]) continue;
      for_each_link_from(graph_, sw, [&](PortId output, SwitchId above) {
        if (rank_[above] < rank_[sw] && links_[above] != kNone) offer(sw, output, links_[above] + 1);
      });
    }
  }

  void offer(SwitchId sw, PortId output, std::uint32_t links) {
    const auto is_better = [&] {
      return std::tuple(links, load_[output], output) <
             std::tuple(links_[sw], load_[output_[sw]], output_[sw]);
    };
    if (output_[sw] != kNone ? !is_better() : links_[sw] != kNone) return;
    links_[sw] = links;
    output_[sw] = output;
  }

  const Graph& graph_;
  bool by_destinations_;
  std::vector<SwitchId> order_;      // from the roots on
  std::vector<std::uint32_t> rank_;  // [switch] its place in the order
  // [output] paths between nodes over it, or destinations that its switch reaches over it
  std::vector<std::uint64_t> load_;
  std::vector<std::uint32_t> nodes_at_;  // [switch]
  std::vector<std::uint32_t> links_;     // [switch] number of links to the destination
  std::vector<PortId> output_;           // [switch]
};

// The links between switches on the path from a switch to a node, as outputs.
std::vector<PortId> path_of(const Graph& graph, const RouteTable& table, SwitchId sw, NodeId destination) {
  std::vector<PortId> path;
  if (table.at(sw, destination).count == 0) return path;  // no path
  for (;;) {
    const PortId output = graph.port(sw, table.at(sw, destination).first);
    const PortId input = graph.peer_of(output);
    if (graph.is_node_port(input)) return path;
    path.push_back(output);
    sw = graph.switch_of(input);
  }
}

bool fits(AcyclicGraph& layer, const std::vector<PortId>& path) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (layer.add(path[i], path[i + 1])) continue;
    for (; i > 0; --i) layer.remove(path[i - 1], path[i]);
    return false;
  }
  return true;
}

}  // namespace

RouteTable plain_up_down(const Graph& graph, SwitchId root, bool by_destinations) {
  return PlainUpDown(graph, {root}, by_destinations).table();
}

std::optional<Layers> plain_first_fit(const Graph& graph, const RouteTable& table, std::uint32_t most) {
  Layers layers;
  layers.of_path.resize(std::size_t{graph.switches()} * graph.nodes());
  std::vector<AcyclicGraph> graphs;
  graphs.emplace_back(graph.ports());
  for (const SwitchId sw : switches_with_nodes(graph, switch_from))
    for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
      const std::vector<PortId> path = path_of(graph, table, sw, destination);
      std::uint32_t layer = 0;
      while (!fits(graphs[layer], path)) {
        if (++layer == graphs.size()) {
          if (layer == most) return std::nullopt;
          graphs.emplace_back(graph.ports());
        }
      }
      layers.of_path[std::size_t{sw} * graph.nodes() + destination] = static_cast<std::uint8_t>(layer);
    }
  layers.count = static_cast<std::uint32_t>(graphs.size());
  return layers;
}

}  // namespace headway::test
