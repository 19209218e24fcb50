// SPDX-License-Identifier: Apache-2.0
// The nodes of a network as the patterns see them: their number and, in grids, their coordinates.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/topology/topology.h"

namespace headway {

struct NodeSpace {
  std::uint32_t nodes = 0;
  // Switches along each dimension; the first dimension varies fastest in their numbers, and the nodes of a
  // switch follow each other. Empty: the network has no coordinates.
  std::vector<std::uint32_t> sides = {};

  NodeSpace(std::uint32_t count)
      : nodes(count) {}  // NOLINT(google-explicit-constructor): a plain row of nodes
  NodeSpace(std::uint32_t count, std::vector<std::uint32_t> of_switches)
      : nodes(count), sides(std::move(of_switches)) {}

  // Of a topology without mistakes.
  static NodeSpace of(const Topology& topology) {
    const std::vector<std::int64_t> sides = topology.sides();
    return {static_cast<std::uint32_t>(topology.nodes()), {sides.begin(), sides.end()}};
  }
};

}  // namespace headway
