// SPDX-License-Identifier: Apache-2.0
// Common parts of the routings of regular networks: direct (minimal) routes and routes with detours, with the
// link classes and lanes that keep packets from waiting in a cycle.
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

// Dimension-order routes of a torus with two lanes: packets change to the second lane when they cross the
// link between the last and the first switch of a line, its dateline, so that no packet waits around the
// whole ring (Dally and Seitz, IEEE Trans. Computers 36(5), 1987).
Routes with_datelines(const Graph& graph, RouteTable table);

// Minimal routes of networks of small diameter. In a dragonfly, a packet changes to the next lane with every
// global link (Kim et al., ISCA 2008, section 4); in a slim fly, with every link between switches (Besta and
// Hoefler, SC 2014, section IV-D); in a dragonfly+ it stays in one lane.
bool has_minimal_routes(const Shape& shape);
Routes minimal_routes(const Graph& graph);

// Minimal adaptive routes of grids and HyperX: choices, and dimension-order routing as the escape, in a torus
// with datelines.
bool has_choices_and_escape(const Shape& shape);
Routes routes_with_escape(const Graph& graph);

// Returns true if packets can take detours in networks of this shape.
bool has_detours(const Shape& shape);
// Returns true if waypoints have several switches, so that a later switch of the source's part can decide on
// the detour.
bool has_wide_parts(const Shape& shape);
// Routes over a random waypoint (Valiant, "A scheme for fast parallel communication", 1982). In grids and
// HyperX the waypoint is a switch; dimensions are in ascending order before and after it, in separate lanes.
// In slim flies it is a switch, and the lane follows the number of links. In dragonflies and dragonflies+ it
// is a group, and the lane follows the number of global links.
Routes routes_with_detours(const Graph& graph, Detour kind, std::uint32_t bias);

}  // namespace headway
