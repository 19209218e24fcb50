// SPDX-License-Identifier: Apache-2.0
#include "headway/run/ranks_of_sweep.h"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/memo.h"

namespace headway {
namespace {

// What a run depends on besides its spec.
struct RunOfSweep {
  RankWord word = RankWord::end;  // first, as in all that is told
  std::uint64_t point = 0;
  int repetition = 0;
  std::uint64_t memory = 0;
  std::uint32_t threads = 1;
  bool check = false;
};

void tell(const RunOfSweep& run, Ranks& ranks) {
  ParcelWriter writer;
  writer.value(run);
  ranks.broadcast(writer.take());
}

void help_sweep(const Experiment& experiment, Ranks& ranks) {
  Memo memo(kKeptBetweenRuns);
  for (Parcel word = ranks.broadcast({});;) {
    RunOfSweep run;
    ParcelReader(word).value(run);
    if (run.word == RankWord::end) return;
    RunOptions options;
    options.memory = run.memory;
    options.threads = run.threads;
    options.check = run.check;
    options.memo = &memo;
    options.ranks = &ranks;
    try {
      word = take_part(spec_of(experiment, {run.point, run.repetition}), options);
    } catch (const SpecError&) {  // the leading process finds and reports the same
      word = ranks.broadcast({});
    } catch (const std::exception& error) {
      ranks.abort(error.what());
    }
  }
}

}  // namespace

void begin_run(const Task& task, const RunOptions& options) {
  tell({.word = RankWord::run,
        .point = task.point,
        .repetition = task.repetition,
        .memory = options.memory,
        .threads = options.threads,
        .check = options.check},
       *options.ranks);
}

SweepEnd::~SweepEnd() {
  if (ranks_.leads()) tell({.word = RankWord::end}, ranks_);
}

std::optional<Experiment> share_sweep(Ranks& ranks, const std::function<Experiment()>& load) {
  std::optional<Experiment> experiment;
  std::string fault;
  std::exception_ptr error;
  try {
    experiment = load();
  } catch (const std::exception& found) {
    error = std::current_exception();
    fault = found.what();
  }
  ParcelWriter writer;
  writer.list(fault);
  const std::vector<Parcel> faults = ranks.gather(writer.take());
  if (ranks.leads()) {
    if (error) std::rethrow_exception(error);
    for (std::uint32_t rank = 1; rank < faults.size(); ++rank) {
      ParcelReader(faults[rank]).list(fault);
      if (!fault.empty()) throw std::runtime_error(fmt::format("process {}: {}", rank, fault));
    }
    return experiment;
  }
  if (experiment)
    help_sweep(*experiment, ranks);
  else
    ranks.broadcast({});  // the end
  return std::nullopt;
}

}  // namespace headway
