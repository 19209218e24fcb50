// SPDX-License-Identifier: Apache-2.0
// Reads users' tables of service levels and of their lanes (docs/files.md).
#pragma once

#include <cstdint>
#include <optional>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/routing/service_levels.h"
#include "headway/topology/graph.h"

namespace headway {

// The service level by source or destination or both. nullopt if there are mistakes (key
// "switch.service_levels_file").
std::optional<PairLevels> read_pair_levels(const Graph& graph, const InputFile& file, Mistakes& mistakes);

// The lane, below `lanes`, by service level, hop, input or output. `services`: service levels in use. nullopt
// if there are mistakes (key "switch.lane_table_file").
std::optional<LaneTable> read_lane_table(const Graph& graph, const InputFile& file, std::uint32_t lanes,
                                         std::uint32_t services, Mistakes& mistakes);

}  // namespace headway
