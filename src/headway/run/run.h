// SPDX-License-Identifier: Apache-2.0
// One run as a value: (Spec, seed) -> Result. No I/O, no globals; safe to call from many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>

#include "headway/base/cancel.h"
#include "headway/base/parcel.h"
#include "headway/metrics/result.h"
#include "headway/spec/spec.h"

namespace headway {

struct KeptMessages;
class Memo;
struct Network;
class Ranks;
class Simulation;

// Is called between the ticks of a run; returns how many of them the next part has. It can end the run by an
// exception.
using Watch = std::function<std::uint64_t(const Simulation&, const Network&)>;

struct RunOptions {
  bool keep = false;   // keep snapshots if the spec asks for them; set only if they can be stored
  bool check = false;  // verify invariants while running (modelling.md); slower
  std::uint64_t memory = UINT64_MAX;            // maximum memory of the run, in bytes
  const KeptMessages* kept_messages = nullptr;  // null: the usual; does not affect results; for tests
  std::uint32_t threads = 1;                    // at most; does not affect results (engine/parts.h)
  bool always_cut = false;                      // for tests: uses them even if they make the run slower
  Ranks* ranks = nullptr;  // processes that simulate the run together (engine/ranks.h); null: this one
  std::atomic<std::uint32_t>* threads_used = nullptr;  // set when the simulation begins
  Memo* memo = nullptr;                                // what plans of several runs share; null: nothing
  CancelFlag cancelled = nullptr;                      // polled between bins, and while a trace is read
  std::atomic<double>* progress = nullptr;             // fraction of the work done, updated between bins
  double progress_from = 0, progress_to = 1;           // the part of the progress that belongs to this run

  Watch watch = {};  // without it, a run goes on to its end

  double progress_at(double share_of_run) const {
    return progress_from + (progress_to - progress_from) * share_of_run;
  }
  void report(double share_of_run) const {
    if (progress != nullptr) progress->store(progress_at(share_of_run), std::memory_order_relaxed);
  }
};

// A run would have exceeded its memory limit, because the offered load exceeds what the network accepts and
// the backlog grows.
class OutOfMemory : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws SpecError if the spec is not valid, OutOfMemory if the run would exceed RunOptions::memory, and
// InvariantError if an invariant of the simulator is violated.
Result run(const Spec& spec, const RunOptions& options = {});

// In a process that does not lead (RunOptions::ranks), with the same spec and options: simulates its parts of
// the run. Returns the first word of the leading process that is not about this run.
Parcel take_part(const Spec& spec, const RunOptions& options);

// One result of repetitions with the seeds first_seed, first_seed + 1 ...: every metric and column as its
// definition says (OverSeeds), and the half width of the 95 % confidence interval of means (Student's t).
// Status is the worst of them. `results` must not be empty and must come from the same spec.
Result combine(const std::vector<Result>& results, std::uint64_t first_seed);

}  // namespace headway
