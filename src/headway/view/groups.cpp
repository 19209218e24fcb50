// SPDX-License-Identifier: Apache-2.0
// Dragonflies: a ring of groups. The switches of a group form a ring, too, with their links inside, their
// nodes outside, and their links to other groups at the side that faces the middle. All groups look alike
// except for that side.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "headway/view/layout.h"

namespace headway {
namespace {

constexpr std::uint32_t kMostNames = 64;

// Number `index` of `count` places on a circle, from its top clockwise.
Place on_circle(std::uint32_t index, std::uint32_t count, double radius) {
  const double angle = 2 * std::numbers::pi * index / count;
  return {radius * std::sin(angle), -radius * std::cos(angle)};
}

// The radius of a circle on which `count` neighbours have this distance.
double radius_for(std::uint32_t count, double apart) {
  return count == 1 ? 0 : apart / (2 * std::sin(std::numbers::pi / count));
}

char side_towards(Place to) {
  if (std::abs(to.y) >= std::abs(to.x)) return to.y > 0 ? 'b' : 't';
  return to.x > 0 ? 'r' : 'l';
}
Place towards(char side) {
  return {side == 'l' ? -1.0 : side == 'r' ? 1.0 : 0.0, side == 't' ? -1.0 : side == 'b' ? 1.0 : 0.0};
}
Place operator+(Place a, Place b) { return {a.x + b.x, a.y + b.y}; }
Place operator*(double factor, Place a) { return {factor * a.x, factor * a.y}; }

class Groups {
 public:
  explicit Groups(const DragonflyShape& shape) : shape_(shape) {
    const std::uint32_t local = shape.switches_per_group - 1;
    box_ = std::max(kThick, 2.0 + std::max({shape.nodes_per_switch, local, shape.global_ports}));
    // Radii of circles around a box with its nodes, and around a group.
    const double switch_radius = std::hypot(box_ / 2, box_ / 2 + kToNodes + 0.5) + kSpace / 2;
    switches_radius_ = radius_for(shape.switches_per_group, 2 * switch_radius);
    group_radius_ = switches_radius_ + switch_radius;
    ring_radius_ = radius_for(shape.groups, 2 * group_radius_ + kThick);
  }

  NetworkLayout make() {
    NetworkLayout layout;
    for (std::uint32_t group = 0; group < shape_.groups; ++group) {
      const Place centre = on_circle(group, shape_.groups, ring_radius_);
      for (std::uint32_t of_group = 0; of_group < shape_.switches_per_group; ++of_group)
        add_switch(layout, centre, of_group);
    }
    name(layout);
    return layout;
  }

 private:
  void add_switch(NetworkLayout& layout, Place centre, std::uint32_t of_group) const {
    const Place from_centre = on_circle(of_group, shape_.switches_per_group, switches_radius_);
    const Place at = centre + from_centre;
    const char out = side_towards(from_centre);
    const bool level = out == 't' || out == 'b';
    layout.switches.push_back({at, box_, box_});
    layout.sides.append(shape_.nodes_per_switch, out);
    layout.sides.append(shape_.switches_per_group - 1, side_towards(-1.0 * towards(out)));
    layout.sides.append(shape_.global_ports, level ? (at.x > 0 ? 'l' : 'r') : (at.y > 0 ? 't' : 'b'));
    for (std::uint32_t node = 0; node < shape_.nodes_per_switch; ++node) {
      const double along = node + 0.5 - shape_.nodes_per_switch / 2.0;
      layout.nodes.push_back(at + (box_ / 2 + kToNodes) * towards(out) +
                             (level ? Place{along, 0} : Place{0, along}));
    }
  }

  // Names are outside the ring. If there are many groups, only some have names.
  void name(NetworkLayout& layout) const {
    const std::uint32_t every = (shape_.groups + kMostNames - 1) / kMostNames;
    for (std::uint32_t group = 0; group < shape_.groups; group += every)
      layout.names.push_back({(group == 0 ? "group " : "") + std::to_string(group),
                              on_circle(group, shape_.groups, ring_radius_ + group_radius_ + kThick)});
  }

  const DragonflyShape& shape_;
  double box_ = 0, switches_radius_ = 0, group_radius_ = 0, ring_radius_ = 0;
};

}  // namespace

NetworkLayout groups_layout(const DragonflyShape& shape) { return Groups(shape).make(); }

}  // namespace headway
