// SPDX-License-Identifier: Apache-2.0
// The size of a network, counted over its working links.
#pragma once

#include <cstdint>
#include <optional>

#include "headway/topology/graph.h"

namespace headway {

// Links between switches; the two directions of a link count once.
std::uint64_t links_between_switches(const Graph& graph);

// Links on a shortest path between the two switches with nodes that are farthest apart. nullopt if some node
// cannot reach another one.
std::optional<std::uint32_t> diameter(const Graph& graph);

// The fewest links, in one direction, between two halves of the nodes. Only the halves that follow from the
// structure of the network are compared:
// - single switch: half of the nodes;
// - tree: half of the subtrees at the top, cut above any stage;
// - grid, HyperX: half of the dimension with the fewest links between its halves;
// - dragonflies: half of the groups. If their number is odd, as in the largest dragonflies, half of the
//   switches of the middle group with each; its links are few compared with the global ones.
// nullopt without such halves: files, slim flies, unidirectional stages, or an odd number of nodes (single
// switch), of subtrees, of switches in the dimension, or of switches in the middle group.
std::optional<std::uint64_t> bisection(const Graph& graph);

}  // namespace headway
