// SPDX-License-Identifier: Apache-2.0
// A sweep whose runs several processes simulate together (engine/processes.h). The leading process has the
// sweep and its results. The others have read the same experiment, and help with one run after the other.
#pragma once

#include <functional>
#include <optional>

#include "headway/engine/processes.h"
#include "headway/run/sweep.h"

namespace headway {

// In the leading process: the others begin the run of a task, with these options.
void begin_run(const Task& task, const RunOptions& options);

// Reads the experiment in all processes and, in those that do not lead, helps until the sweep has ended.
// Returns the experiment in the leading process, and nothing in the others, also if they cannot read it.
// Throws in the leading process what load() throws there; otherwise std::runtime_error if another process
// could not read the experiment.
std::optional<Experiment> share_sweep(Processes& processes, const std::function<Experiment()>& load);

// Tells the others that the sweep has ended, when it is destroyed. In the leading process, it must live from
// before share_sweep until all runs have ended.
class SweepEnd {
 public:
  explicit SweepEnd(Processes& processes) : processes_(processes) {}
  SweepEnd(const SweepEnd&) = delete;
  SweepEnd& operator=(const SweepEnd&) = delete;
  ~SweepEnd();

 private:
  Processes& processes_;
};

}  // namespace headway
