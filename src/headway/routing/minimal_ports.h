// SPDX-License-Identifier: Apache-2.0
// Minimal adaptive routing: all ports of a switch that bring a packet nearer to its destination.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "headway/base/divisor.h"
#include "headway/base/ids.h"
#include "headway/routing/formulas.h"
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
  // Choice: of parallel links, the destination's number determines one, as in dimension-order routing.
  explicit MinimalPorts(const HyperXShape& shape);

  PortList at(SwitchId sw, NodeId destination) const;

 private:
  struct Dimension {
    GridPlaces places;
    std::uint32_t first_port = 0;  // in a grid: the port to the lower neighbour
    std::uint32_t width = 1;       // parallel links in a HyperX
  };
  void add_grid_ports(const Dimension& dimension, std::uint32_t from, std::uint32_t to, PortList& list) const;

  std::vector<Dimension> dimensions_;
  Divisor nodes_per_switch_;
  bool fully_linked_ = false;  // all switches of a line, as in a HyperX
  bool wraps_ = false;
};

}  // namespace headway
