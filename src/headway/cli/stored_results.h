// SPDX-License-Identifier: Apache-2.0
// Reads the results that another command wrote to a directory.
#pragma once

#include <filesystem>
#include <vector>

#include "headway/run/results.h"

namespace headway::cli {

// Throws UsageError if the directory has no valid results.json.
std::vector<PointResult> results_in(const std::filesystem::path& directory);

}  // namespace headway::cli
