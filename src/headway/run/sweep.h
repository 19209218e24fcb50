// SPDX-License-Identifier: Apache-2.0
// Runs all points of an experiment on several threads. Every (point, repetition) is a separate task and a run
// is a value, so the results are byte-identical for any number of threads; only the order in which they
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
#include <vector>

#include "headway/compile/experiment.h"
#include "headway/run/run.h"

namespace headway {

// One run of a sweep: repetition r of a point has the seed of the point's spec plus r.
struct Task {
  std::size_t point = 0;
  int repetition = 0;
};

// Point by point; with SeedsUntil, as many repetitions as a point can have.
std::vector<Task> all_tasks(const Experiment& experiment);

// The spec of a task, with its seed.
Spec spec_of(const Experiment& experiment, const Task& task);

// Memory of graphs, and of routes, that is kept for the next runs.
inline constexpr std::uint64_t kKeptBetweenRuns = 32 << 20;

// The progress of a sweep. Work is measured in packet-hops (compile/run_cost.h).
struct SweepProgress {
  double fraction = 0;  // fraction of the known work, including running tasks; 0 .. 1, never falls
  std::size_t tasks_done = 0;
  std::size_t tasks = 0;
  std::size_t runs = 0;     // in progress
  std::size_t threads = 0;  // that simulate these
  std::chrono::duration<double> elapsed{};
  std::optional<std::chrono::duration<double>> left;  // estimate; none before there are data for it
};

inline constexpr unsigned kMaxJobs = 4096;
inline constexpr unsigned kMaxThreads = 64;  // of a run

// How the runs of a sweep share the machine.
struct SweepPlan {
  unsigned jobs = 1;                         // number of parallel runs, limited by the memory
  unsigned threads = 1;                      // of each run, at most
  std::uint64_t memory_of_run = UINT64_MAX;  // maximum bytes of one run
  std::string warning;                       // warning for the user; empty if there is none
};

// The run or the search of a point.
using RunPoint = std::function<Result(const Spec&, const RunOptions&, const RunProgress&)>;

struct SweepOptions {
  unsigned jobs = 0;               // number of parallel runs; 0: as many as use the cores of the machine
  unsigned threads = 0;            // of each run, at most; 0: the cores that the parallel runs leave
  std::uint64_t memory = 0;        // bytes for all parallel runs; 0: the free memory
  Processes* processes = nullptr;  // simulate each run together (processes_of_sweep.h); one run at a time
  bool keep = false;               // snapshots, of the first seed of every point
  bool check = false;              // verify invariants while running
  bool skip = true;                // stretches that repeat themselves (engine/skip.h)
  CancelFlag cancelled = nullptr;  // polled every `interval`
  // Called once if some task has not ended half a second after the cancellation; it can end the process.
  // Without it, the sweep waits for the task.
  std::function<void()> on_stuck = {};
  // Every `interval`, and at the end after the last result. Like all functions of these options, it is called
  // in the thread that called run_sweep, and no run waits for it.
  std::function<void(const SweepProgress&)> on_progress = {};
  std::function<void(const SweepPlan&)> on_plan = {};  // once, before the first run
  std::chrono::milliseconds interval{100};
};

// A run of a point failed, for example for lack of memory. what() names the point with its parameters.
class PointError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Plans `tasks` runs. Throws SpecError if not even one fits into the memory of this machine.
SweepPlan plan_sweep(const Experiment& experiment, const SweepOptions& options, std::size_t tasks);

// Receives the result of a task as soon as it is finished, in the thread that ran it, so several calls can be
// at work at the same time. Returns tasks that the sweep must run, too.
using TakeResult = std::function<std::vector<Task>(const Task&, Result)>;

// Runs the tasks, or searches if the experiment has a search, the largest first. Tasks of a point stand
// together. Returns true if all tasks finished, and false if the sweep was cancelled. An error stops the
// sweep after all finished results have been taken: SpecError for a mistake of the user, InvariantError,
// PointError for any other failure of a run, and the exceptions of `take` and `on_progress`. If a run lacks
// memory, the others continue, and a PointError is thrown at the end. Tests replace the runs by `instead`.
bool run_sweep(const Experiment& experiment, const std::vector<Task>& tasks, const TakeResult& take,
               const SweepOptions& options, const RunPoint& instead = {});

// A task as text: "switch.scheme = obqa, traffic.load = 0.5, seed 3".
std::string describe(const Experiment& experiment, const Task& task);

}  // namespace headway
