// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/minimal_ports.h"

namespace headway {

MinimalPorts::MinimalPorts(const GridShape& shape)
    : nodes_per_switch_(shape.nodes_per_switch), wraps_(shape.wraps) {
  for (std::uint32_t d = 0; d < shape.sides.size(); ++d)
    dimensions_.push_back({GridPlaces(shape.sides, d), shape.lower_port(d), 1});
}

MinimalPorts::MinimalPorts(const HyperXShape& shape)
    : nodes_per_switch_(shape.nodes_per_switch), fully_linked_(true) {
  for (std::uint32_t d = 0; d < shape.sides.size(); ++d)
    dimensions_.push_back({GridPlaces(shape.sides, d), shape.first_port(d), shape.widths[d]});
}

PortList MinimalPorts::at(SwitchId sw, NodeId destination) const {
  PortList list;
  const SwitchId to = nodes_per_switch_.quotient(destination);
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t from = dimension.places.place(sw), wanted = dimension.places.place(to);
    if (from == wanted) continue;
    if (fully_linked_)
      list.add(dimension.first_port + (wanted - (wanted > from ? 1 : 0)) * dimension.width +
               destination % dimension.width);
    else
      add_grid_ports(dimension, from, wanted, list);
  }
  return list;
}

void MinimalPorts::add_grid_ports(const Dimension& dimension, std::uint32_t from, std::uint32_t to,
                                  PortList& list) const {
  const std::uint32_t lower = dimension.first_port, higher = lower + 1;
  if (!wraps_) return list.add(to > from ? higher : lower);
  const std::uint32_t up = to > from ? to - from : to + dimension.places.side() - from;
  const std::uint32_t down = dimension.places.side() - up;
  if (down <= up) list.add(lower);
  if (up <= down) list.add(higher);
}

}  // namespace headway
