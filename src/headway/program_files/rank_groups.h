// SPDX-License-Identifier: Apache-2.0
// Groups of ranks by name, from JSON as ASTRA-sim reads it: {"0": [0, 1, 2], "1": [3, 4, 5]}.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"

namespace headway {

using RankGroups = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

// Ranks of a group are below `ranks`, each once. Reports mistakes under the key.
RankGroups read_rank_groups(const InputFile& file, std::uint32_t ranks, const std::string& key,
                            Mistakes& mistakes);

}  // namespace headway
