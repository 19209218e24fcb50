// SPDX-License-Identifier: Apache-2.0
// Networks whose switches are the points of a grid: meshes and tori, with links between neighbours, and
// HyperX, with links between all switches of a row or column. The first two dimensions form a slice. Each
// further dimension puts copies of the existing picture in a line, along its shorter side.
#include <algorithm>

#include "headway/view/layout.h"

namespace headway {
namespace {

constexpr double kLeastArc = 4;

// The positions of the points of a grid.
class Slices {
 public:
  Slices(const std::vector<std::uint32_t>& sides, double pitch_x, double pitch_y)
      : sides_(sides), pitch_y_(pitch_y) {
    double width = pitch_x, height = pitch_y;
    for (std::size_t d = 0; d < sides.size(); ++d) {
      const bool along_x = d == 0 || (d != 1 && width <= height);
      double& extent = along_x ? width : height;
      along_x_.push_back(along_x);
      stride_.push_back(extent + (d < 2 ? 0 : along_x ? pitch_x : pitch_y));
      extent = stride_.back() * sides[d];
    }
  }

  Place place(SwitchId sw) const {
    Place at;
    for (std::size_t d = 0; d < sides_.size(); sw /= sides_[d++])
      (along_x_[d] ? at.x : at.y) += sw % sides_[d] * stride_[d];
    return at;
  }

  bool along_x(std::size_t dimension) const { return along_x_[dimension]; }

  // The length of the longest row or column of a slice, between the centres of its ends.
  double longest_line() const {
    double longest = 0;
    for (std::size_t d = 0; d < std::min<std::size_t>(sides_.size(), 2); ++d)
      longest = std::max(longest, (sides_[d] - 1) * stride_[d]);
    return longest;
  }

  void name(NetworkLayout& layout) const {
    if (sides_.size() < 3) return;
    const SwitchId slice = sides_[0] * sides_[1];
    for (SwitchId first = 0; first < layout.switches.size(); first += slice) {
      std::string name = "slice";
      SwitchId rest = first / slice;
      for (std::size_t d = 2; d < sides_.size(); rest /= sides_[d++])
        name += ' ' + std::to_string(rest % sides_[d]);
      const Place at = layout.switches[first].centre;
      layout.names.push_back({name, {at.x, at.y - pitch_y_ / 2 - kSpace}});
    }
  }

 private:
  const std::vector<std::uint32_t>& sides_;
  double pitch_y_;
  std::vector<bool> along_x_;   // [dimension]
  std::vector<double> stride_;  // [dimension]
};

// Identical boxes, each with its nodes below.
void place_all(const Graph& graph, const Slices& slices, Box box, std::uint32_t nodes_per_switch,
               const std::string& sides, NetworkLayout& layout) {
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    box.centre = slices.place(sw);
    layout.switches.push_back(box);
    layout.sides += sides;
  }
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    Place at = layout.switches[node / nodes_per_switch].centre;
    at.x += (node % nodes_per_switch) + 0.5 - nodes_per_switch / 2.0;
    at.y += box.height / 2 + kToNodes;
    layout.nodes.push_back(at);
  }
  slices.name(layout);
}

}  // namespace

NetworkLayout grid_layout(const Graph& graph, const GridShape& shape) {
  const double side = std::max(kThick, shape.nodes_per_switch + 1.0), pitch = side + 2 * kThick;
  const Slices slices(shape.sides, pitch, pitch);
  std::string sides(shape.nodes_per_switch, 'b');
  for (std::size_t d = 0; d < shape.sides.size(); ++d) sides += slices.along_x(d) ? "lr" : "tb";
  NetworkLayout layout;
  layout.longest = 1.5 * pitch;
  place_all(graph, slices, {{}, side, side}, shape.nodes_per_switch, sides, layout);
  return layout;
}

// Links along rows are arcs above the boxes, links along columns are arcs beside them, so that no link is
// behind a box. Links between slices are drawn at their ends only.
NetworkLayout matrix_layout(const Graph& graph, const HyperXShape& shape) {
  const Slices directions(shape.sides, 1, 1);  // directions depend only on the ratio of the pitches
  std::string sides(shape.nodes_per_switch, 'b');
  for (std::uint32_t d = 0; d < shape.sides.size(); ++d)
    sides.append(std::size_t{shape.sides[d] - 1} * shape.widths[d], directions.along_x(d) ? 't' : 'l');
  const auto cells = [&](char side) { return static_cast<double>(std::ranges::count(sides, side)); };
  // Cells at the left must not overlap those at the top and bottom.
  const double width = std::max(kThick, std::max(cells('t'), cells('b')) + (cells('l') > 0 ? 2 : 0));
  const double height = std::max(kThick, cells('l') + 2);
  NetworkLayout layout;
  layout.arc = std::max({kLeastArc, width / 2, height / 2});
  const double pitch = std::max(width + kSpace, height + kToNodes + 1 + kSpace) + layout.arc;
  const Slices slices(shape.sides, pitch, pitch);
  layout.longest = slices.longest_line();
  place_all(graph, slices, {{}, width, height}, shape.nodes_per_switch, sides, layout);
  return layout;
}

}  // namespace headway
