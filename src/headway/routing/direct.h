// SPDX-License-Identifier: Apache-2.0
// What routings of regular networks share: direct (minimal) routes, classes of links, lanes that keep packets
// from waiting in a cycle, and the same with detours.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/routing/routes.h"
#include "headway/topology/graph.h"

namespace headway {

// The dimensions in ascending order.
std::vector<std::uint32_t> ascending(std::size_t dimensions);

// Dimension-order routes of a torus with two lanes: packets change to the second when they cross the link
// between the last and the first switch of a line, its dateline, so that no packet waits around the whole
// ring (Dally and Seitz, IEEE Trans. Computers 36(5), 1987).
Routes with_datelines(const Graph& graph, RouteTable table);

// Minimal routes of networks of small diameter. In a dragonfly, a packet changes to the next lane with every
// global link (Kim et al., ISCA 2008, section 4); in a slim fly, with every link between switches (Besta and
// Hoefler, SC 2014, section IV-D); in a dragonfly+ it stays in one.
bool has_minimal_routes(const Shape& shape);
Routes minimal_routes(const Graph& graph);

// Minimal adaptive routes of grids and HyperX: choices, and dimension-order routing as the escape, in a torus
// with datelines.
bool has_choices_and_escape(const Shape& shape);
Routes routes_with_escape(const Graph& graph);

// Can packets take detours in networks of this shape?
bool has_detours(const Shape& shape);
// Parts of more than one switch, which a packet can enter before a switch decides on its detour.
bool has_wide_parts(const Shape& shape);
// In grids and HyperX, packets go by a random switch, along dimensions in ascending order before and after
// it, in lanes of their own (Valiant, "A scheme for fast parallel communication", 1982), and in slim flies,
// in lanes by links. In dragonflies and dragonflies+ they go by a random group, in lanes by global links.
Routes routes_with_detours(const Graph& graph, Detour kind, std::uint32_t bias);

}  // namespace headway
