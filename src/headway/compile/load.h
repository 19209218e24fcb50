// SPDX-License-Identifier: Apache-2.0
// Converts a spec file to an experiment: applies overrides, expands the sweep, and makes a checked Spec of
// every point.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "headway/base/cancel.h"
#include "headway/base/input_file.h"
#include "headway/compile/experiment.h"
#include "headway/config/document.h"
#include "headway/spec/overrides.h"

namespace headway {

struct LoadOptions {
  MemoryFiles files = {};               // the files in memory that the document names
  CancelFlag cancelled = nullptr;       // polled; throws Cancelled
  Purpose purpose = Purpose::simulate;  // of check_experiment
  std::shared_ptr<Memo> memo = {};      // what plans share with those of other experiments; null: nothing
};

// Throws SpecError with every mistake of the file and of all points, each reported once with its place. A run
// needs more memory than what is loaded; plan_sweep (run/sweep.h) refuses it only if something is left to
// run.
Experiment load_experiment(Document document, const std::vector<Override>& overrides = {},
                           const LoadOptions& options = {});

// For callers that run nothing; takes little memory and a few seconds. Builds graphs of at most this many
// bytes in total, about a million nodes. Skips the checks that need larger graphs; Experiment::whole is then
// false.
inline constexpr std::uint64_t kMostCheckedGraphs = 512 << 20;
Experiment check_experiment(Document document, const std::vector<Override>& overrides = {},
                            const LoadOptions& options = {});

}  // namespace headway
