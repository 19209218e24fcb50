// SPDX-License-Identifier: Apache-2.0
// Papers and their figures by the names that users give.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "headway/papers/paper.h"

namespace headway {

// `key` is the key of one of the folder's papers, or a directory with the user's own paper.toml. Throws
// UnknownName (config/nearest.h), and SpecError for mistakes in the paper.
Paper find_paper(const std::filesystem::path& papers, const std::string& key);

// The figures with these names, or all. "6" is the figure in all readings, "6@input" in one. Throws
// UnknownName. `paper` must outlive the result.
std::vector<const FigureSpec*> chosen_figures(const Paper& paper, const std::vector<std::string>& ids);

// The default directory for the figures: "out/obqa-quick".
std::filesystem::path default_directory(const Paper& paper, bool trace, bool quick);

}  // namespace headway
