// SPDX-License-Identifier: Apache-2.0
// The fat-tree of a buyer, who knows the ports of a switch, the number of nodes and how many of them may
// share a link upwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

struct FatTreeWishes {
  std::int64_t radix = 0;
  std::optional<std::int64_t> levels;  // if not given, the fewest with which the nodes fit
  std::int64_t nodes = 0;
  double oversubscription = 1;  // nodes of a leaf switch per port upwards
};

// The levels of the tree with the fewest switches, or none if there is none. Among trees with equally many
// switches, the one with most children low in the tree, because more pairs of nodes are then close. Every
// level above the leaves has as many ports upwards as downwards.
std::optional<std::vector<TreeLevel>> plan_fat_tree(const FatTreeWishes& wishes);

// What would fit instead.
std::string fat_tree_advice(const FatTreeWishes& wishes);

}  // namespace headway
