// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/formulas.h"

#include <algorithm>
#include <utility>

#include "headway/topology/distances.h"

namespace headway {
namespace {

std::uint32_t stride_of(const std::vector<std::uint32_t>& sides, std::uint32_t dimension) {
  std::uint32_t stride = 1;
  for (std::uint32_t d = 0; d < dimension; ++d) stride *= sides[d];
  return stride;
}

}  // namespace

GridPlaces::GridPlaces(const std::vector<std::uint32_t>& sides, std::uint32_t dimension)
    : side_divisor_(sides[dimension]),
      stride_divisor_(stride_of(sides, dimension)),
      side_(sides[dimension]) {}

GridRoutes::GridRoutes(const GridShape& shape, const std::vector<std::uint32_t>& order, bool to_switches)
    : nodes_per_switch_(to_switches ? 1 : shape.nodes_per_switch),
      nodes_per_switch_divisor_(nodes_per_switch_),
      wraps_(shape.wraps) {
  for (const std::uint32_t dimension : order)
    dimensions_.push_back(
        {GridPlaces(shape.sides, dimension), static_cast<std::uint16_t>(shape.lower_port(dimension))});
}

PortRange GridRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const SwitchId to = nodes_per_switch_divisor_.quotient(destination);
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t from = dimension.places.place(sw), wanted = dimension.places.place(to);
    if (from == wanted) continue;
    bool higher = wanted > from;
    if (wraps_) {
      const std::uint32_t up = higher ? wanted - from : wanted + dimension.places.side() - from;
      const std::uint32_t down = dimension.places.side() - up;
      // Choice: both directions are equally long between opposite switches; even switches use the upward
      // direction, so that both directions carry the same load.
      higher = up < down || (up == down && from % 2 == 0);
    }
    return {static_cast<std::uint16_t>(dimension.lower_port + (higher ? 1 : 0)), 1};
  }
  return {static_cast<std::uint16_t>(destination - to * nodes_per_switch_), 1};
}

HyperXRoutes::HyperXRoutes(const HyperXShape& shape, const std::vector<std::uint32_t>& order,
                           bool to_switches)
    : nodes_per_switch_(to_switches ? 1 : shape.nodes_per_switch),
      nodes_per_switch_divisor_(nodes_per_switch_),
      to_switches_(to_switches) {
  for (const std::uint32_t dimension : order)
    dimensions_.push_back({GridPlaces(shape.sides, dimension), shape.first_port(dimension),
                           shape.widths[dimension], Divisor(shape.widths[dimension])});
}

PortRange HyperXRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const SwitchId to = nodes_per_switch_divisor_.quotient(destination);
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t from = dimension.places.place(sw), wanted = dimension.places.place(to);
    if (from == wanted) continue;
    const std::uint32_t others_before = wanted - (wanted > from ? 1 : 0);
    const std::uint32_t first = dimension.first_port + others_before * dimension.width;
    if (to_switches_) return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(dimension.width)};
    const std::uint32_t copy = destination - dimension.width_divisor.quotient(destination) * dimension.width;
    return {static_cast<std::uint16_t>(first + copy), 1};
  }
  return {static_cast<std::uint16_t>(destination - to * nodes_per_switch_), 1};
}

bool HyperXRoutes::by_switch() const {
  return std::ranges::all_of(dimensions_, [](const Dimension& dimension) { return dimension.width == 1; });
}

TreeRoutes::TreeRoutes(const TreeShape& shape, bool by_destination)
    : place_of_(shape.place_of), by_destination_(by_destination) {
  std::vector<Switch> switches;
  for (std::uint32_t s = 0; s < shape.stages(); ++s) {
    const TreeLevel& level = shape.levels[s];
    const std::uint32_t ways = shape.ways(s);
    stages_.push_back({Divisor(shape.places_below(s) / level.children), Divisor(level.children),
                       Divisor(ways), level.children, level.links, shape.up_ports(s)});
    for (std::uint32_t o = 0; o < shape.switches(s); ++o) switches.push_back({s, o / ways});
  }
  switches_ = std::move(switches);
}

PortRange TreeRoutes::at(SwitchId sw, NodeId destination) const {
  const Switch& here = switches_[sw];
  const Stage& stage = stages_[here.stage];
  const NodeId to = place(destination);
  const std::uint32_t child = stage.below_child.quotient(to);  // numbered among all children of the stage
  const std::uint32_t subtree = stage.children_divisor.quotient(child);
  std::uint32_t first = stage.children * stage.links, count = stage.up_ports;
  if (subtree == here.subtree) {
    first = (child - subtree * stage.children) * stage.links;
    count = stage.links;
  }
  if (by_destination_) {
    first += stage.ways.quotient(to) % count;
    count = 1;
  }
  return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)};
}

DragonflyRoutes::DragonflyRoutes(const DragonflyShape& shape, bool to_groups)
    : shape_(shape),
      to_groups_(to_groups),
      copies_(shape.copies()),
      nodes_divisor_(shape.nodes_per_switch),
      switches_divisor_(shape.switches_per_group),
      global_divisor_(shape.global_ports),
      copies_divisor_(shape.copies()) {}

PortRange DragonflyRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const std::uint32_t group = switches_divisor_.quotient(sw);
  const std::uint32_t here = sw - group * shape_.switches_per_group;
  if (to_groups_) return to_group(group, here, destination, sw);
  const SwitchId to = nodes_divisor_.quotient(destination);
  if (to == sw) return {static_cast<std::uint16_t>(destination - to * shape_.nodes_per_switch), 1};
  const std::uint32_t other = switches_divisor_.quotient(to);
  return other == group ? local_port(here, to - other * shape_.switches_per_group)
                        : to_group(group, here, other, destination);
}

PortRange DragonflyRoutes::to_group(std::uint32_t group, std::uint32_t here, std::uint32_t other,
                                    std::uint32_t destination) const {
  const std::uint32_t first = shape_.global_port(group, other), apart = shape_.groups - 1;
  for (std::uint32_t copy = 0; copy < copies_; ++copy) {
    const std::uint32_t number = first + copy * apart, there = global_divisor_.quotient(number);
    if (there == here)
      return {static_cast<std::uint16_t>(shape_.first_global_port() + number - there * shape_.global_ports),
              1};
  }
  const std::uint32_t copy = destination - copies_divisor_.quotient(destination) * copies_;
  return local_port(here, global_divisor_.quotient(first + copy * apart));
}

PortRange DragonflyRoutes::local_port(std::uint32_t here, std::uint32_t there) const {
  return {static_cast<std::uint16_t>(shape_.nodes_per_switch + there - (there > here ? 1 : 0)), 1};
}

DragonflyPlusRoutes::DragonflyPlusRoutes(const DragonflyPlusShape& shape, bool to_groups)
    : shape_(shape),
      to_groups_(to_groups),
      copies_(shape.copies()),
      nodes_divisor_(shape.nodes_per_leaf),
      leaves_divisor_(shape.leaves),
      spines_divisor_(shape.spines),
      switches_divisor_(shape.switches_per_group()),
      global_divisor_(shape.global_ports),
      copies_divisor_(shape.copies()) {}

PortRange DragonflyPlusRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const std::uint32_t group = switches_divisor_.quotient(sw);
  const std::uint32_t here = sw - group * shape_.switches_per_group();
  if (to_groups_) return to_group(group, here, destination, sw);
  const std::uint32_t to_leaf = nodes_divisor_.quotient(destination);  // among all leaves
  const std::uint32_t other = leaves_divisor_.quotient(to_leaf), there = to_leaf - other * shape_.leaves;
  if (other != group) return to_group(group, here, other, destination);
  std::uint32_t port = there;  // at a spine
  if (here < shape_.leaves) {
    const std::uint32_t node = destination - to_leaf * shape_.nodes_per_leaf;
    const std::uint32_t spine = destination - spines_divisor_.quotient(destination) * shape_.spines;
    port = here == there ? node : shape_.nodes_per_leaf + spine;
  }
  return {static_cast<std::uint16_t>(port), 1};
}

PortRange DragonflyPlusRoutes::to_group(std::uint32_t group, std::uint32_t here, std::uint32_t other,
                                        std::uint32_t destination) const {
  const std::uint32_t first = shape_.global_port(group, other), apart = shape_.groups - 1;
  const std::uint32_t turn = destination - copies_divisor_.quotient(destination) * copies_;
  if (here < shape_.leaves) {
    const std::uint32_t spine = global_divisor_.quotient(first + turn * apart);
    return {static_cast<std::uint16_t>(shape_.nodes_per_leaf + spine), 1};
  }
  const std::uint32_t spine = here - shape_.leaves;
  for (std::uint32_t i = 0; i < copies_; ++i) {  // its own links, beginning with the destination's
    const std::uint32_t copy = turn + i < copies_ ? turn + i : turn + i - copies_;
    const std::uint32_t number = first + copy * apart;
    if (const std::uint32_t owner = global_divisor_.quotient(number); owner == spine)
      return {static_cast<std::uint16_t>(shape_.leaves + number - owner * shape_.global_ports), 1};
  }
  // down to a leaf, and from there over another spine
  return {static_cast<std::uint16_t>(destination - leaves_divisor_.quotient(destination) * shape_.leaves), 1};
}

SwitchRoutes::SwitchRoutes(const Graph& graph, std::uint32_t nodes_per_switch)
    : switches_(graph.switches()), nodes_per_switch_(nodes_per_switch), nodes_divisor_(nodes_per_switch) {
  std::vector<std::uint16_t> port_of(std::size_t{switches_} * switches_);
  for (SwitchId to = 0; to < switches_; ++to) {
    const Distances distances = distances_to(graph, to);
    for (const SwitchId sw : distances.order) {
      if (sw == to) continue;
      const std::vector<std::uint16_t> ports = ports_nearer(graph, sw, distances);
      port_of[std::size_t{sw} * switches_ + to] = ports[(sw + to) % ports.size()];
    }
  }
  port_of_ = std::move(port_of);
}

PortRange SwitchRoutes::at(SwitchId sw, std::uint32_t destination) const {
  const SwitchId to = to_switches_ ? destination : nodes_divisor_.quotient(destination);
  if (to == sw) return {static_cast<std::uint16_t>(destination - to * nodes_per_switch_), 1};
  return {port_of_[std::size_t{sw} * switches_ + to], 1};
}

}  // namespace headway
