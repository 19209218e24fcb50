// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/layers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "headway/base/cancel_scope.h"
#include "headway/base/flat_map.h"
#include "headway/base/work_scope.h"
#include "headway/routing/dependencies.h"
#include "headway/topology/distances.h"

namespace headway {

AcyclicGraph::AcyclicGraph(std::uint32_t vertices)
    : out_(vertices), in_(vertices), place_(vertices), seen_(vertices) {
  for (std::uint32_t v = 0; v < vertices; ++v) place_[v] = v;
}

bool AcyclicGraph::add(std::uint32_t from, std::uint32_t to) {
  const auto found = std::ranges::find(out_[from], to, &Edge::to);
  if (found != out_[from].end()) {
    ++found->count;
    return true;
  }
  if (from == to || (place_[from] > place_[to] && !mend(from, to))) return false;
  out_[from].push_back({to, 1});
  in_[to].push_back(from);
  return true;
}

void AcyclicGraph::remove(std::uint32_t from, std::uint32_t to) {
  const auto found = std::ranges::find(out_[from], to, &Edge::to);
  if (--found->count > 0) return;
  out_[from].erase(found);
  in_[to].erase(std::ranges::find(in_[to], from));
}

// Reorders vertices for an edge against the order: those reachable from `to` move behind those that reach
// `from`, within the places that both have now. Returns false if `to` reaches `from`.
bool AcyclicGraph::mend(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t first = place_[to], last = place_[from];
  std::vector<std::uint32_t> after = {to}, before = {from};
  bool cycle = false;
  seen_[to] = true;
  for (std::size_t i = 0; i < after.size() && !cycle; ++i)
    for (const Edge& edge : out_[after[i]]) {
      cycle |= edge.to == from;
      if (place_[edge.to] > last || seen_[edge.to]) continue;
      seen_[edge.to] = true;
      after.push_back(edge.to);
    }
  for (const std::uint32_t v : after) seen_[v] = false;
  if (cycle) return false;
  seen_[from] = true;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (const std::uint32_t v : in_[before[i]]) {
      if (place_[v] < first || seen_[v]) continue;
      seen_[v] = true;
      before.push_back(v);
    }
  for (const std::uint32_t v : before) seen_[v] = false;
  const auto by_place = [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; };
  std::ranges::sort(after, by_place);
  std::ranges::sort(before, by_place);
  before.insert(before.end(), after.begin(), after.end());
  std::vector<std::uint32_t> places;
  for (const std::uint32_t v : before) places.push_back(place_[v]);
  std::ranges::sort(places);
  for (std::size_t i = 0; i < before.size(); ++i) place_[before[i]] = places[i];
  return true;
}

namespace {

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

// A layer to which paths are added. It remembers first dependencies that close a cycle with those of its
// paths, because many of the other paths that do not fit have one of them.
class GrowingLayer {
 public:
  explicit GrowingLayer(std::uint32_t channels) : graph_(channels) {}

  // Adds a path, or returns false.
  bool add(const std::vector<PortId>& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (closes_.value(edge(path, i)) == 1) return false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (graph_.add(path[i], path[i + 1])) continue;
      for (std::size_t added = i; added > 0; --added) graph_.remove(path[added - 1], path[added]);
      if (i == 0) closes_.at(edge(path, i), 1);
      return false;
    }
    return true;
  }

 private:
  static std::uint64_t edge(const std::vector<PortId>& path, std::size_t i) {
    return std::uint64_t{path[i]} << 32 | path[i + 1];
  }

  AcyclicGraph graph_;
  FlatMap<std::uint64_t, std::uint8_t> closes_;
};

}  // namespace

// Equal paths, as those to the nodes of a switch can be, fit into the same layer: a layer that had no room
// for the first has none for the others.
std::optional<Layers> layers_by_first_fit(const Graph& graph, const RouteTable& table, std::uint32_t most) {
  Layers layers;
  layers.of_path.resize(std::size_t{graph.switches()} * graph.nodes());
  const std::vector<NodeId> destinations = destinations_apart(graph, table.by_switch());
  std::vector<NodeId> like(graph.nodes(), kNone);  // [node] the destination with the same paths
  std::vector<NodeId> of_switch(graph.switches(), kNone);
  for (const NodeId destination : destinations)
    like[destination] = of_switch[switch_to(graph, destination)] = destination;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (like[node] == kNone) like[node] = of_switch[switch_to(graph, node)];
  std::vector<GrowingLayer> grown;
  grown.emplace_back(graph.ports());
  for (const SwitchId sw : switches_with_nodes(graph, switch_from)) {
    std::uint8_t* const of_path = &layers.of_path[std::size_t{sw} * graph.nodes()];
    for (const NodeId destination : destinations) {
      poll_cancel();
      const std::vector<PortId> path = path_of(graph, table, sw, destination);
      count_work(path.size());
      std::uint32_t layer = 0;
      while (!grown[layer].add(path)) {
        if (++layer == grown.size()) {
          if (layer == most) return std::nullopt;
          grown.emplace_back(graph.ports());
        }
      }
      of_path[destination] = static_cast<std::uint8_t>(layer);
    }
    for (NodeId node = 0; node < graph.nodes(); ++node) of_path[node] = of_path[like[node]];
  }
  layers.count = static_cast<std::uint32_t>(grown.size());
  return layers;
}

namespace {

// The dependencies between channels in one layer, with the paths over each.
class LayerOfPaths {
 public:
  LayerOfPaths(std::uint32_t channels, std::size_t paths)
      : next_(channels), state_(channels, kNew), removed_(paths) {}

  void add(std::size_t path, const std::vector<PortId>& outputs) {
    for (std::size_t i = 0; i + 1 < outputs.size(); ++i) {
      Dependency& dependency = next_[outputs[i]][outputs[i + 1]];
      dependency.paths.push_back(path);
      ++dependency.left;
    }
  }
  void remove(std::size_t path, const std::vector<PortId>& outputs) {
    removed_[path] = true;
    for (std::size_t i = 0; i + 1 < outputs.size(); ++i) {
      const auto edge = next_[outputs[i]].find(outputs[i + 1]);
      if (--edge->second.left == 0) next_[outputs[i]].erase(edge);
    }
  }

  // The paths over the weakest dependency of a cycle; empty if there is no cycle. Channels that reach no
  // cycle are not searched again, because dependencies are only removed.
  std::vector<std::size_t> weakest_of_cycle() {
    for (; start_ < next_.size(); ++start_) {
      std::vector<PortId> cycle = cycle_from(start_);
      if (cycle.empty()) continue;
      const Dependency* weakest = nullptr;
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const Dependency& dependency = next_[cycle[i]].at(cycle[(i + 1) % cycle.size()]);
        if (weakest == nullptr || dependency.left < weakest->left) weakest = &dependency;
      }
      std::vector<std::size_t> paths = weakest->paths;
      std::erase_if(paths, [&](std::size_t path) { return removed_[path]; });
      return paths;
    }
    return {};
  }

 private:
  enum State : std::uint8_t { kNew, kOpen, kDone };
  struct Dependency {
    std::vector<std::size_t> paths;  // also those that were removed
    std::size_t left = 0;            // without them
  };
  using Edges = std::map<PortId, Dependency>;

  // Depth-first search. Resets the open channels if it finds a cycle.
  std::vector<PortId> cycle_from(PortId first) {
    if (state_[first] != kNew) return {};
    std::vector<std::pair<PortId, Edges::const_iterator>> path;
    const auto open = [&](PortId channel) {
      state_[channel] = kOpen;
      path.emplace_back(channel, next_[channel].begin());
    };
    open(first);
    while (!path.empty()) {
      auto& [channel, edge] = path.back();
      if (edge == next_[channel].end()) {
        state_[channel] = kDone;
        path.pop_back();
        continue;
      }
      const PortId to = (edge++)->first;
      if (state_[to] == kNew) {
        open(to);
      } else if (state_[to] == kOpen) {
        std::vector<PortId> cycle;
        for (const auto& [at, unused] : path) {
          if (at == to || !cycle.empty()) cycle.push_back(at);
          state_[at] = kNew;
        }
        return cycle;
      }
    }
    return {};
  }

  std::vector<Edges> next_;          // [channel] by the next channel
  std::vector<std::uint8_t> state_;  // [channel]
  std::vector<bool> removed_;        // [path]
  PortId start_ = 0;
};

}  // namespace

std::optional<Layers> layers_by_weakest_edge(const Graph& graph, const RouteTable& table,
                                             std::uint32_t most) {
  Layers layers;
  if (find_dependency_cycle(graph, {table, LaneRules().breaking_rings()}).empty()) return layers;
  layers.of_path.resize(std::size_t{graph.switches()} * graph.nodes());
  const auto path_at = [&](std::size_t path) {
    return path_of(graph, table, static_cast<SwitchId>(path / graph.nodes()),
                   static_cast<NodeId>(path % graph.nodes()));
  };
  std::vector<std::size_t> paths;
  for (const SwitchId sw : switches_with_nodes(graph, switch_from))
    for (NodeId destination = 0; destination < graph.nodes(); ++destination)
      paths.push_back(std::size_t{sw} * graph.nodes() + destination);
  for (layers.count = 1;; ++layers.count) {
    LayerOfPaths layer(graph.ports(), layers.of_path.size());
    for (const std::size_t path : paths) {
      poll_cancel();
      layer.add(path, path_at(path));
    }
    std::vector<std::size_t> moved;
    for (auto weakest = layer.weakest_of_cycle(); !weakest.empty(); weakest = layer.weakest_of_cycle())
      for (const std::size_t path : weakest) {
        poll_cancel();
        layer.remove(path, path_at(path));
        moved.push_back(path);
      }
    if (moved.empty()) return layers;
    if (layers.count == most) return std::nullopt;
    for (const std::size_t path : moved) layers.of_path[path] = static_cast<std::uint8_t>(layers.count);
    paths = std::move(moved);
  }
}

Routes in_layers(const Graph& graph, RouteTable table, Layers layers) {
  if (layers.count == 1) return {std::move(table), LaneRules().breaking_rings()};
  return {std::move(table), LaneRules::lane_of_level(layers.count)
                                .with_first_levels(graph.nodes(), std::move(layers.of_path))
                                .breaking_rings()};
}

}  // namespace headway
