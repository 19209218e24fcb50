// SPDX-License-Identifier: Apache-2.0
// Divisions of a network into parts with few links between them: single switches, groups, planes and halves
// of grids, subtrees. No routing carries more out of a part than its links do.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

struct Division {
  std::uint32_t parts = 0;
  std::vector<std::uint32_t> part_of;              // [switch]; kNone: in no part
  std::function<std::string(std::uint32_t)> name;  // "group 3"
};

// Visits the divisions of a network. `most_halves`: at most as many for each dimension of a grid.
void visit_divisions(const Graph& graph, std::uint32_t most_halves,
                     const std::function<void(const Division&)>& visit);

}  // namespace headway
