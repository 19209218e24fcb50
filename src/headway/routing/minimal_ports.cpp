// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/minimal_ports.h"

#include <map>
#include <utility>

namespace headway {
namespace {

constexpr std::uint64_t kLargestTable = 1 << 17;  // entries: half a megabyte

}  // namespace

MinimalPorts::MinimalPorts(const GridShape& shape)
    : per_switch_(shape.nodes_per_switch), nodes_per_switch_(shape.nodes_per_switch), wraps_(shape.wraps) {
  for (std::uint32_t d = 0; d < shape.sides.size(); ++d)
    dimensions_.push_back({GridPlaces(shape.sides, d), shape.lower_port(d), 1});
  make_table(shape.sides, shape.nodes_per_switch);
}

MinimalPorts::MinimalPorts(const HyperXShape& shape)
    : per_switch_(shape.nodes_per_switch), nodes_per_switch_(shape.nodes_per_switch), fully_linked_(true) {
  for (std::uint32_t d = 0; d < shape.sides.size(); ++d)
    dimensions_.push_back({GridPlaces(shape.sides, d), shape.first_port(d), shape.widths[d]});
  make_table(shape.sides, shape.nodes_per_switch);
}

void MinimalPorts::make_table(const std::vector<std::uint32_t>& sides, std::uint32_t nodes_per_switch) {
  std::uint64_t switches = 1;
  for (const std::uint32_t side : sides) switches *= side;
  if (switches * switches * nodes_per_switch > kLargestTable) return;
  nodes_ = static_cast<std::uint32_t>(switches * nodes_per_switch);
  std::map<std::vector<std::uint16_t>, std::size_t> first_of;  // list -> index in `ports`
  std::vector<std::uint16_t> ports;
  std::vector<PortRange> table;
  for (SwitchId sw = 0; sw < switches; ++sw)
    for (NodeId node = 0; node < nodes_; ++node) {
      const PortList list = compute(sw, node);
      const std::vector<std::uint16_t> key(list.ports.begin(),
                                           list.ports.begin() + std::ptrdiff_t{list.count});
      const auto [known, is_new] = first_of.try_emplace(key, ports.size());
      if (is_new) ports.insert(ports.end(), key.begin(), key.end());
      if (known->second > UINT16_MAX) return;
      table.push_back({static_cast<std::uint16_t>(known->second), static_cast<std::uint16_t>(list.count)});
    }
  ports.push_back(0);  // so that the index of an empty list is valid
  table_ = std::move(table);
  listed_ports_ = std::move(ports);
}

PortList MinimalPorts::compute(SwitchId sw, NodeId destination) const {
  PortList list;
  const SwitchId to = nodes_per_switch_.quotient(destination);
  const std::uint32_t number =
      fully_linked_ ? number_among_parallel(dimensions_, to, destination - to * per_switch_, per_switch_) : 0;
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t from = dimension.places.place(sw), wanted = dimension.places.place(to);
    if (from == wanted) continue;
    if (fully_linked_)
      list.add(dimension.first_port + (wanted - (wanted > from ? 1 : 0)) * dimension.width +
               (dimension.width == 1 ? 0 : number % dimension.width));
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
