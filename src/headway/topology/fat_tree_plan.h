// SPDX-License-Identifier: Apache-2.0
// Plans a fat-tree from the ports of a switch, the number of nodes and the oversubscription.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

struct FatTreeRequest {
  std::int64_t radix = 0;
  std::optional<std::int64_t> levels;  // default: the fewest levels that hold the nodes
  std::int64_t nodes = 0;
  double oversubscription = 1;  // nodes per up port of a leaf switch
};

// Returns the levels of the tree with the fewest switches, or nullopt if no tree fits. Among trees with
// equally many switches, picks the one with the most children at the lowest levels, because more pairs of
// nodes are then close. Switches between the leaves and the top have as many up ports as down ports.
std::optional<std::vector<TreeLevel>> plan_fat_tree(const FatTreeRequest& request);

// Text that says what would fit instead.
std::string fat_tree_advice(const FatTreeRequest& request);

}  // namespace headway
