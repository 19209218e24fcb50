// SPDX-License-Identifier: Apache-2.0
// What several topologies have in common: how large they may be, nodes in the order of the switches, grids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/topology/topology.h"

namespace headway {

inline constexpr std::int64_t kMostNodes = 1LL << 24;         // and switches
inline constexpr std::int64_t kMostNetworkPorts = 1LL << 28;  // of all switches
inline constexpr std::int64_t kMostNodesPerSwitch = 65'000;

// Node n is at switch n / per_switch, at its port n % per_switch.
void connect_nodes(Graph& graph, std::uint32_t per_switch, const Link& link);

// A grid has at most eight dimensions. Reports another number; true if this one is valid.
bool check_sides(const std::vector<std::int64_t>& sides, Mistakes& mistakes);
inline constexpr char kSidesHelp[] = "number of switches along each dimension, such as [8, 8] or [8, 8, 4]";
// Of a grid; kMostNodes + 1 stands for all that are too many.
std::int64_t switches_of_grid(const std::vector<std::int64_t>& sides);

}  // namespace headway
