// SPDX-License-Identifier: Apache-2.0
// Common parts of several topologies: size limits, nodes in the order of the switches, and grids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/topology/topology.h"

namespace headway {

inline constexpr std::int64_t kMostNodes = 1LL << 24;         // and switches
inline constexpr std::int64_t kMostNetworkPorts = 1LL << 28;  // of all switches
inline constexpr std::int64_t kMostNodesPerSwitch = 65'000;

// Equal switches, not yet linked. Node n is at switch n / per_switch, at its port n % per_switch.
Graph equal_switches(std::int64_t switches, std::int64_t radix, std::uint32_t per_switch, Shape shape,
                     const Link& link);

// Returns false and adds a mistake unless the grid has one to eight dimensions.
bool check_sides(const std::vector<std::int64_t>& sides, Mistakes& mistakes);
inline constexpr char kSidesHelp[] = "number of switches along each dimension, such as [8, 8] or [8, 8, 4]";
// The number of switches of a grid, capped at kMostNodes + 1.
std::int64_t switches_of_grid(const std::vector<std::int64_t>& sides);

}  // namespace headway
