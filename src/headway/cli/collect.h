// SPDX-License-Identifier: Apache-2.0
// Shared by `headway run` and `headway saturation`: runs an experiment on all cores and writes its results as
// a table or a JSON document, and to a directory with which a later call can continue (run/collection.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/cli/command.h"
#include "headway/run/deal.h"
#include "headway/run/results.h"
#include "headway/run/sweep.h"

namespace headway::cli {

// --jobs, --out, --json.
std::vector<Flag> collecting_flags();

struct Collecting {
  std::string_view command;                        // "run"
  std::span<const std::string_view> metrics = {};  // columns of the table; empty: those of ResultsTable
  // A page of text for every point, instead of the table.
  std::function<std::string(const PointResult&)> page = {};
  std::function<void(const PointResult&)> on_result = {};  // of every point
  bool json_later = false;          // the caller prints the JSON document, with more than the runs
  std::optional<Shard> shard = {};  // needs --out; prints no results
  SweepOptions options = {};        // collect() sets the members for progress
};
// Returns the exit code.
int collect(const Experiment& experiment, Collecting how, const Arguments& arguments, Terminal& terminal);

}  // namespace headway::cli
