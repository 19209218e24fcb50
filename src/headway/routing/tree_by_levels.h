// SPDX-License-Identifier: Apache-2.0
// Deterministic routes of a tree whose coordinates are unknown, such as one from a file.
#pragma once

#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

// All paths to a destination go up to one switch at the top, as far as they must, and then down; destinations
// are distributed over the links. In a tree with the regular links of a k-ary n-tree or of a PGFT, the links
// carry as many paths as with D-mod-K. Throws SpecError (key "routing.algorithm") if a link joins switches of
// one level, or if no switch at the top has links down to all nodes.
RouteTable tree_by_levels(const Graph& graph);

}  // namespace headway
