// SPDX-License-Identifier: Apache-2.0
// Reads a [[figure]] of papers/KEY/paper.toml.
#pragma once

#include <filesystem>
#include <string>

#include "headway/papers/paper.h"
#include "headway/papers/paper_table.h"

namespace headway {

// `path` names the table in mistakes; `folder` is the paper's.
FigureSpec read_figure(const Document& table, const std::string& path, const std::filesystem::path& folder,
                       Mistakes& mistakes);

// The key `measure` of a table; `over_x` as in Expression.
Expression read_expression(PaperTable& reader, const std::string& path, bool over_x, Mistakes& mistakes);

}  // namespace headway
