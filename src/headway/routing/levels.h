// SPDX-License-Identifier: Apache-2.0
// The levels of a network that may be a tree, found without its coordinates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

// The level of a switch is its distance from the nearest switch with nodes.
struct Levels {
  std::vector<std::uint32_t> of;  // [switch], kNone for a switch that no link connects with nodes
  std::vector<SwitchId> tops;     // without a link to a higher level
  std::optional<PortId> within;   // an output that leads to a switch of the same level: there is no tree
};
Levels levels_of(const Graph& graph);

}  // namespace headway
