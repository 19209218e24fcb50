// SPDX-License-Identifier: Apache-2.0
// The links of a fat-tree, for all fat-tree topologies, with original or permuted node labels.
#pragma once

#include "headway/topology/topology.h"

namespace headway {

inline constexpr std::int64_t kMaxTreeArity = 32767;      // 2k local port numbers have 16 bits
inline constexpr std::int64_t kMaxTreeNodes = 1LL << 24;  // keeps all port numbers within 32 bits

// Node n is attached at place shape.place_of[n] below the leaves.
Graph build_tree(const TreeShape& shape, const Link& link);

}  // namespace headway
