// SPDX-License-Identifier: Apache-2.0
#include "headway/cli/stored_results.h"

#include <fmt/format.h>

#include "headway/base/input_file.h"
#include "headway/base/visible.h"
#include "headway/cli/command.h"

namespace headway::cli {

namespace fs = std::filesystem;

std::vector<PointResult> results_in(const fs::path& directory) {
  const fs::path file = directory / "results.json";
  std::error_code error;
  if (!fs::exists(file, error))
    throw UsageError(fmt::format("{} contains no results.json; 'headway run SPEC --out {}' writes one",
                                 visible(directory.string()), visible(directory.string())));
  try {
    return read_results(read_text(file));
  } catch (const NoResult& problem) {
    throw UsageError(fmt::format("cannot read {}: {}; to rewrite it, repeat the command that wrote it",
                                 visible(file.string()), problem.what()));
  }
}

}  // namespace headway::cli
