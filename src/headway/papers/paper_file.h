// SPDX-License-Identifier: Apache-2.0
// papers/KEY/paper.toml and papers/KEY/claims.toml, read into a Paper. Mistakes in them are reported as those
// of specs are: all at once, each with its place and what would be valid.
#pragma once

#include <filesystem>
#include <vector>

#include "headway/papers/paper.h"

namespace headway {

// The paper in `folder`, whose name is its key. Throws SpecError.
Paper read_paper(const std::filesystem::path& folder);

// The folders in `papers` that hold a paper, by name.
std::vector<std::filesystem::path> paper_folders(const std::filesystem::path& papers);

}  // namespace headway
