// SPDX-License-Identifier: Apache-2.0
// What `headway run` and `headway saturation` share: an experiment is computed, on all cores, into a table
// for the eye or a JSON document, and into a directory that a later call continues (io/collection.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/cli/command.h"
#include "headway/run/sweep.h"

namespace headway::cli {

// --jobs, --out, --json.
std::vector<Flag> collecting_flags();

struct Collecting {
  std::string_view command;                        // "run"
  std::string method = {};                         // of ResultsDir
  std::span<const std::string_view> metrics = {};  // of the table; those of ResultsTable if none
  SweepOptions options = {};                       // what they say of results and progress is set
};
// Returns the exit code.
int collect(const Experiment& experiment, Collecting how, const Arguments& arguments, Terminal& terminal);

}  // namespace headway::cli
