// SPDX-License-Identifier: Apache-2.0
// The levels of a network that may be a tree, found without its coordinates, and deterministic routes of such
// a tree, as of one from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

// The level of a switch is its distance from the nearest switch with nodes.
struct Levels {
  std::vector<std::uint32_t> of;  // [switch], kNone for a switch that no link connects with nodes
  std::vector<SwitchId> tops;     // without a link to a higher level
  std::optional<PortId> within;   // an output that leads to a switch of the same level: there is no tree
};
Levels levels_of(const Graph& graph);

// All paths to a destination go up to one switch at the top, as far as they must, and then down; destinations
// are distributed over the links. In a tree with the regular links of a k-ary n-tree or of a PGFT, the links
// carry as many paths as with D-mod-K. Throws SpecError (key "routing.algorithm") if a link joins switches of
// one level, or if no switch at the top has links down to all nodes.
RouteTable tree_by_levels(const Graph& graph);

}  // namespace headway
