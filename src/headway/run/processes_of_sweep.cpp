// SPDX-License-Identifier: Apache-2.0
#include "headway/run/processes_of_sweep.h"

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
  ProcessWord word = ProcessWord::end;  // first, as in all that is told
  std::uint64_t point = 0;
  int repetition = 0;
  std::uint64_t memory = 0;
  std::uint32_t threads = 1;
  bool check = false;
};

void tell(const RunOfSweep& run, Processes& processes) {
  ParcelWriter writer;
  writer.value(run);
  processes.broadcast(writer.take());
}

void help_sweep(const Experiment& experiment, Processes& processes) {
  Memo memo(kKeptBetweenRuns);
  for (Parcel word = processes.broadcast({});;) {
    RunOfSweep run;
    ParcelReader(word).value(run);
    if (run.word == ProcessWord::end) return;
    RunOptions options;
    options.memory = run.memory;
    options.threads = run.threads;
    options.check = run.check;
    options.memo = &memo;
    options.processes = &processes;
    try {
      word = take_part(spec_of(experiment, {run.point, run.repetition}), options);
    } catch (const SpecError&) {  // the leading process finds and reports the same
      word = processes.broadcast({});
    } catch (const std::exception& error) {
      processes.abort(error.what());
    }
  }
}

}  // namespace

void begin_run(const Task& task, const RunOptions& options) {
  tell({.word = ProcessWord::run,
        .point = task.point,
        .repetition = task.repetition,
        .memory = options.memory,
        .threads = options.threads,
        .check = options.check},
       *options.processes);
}

SweepEnd::~SweepEnd() {
  if (processes_.leads()) tell({.word = ProcessWord::end}, processes_);
}

std::optional<Experiment> share_sweep(Processes& processes, const std::function<Experiment()>& load) {
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
  const std::vector<Parcel> faults = processes.gather(writer.take());
  if (processes.leads()) {
    if (error) std::rethrow_exception(error);
    for (std::uint32_t process = 1; process < faults.size(); ++process) {
      ParcelReader(faults[process]).list(fault);
      if (!fault.empty()) throw std::runtime_error(fmt::format("process {}: {}", process, fault));
    }
    return experiment;
  }
  if (experiment)
    help_sweep(*experiment, processes);
  else
    processes.broadcast({});  // the end
  return std::nullopt;
}

}  // namespace headway
