// SPDX-License-Identifier: Apache-2.0
// Reads papers/KEY/paper.toml and papers/KEY/claims.toml into a Paper. Mistakes are reported as in specs: all
// at once, each with its place and the valid values.
#pragma once

#include <filesystem>
#include <vector>

#include "headway/papers/paper.h"

namespace headway {

// The paper in `folder`, whose name is its key. Throws SpecError.
Paper read_paper(const std::filesystem::path& folder);

// The directories in `papers` that contain a paper, sorted by name.
std::vector<std::filesystem::path> paper_folders(const std::filesystem::path& papers);

}  // namespace headway
