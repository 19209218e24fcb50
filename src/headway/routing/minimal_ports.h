// SPDX-License-Identifier: Apache-2.0
// Minimal adaptive routing: all ports of a switch that bring a packet nearer to its destination.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "headway/base/divisor.h"
#include "headway/base/ids.h"
#include "headway/base/shared_vector.h"
#include "headway/routing/formulas.h"
#include "headway/routing/port_range.h"
#include "headway/topology/graph.h"

namespace headway {

struct PortList {
  static constexpr std::size_t kMost = 2 * 32;  // both directions of every dimension

  std::uint32_t count = 0;
  std::array<std::uint16_t, kMost> ports;

  void add(std::uint32_t port) { ports[count++] = static_cast<std::uint16_t>(port); }
};

// For grids and HyperX. The list is empty at the switch of the destination.
class MinimalPorts {
 public:
  explicit MinimalPorts(const GridShape& shape);
  // Choice: of parallel links, the destination determines one, as in dimension-order routing.
  explicit MinimalPorts(const HyperXShape& shape);

  // The ports of a list, which is in a table or, in large networks, in `room`.
  using Ports = std::span<const std::uint16_t>;
  [[gnu::always_inline]] Ports at(SwitchId sw, NodeId destination, PortList& room) const {
    if (table_.empty()) {
      room = compute(sw, destination);
      return {room.ports.data(), room.count};
    }
    const PortRange listed = table_[std::size_t{sw} * nodes_ + destination];
    return {&listed_ports_[listed.first], listed.count};
  }
  // Bytes of the tables that copies share.
  std::uint64_t bytes() const { return table_.bytes() + listed_ports_.bytes(); }

 private:
  struct Dimension {
    GridPlaces places;
    std::uint32_t first_port = 0;  // in a grid: the port to the lower neighbour
    std::uint32_t width = 1;       // parallel links in a HyperX
  };
  PortList compute(SwitchId sw, NodeId destination) const;
  void make_table(const std::vector<std::uint32_t>& sides, std::uint32_t nodes_per_switch);
  void add_grid_ports(const Dimension& dimension, std::uint32_t from, std::uint32_t to, PortList& list) const;

  std::vector<Dimension> dimensions_;
  std::uint32_t per_switch_;  // nodes
  Divisor nodes_per_switch_;
  bool fully_linked_ = false;  // all switches of a line, as in a HyperX
  bool wraps_ = false;
  std::uint32_t nodes_ = 0;
  SharedVector<PortRange> table_;             // [switch * nodes + node] indices in listed_ports_, or empty
  SharedVector<std::uint16_t> listed_ports_;  // every list once
};

}  // namespace headway
