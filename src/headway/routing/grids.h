// SPDX-License-Identifier: Apache-2.0
// Common parts of the routings of grids and HyperX, which route one dimension after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/routing/routes.h"
#include "headway/topology/graph.h"

namespace headway {

// The dimensions in ascending order.
std::vector<std::uint32_t> ascending(std::size_t dimensions);

// Routes to the nodes of a graph by a formula.
RouteTable to_nodes(const Graph& graph, RouteTable::Formula formula);

// Two lanes for each part of the path of a packet in a torus: packets change to the second lane when they
// cross the link between the last and the first switch of a line, its dateline, so that no packet waits
// around the whole ring (Dally and Seitz, IEEE Trans. Computers 36(5), 1987).
LaneRules torus_lanes(const Graph& graph, const GridShape& shape, std::uint32_t parts_of_path);

}  // namespace headway
