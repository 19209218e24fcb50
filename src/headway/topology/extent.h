// SPDX-License-Identifier: Apache-2.0
// How large a network is, counted over its links that work.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/topology/graph.h"

namespace headway {

// Links between switches; the two directions of a link count once.
std::uint64_t links_between_switches(const Graph& graph);

// Links between the two switches with nodes that are farthest apart, on a shortest way. None if some node
// cannot reach another.
std::optional<std::uint32_t> diameter(const Graph& graph);

// The fewest links, in one direction, between two halves of the nodes: the halves that the structure of the
// network has. None where it has no halves: files, slim flies, unidirectional stages, odd numbers of subtrees
// or groups, and grids in which this dimension has
// an odd side.
// - single switch: the links of half of the nodes;
// - tree: half of the subtrees at the top, cut above any stage;
// - grid, HyperX: cut across the dimension with the fewest links between its halves;
// - dragonflies: half of the groups. If their number is odd, as in the largest ones, half of the switches of
//   the group in the middle with each: its links are few beside the global ones.
std::optional<std::uint64_t> bisection(const Graph& graph);

}  // namespace headway
