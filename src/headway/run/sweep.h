// SPDX-License-Identifier: Apache-2.0
// Running all points of an experiment on several threads. Every (point, repetition) is a task of its own and
// a run is a value, so the results are the same bytes for any number of threads; only the order in which they
// finish differs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "headway/compile/experiment.h"
#include "headway/run/run.h"

namespace headway {

// One run of a sweep: repetition r of a point has the seed of the point's spec plus r.
struct Task {
  std::size_t point = 0;
  int repetition = 0;
};

// Where a sweep stands. Work is counted in simulated time times nodes.
struct SweepProgress {
  double fraction = 0;  // of the work that this sweep has to do, running tasks included; 0 .. 1
  std::size_t tasks_done = 0;
  std::size_t tasks = 0;
  std::chrono::duration<double> elapsed{};
  std::optional<std::chrono::duration<double>> left;  // estimate; none until there is something to go by
};

// How the runs of a sweep share the machine.
struct SweepPlan {
  unsigned jobs = 1;                         // at once: no more than memory is there for
  std::uint64_t memory_of_run = UINT64_MAX;  // bytes that one may take
  std::string warning;                       // what a user should know about it; empty if nothing
};

using RunPoint = std::function<Result(const Spec&, const RunOptions&)>;

struct SweepOptions {
  unsigned jobs = 0;                                      // threads; 0: as many as the machine has
  std::uint64_t memory = 0;                               // bytes for all runs at once; 0: what is free now
  bool check = false;                                     // verify invariants while running
  CancelFlag cancelled = nullptr;                         // looked at every `interval`
  std::function<bool(const Task&)> known;                 // tasks whose result is there already are left out
  std::function<void(const Task&, Result)> on_result;     // as tasks finish, from any thread
  std::function<void(const SweepProgress&)> on_progress;  // every `interval`; never at once with on_result
  std::function<void(const SweepPlan&)> on_plan;          // once, before the first run
  std::chrono::milliseconds interval{100};
  RunPoint run = [](const Spec& spec, const RunOptions& options) { return headway::run(spec, options); };
};

// A point could not be run: a broken invariant, memory that ran out. what() says which point, with its
// parameters.
class PointError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// For `tasks` runs. Throws SpecError if not even one fits this machine.
SweepPlan plan_sweep(const Experiment& experiment, const SweepOptions& options, std::size_t tasks);

// Runs every task that is not known, the largest first. Returns whether all of them finished; false means
// cancelled. An error stops the sweep, after every result that was finished has been delivered: SpecError for
// a user's mistake, PointError for any other failure of a run, and whatever `on_result` throws. Only runs
// that lack memory let the others go on; they are a PointError at the end.
bool run_sweep(const Experiment& experiment, const SweepOptions& options);

// "switch.scheme = obqa, traffic.load = 0.5, seed 3": a task in words.
std::string describe(const Experiment& experiment, const Task& task);

}  // namespace headway
