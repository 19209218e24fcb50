// SPDX-License-Identifier: Apache-2.0
// One run as a value: (Spec, seed) -> Result. No I/O, no globals; safe to call from many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "headway/base/cancel.h"
#include "headway/base/parcel.h"
#include "headway/metrics/result.h"
#include "headway/spec/spec.h"

namespace headway {

class Memo;
class Processes;
struct RunHooks;

struct RunOptions {
  bool keep = false;   // keep snapshots if the spec asks for them; set only if they can be stored
  bool check = false;  // verify invariants while running (modelling.md); slower
  bool skip = true;    // stretches that repeat themselves; does not affect results (engine/skip.h)
  std::uint64_t memory = UINT64_MAX;  // maximum memory of the run, in bytes
  std::uint32_t threads = 1;          // at most; does not affect results (engine/parts.h)
  Processes* processes =
      nullptr;           // processes that simulate the run together (engine/processes.h); null: this one
  Memo* memo = nullptr;  // what plans of several runs share; null: nothing
  CancelFlag cancelled = nullptr;   // polled between bins, and while a trace is read
  const RunHooks* hooks = nullptr;  // for predictions and tests (run/hooks.h)
};

// What a run tells other threads while it goes on.
struct RunGauge {
  std::atomic<double> fraction = 0;        // of the work done, updated between bins
  std::atomic<std::uint32_t> threads = 1;  // of the run, set when its simulation begins
};

// The part of a gauge that belongs to a run, or to a step of one.
class RunProgress {
 public:
  RunProgress() = default;  // nobody looks
  explicit RunProgress(RunGauge& gauge) : gauge_(&gauge) {}

  RunProgress part(double from, double to) const {
    RunProgress part(*this);
    part.from_ = at(from);
    part.to_ = at(to);
    return part;
  }
  void report(double share_done) const {
    if (gauge_ != nullptr) gauge_->fraction.store(at(share_done), std::memory_order_relaxed);
  }
  void report_threads(std::uint32_t threads) const {
    if (gauge_ != nullptr) gauge_->threads = threads;
  }

 private:
  double at(double share) const { return from_ + (to_ - from_) * share; }

  RunGauge* gauge_ = nullptr;
  double from_ = 0, to_ = 1;
};

// A run would have exceeded its memory limit, because the offered load exceeds what the network accepts and
// the backlog grows.
class OutOfMemory : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws SpecError if the spec is not valid, OutOfMemory if the run would exceed RunOptions::memory, and
// InvariantError if an invariant of the simulator is violated.
Result run(const Spec& spec, const RunOptions& options = {}, const RunProgress& progress = {});

// In a process that does not lead (RunOptions::processes), with the same spec and options: simulates its
// parts of the run. Returns the first word of the leading process that is not about this run.
Parcel take_part(const Spec& spec, const RunOptions& options);

// One result of repetitions with the seeds first_seed, first_seed + 1 ...: every metric and column as its
// definition says (OverSeeds), and the half width of the 95 % confidence interval of means (Student's t).
// Status is the worst of them. `results` must not be empty and must come from the same spec.
Result combine(const std::vector<Result>& results, std::uint64_t first_seed);

}  // namespace headway
