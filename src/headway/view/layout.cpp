// SPDX-License-Identifier: Apache-2.0
#include "headway/view/layout.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "headway/topology/aggregators.h"

namespace headway {
namespace {

// The stages from the leaves up. The numbers of the switches of a stage are in the order of their subtrees,
// so links cross within their subtree only.
NetworkLayout tree_layout(const Graph& graph, const TreeShape& shape) {
  NetworkLayout layout;
  layout.stretch = PulledApart::y;
  std::vector<double> box, width;  // [stage]
  for (std::uint32_t s = 0; s < shape.stages(); ++s) {
    const std::uint32_t down = shape.down_ports(s);
    box.push_back(std::max(down, shape.radix(s) - down));
    width.push_back(shape.switches(s) * (box.back() + kSpace));
  }
  const double widest = *std::ranges::max_element(width);
  const auto row = [&](int stage) { return (static_cast<int>(shape.stages()) - 1 - stage) * kRow; };
  for (std::uint32_t s = 0; s < shape.stages(); ++s) {
    const double pitch = box[s] + kSpace, left = (widest - width[s]) / 2;
    for (std::uint32_t o = 0; o < shape.switches(s); ++o) {
      layout.switches.push_back({{left + o * pitch + box[s] / 2, row(static_cast<int>(s))}, box[s], kThick});
      layout.sides.append(shape.down_ports(s), 'b').append(shape.radix(s) - shape.down_ports(s), 't');
    }
    layout.names.push_back({"stage " + std::to_string(s), {-kSpace, row(static_cast<int>(s))}});
  }
  const std::uint32_t of_leaf = shape.levels.front().children;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const NodeId place = shape.place(node);
    const double left = layout.switches[place / of_leaf].centre.x - of_leaf / 2.0;
    layout.nodes.push_back({left + place % of_leaf + 0.5, row(-1)});
  }
  layout.names.push_back({"nodes", {-kSpace, row(-1)}});
  return layout;
}

// Columns from the sources, at the left, to the destinations.
NetworkLayout stages_layout(const Graph& graph, const StagesShape& shape) {
  NetworkLayout layout;
  layout.stretch = PulledApart::x;
  const std::uint32_t r = shape.radix, per_stage = graph.switches() / shape.stages;
  const double pitch = r + kSpace;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const std::uint32_t column = sw / per_stage + 1;
    layout.switches.push_back({{column * kRow, sw % per_stage * pitch + r / 2.0}, kThick, double(r)});
  }
  layout.sides.assign(graph.switch_ports(), 'x');
  const double end = (shape.stages + 1) * kRow;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const std::uint32_t sw = node / r;
    layout.nodes.push_back({0, sw * pitch + node % r + 0.5});
    layout.sinks.push_back({end, layout.nodes.back().y});
  }
  for (std::uint32_t stage = 0; stage < shape.stages; ++stage)
    layout.names.push_back({"stage " + std::to_string(stage), {(stage + 1) * kRow, -2 * kSpace}});
  layout.names.push_back({"nodes send", {0, -2 * kSpace}});
  layout.names.push_back({"nodes receive", {end, -2 * kSpace}});
  return layout;
}

// The nodes in two rows, above and below the switch.
NetworkLayout single_layout(const Graph& graph) {
  NetworkLayout layout;
  layout.stretch = PulledApart::y;
  const std::uint32_t below = (graph.nodes() + 1) / 2;
  layout.switches.push_back({{below / 2.0, 0}, double(below), kThick});
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const bool is_below = node < below;
    layout.nodes.push_back({(is_below ? node : node - below) + 0.5, is_below ? kRow : -kRow});
    layout.sides += is_below ? 'b' : 't';
  }
  return layout;
}

// Aggregators are in the middles of their switches, where no port is.
void add_aggregators(const Graph& graph, NetworkLayout& layout) {
  std::string sides;
  std::size_t next = 0;  // port without aggregators
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
      const PortId peer = graph.peer_of(graph.port(sw, local));
      const bool is_of_aggregator =
          peer != kNone && graph.is_node_port(peer) && graph.node_of(peer) >= layout.nodes.size();
      sides += is_of_aggregator ? 'm' : layout.sides[next++];
    }
  layout.sides = std::move(sides);
  while (layout.nodes.size() < graph.nodes()) {
    const PortId at = graph.peer_of(graph.node_port(static_cast<NodeId>(layout.nodes.size())));
    layout.nodes.push_back(layout.switches[graph.switch_of(at)].centre);
  }
}

}  // namespace

NetworkLayout layout_of(const Graph& graph) {
  if (graph.nodes_and_aggregators() > graph.nodes_of_spec()) {
    NetworkLayout layout = layout_of(without_aggregators(graph));
    add_aggregators(graph, layout);
    return layout;
  }
  const Shape& shape = graph.shape();
  if (const auto* tree = std::get_if<TreeShape>(&shape)) return tree_layout(graph, *tree);
  if (const auto* stages = std::get_if<StagesShape>(&shape)) return stages_layout(graph, *stages);
  if (const auto* grid = std::get_if<GridShape>(&shape)) return grid_layout(graph, *grid);
  if (const auto* hyperx = std::get_if<HyperXShape>(&shape)) return matrix_layout(graph, *hyperx);
  if (const auto* dragonfly = std::get_if<DragonflyShape>(&shape)) return groups_layout(*dragonfly);
  if (std::holds_alternative<SingleSwitchShape>(shape)) return single_layout(graph);
  return layered_layout(graph);
}

}  // namespace headway
