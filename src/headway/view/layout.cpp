// SPDX-License-Identifier: Apache-2.0
#include "headway/view/layout.h"

#include <algorithm>
#include <variant>

#include "headway/view/layers.h"

namespace headway {
namespace {

constexpr double kThick = 3;  // a box with ports at two sides

// The stages from the leaves up. The numbers of the switches of a stage are in the order of their subtrees,
// so links cross within their subtree only.
NetworkLayout tree_layout(const Graph& graph, const TreeShape& shape) {
  NetworkLayout layout;
  layout.stretch = Stretch::y;
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
  layout.stretch = Stretch::x;
  const std::uint32_t r = shape.radix, per_stage = graph.switches() / shape.stages;
  const double pitch = r + kSpace;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    layout.switches.push_back(
        {{(sw / per_stage + 1) * kRow, sw % per_stage * pitch + r / 2.0}, kThick, double(r)});
  layout.sides.assign(graph.switch_ports(), 'x');
  const double end = (shape.stages + 1) * kRow;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    layout.nodes.push_back({0, node / r * pitch + node % r + 0.5});
    layout.sinks.push_back({end, layout.nodes.back().y});
  }
  for (std::uint32_t stage = 0; stage < shape.stages; ++stage)
    layout.names.push_back({"stage " + std::to_string(stage), {(stage + 1) * kRow, -2 * kSpace}});
  layout.names.push_back({"nodes send", {0, -2 * kSpace}});
  layout.names.push_back({"nodes receive", {end, -2 * kSpace}});
  return layout;
}

// The first two dimensions make a slice. Every further one lines up copies of what there is, along the side
// that is the shorter one.
class GridLayout {
 public:
  GridLayout(const Graph& graph, const GridShape& shape) : graph_(graph), shape_(shape) {
    const double ports_below = shape.nodes_per_switch + 1.0;
    box_ = std::max(kThick, ports_below);
    pitch_ = box_ + 2 * kThick;
    double width = pitch_, height = pitch_;
    for (std::size_t d = 0; d < shape.sides.size(); ++d) {
      const bool along_x = d == 0 || (d != 1 && width <= height);
      double& extent = along_x ? width : height;
      along_x_.push_back(along_x);
      stride_.push_back(extent + (d > 1 ? pitch_ : 0));
      extent = stride_.back() * shape.sides[d];
    }
  }

  NetworkLayout make() {
    NetworkLayout layout;
    layout.longest = 1.5 * pitch_;
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
      layout.switches.push_back({place(sw), box_, box_});
      layout.sides += sides();
    }
    const std::uint32_t here = shape_.nodes_per_switch;
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      Place at = layout.switches[node / here].centre;
      at.x += node % here + 0.5 - box_ / 2;
      at.y += box_ / 2 + 2.5;
      layout.nodes.push_back(at);
    }
    name_slices(layout);
    return layout;
  }

 private:
  Place place(SwitchId sw) const {
    Place at;
    for (std::size_t d = 0; d < shape_.sides.size(); sw /= shape_.sides[d++])
      (along_x_[d] ? at.x : at.y) += sw % shape_.sides[d] * stride_[d];
    return at;
  }

  std::string sides() const {
    std::string of_switch(shape_.nodes_per_switch, 'b');
    for (const bool along_x : along_x_) of_switch += along_x ? "lr" : "tb";
    return of_switch;
  }

  void name_slices(NetworkLayout& layout) const {
    if (shape_.sides.size() < 3) return;
    const SwitchId slice = shape_.sides[0] * shape_.sides[1];
    for (SwitchId first = 0; first < graph_.switches(); first += slice) {
      std::string name = "slice";
      SwitchId rest = first / slice;
      for (std::size_t d = 2; d < shape_.sides.size(); rest /= shape_.sides[d++])
        name += ' ' + std::to_string(rest % shape_.sides[d]);
      const Place at = layout.switches[first].centre;
      layout.names.push_back({name, {at.x, at.y - pitch_ / 2 - kSpace}});
    }
  }

  const Graph& graph_;
  const GridShape& shape_;
  double box_ = 0, pitch_ = 0;
  std::vector<bool> along_x_;   // [dimension]
  std::vector<double> stride_;  // [dimension]
};

// The nodes in two rows, above and below the switch.
NetworkLayout single_layout(const Graph& graph) {
  NetworkLayout layout;
  layout.stretch = Stretch::y;
  const std::uint32_t below = (graph.nodes() + 1) / 2;
  layout.switches.push_back({{below / 2.0, 0}, double(below), kThick});
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const bool is_below = node < below;
    layout.nodes.push_back({(is_below ? node : node - below) + 0.5, is_below ? kRow : -kRow});
    layout.sides += is_below ? 'b' : 't';
  }
  return layout;
}

}  // namespace

NetworkLayout layout_of(const Graph& graph) {
  const Shape& shape = graph.shape();
  if (const auto* tree = std::get_if<TreeShape>(&shape)) return tree_layout(graph, *tree);
  if (const auto* stages = std::get_if<StagesShape>(&shape)) return stages_layout(graph, *stages);
  if (const auto* grid = std::get_if<GridShape>(&shape)) return GridLayout(graph, *grid).make();
  if (std::holds_alternative<SingleSwitchShape>(shape)) return single_layout(graph);
  return layered_layout(graph);
}

}  // namespace headway
