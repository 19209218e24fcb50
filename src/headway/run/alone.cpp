// SPDX-License-Identifier: Apache-2.0
#include "headway/run/alone.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/metrics/jobs.h"
#include "headway/run/simulate.h"
#include "headway/run/stall_watch.h"

namespace headway {
namespace {

// Simulates until the only job is done. Returns false if it is not done at `limit`, or never will be.
bool finishes(Simulation& simulation, const JobsOfRun& run, Tick limit, const RunOptions& options) {
  constexpr Tick kPieces = 1 << 16;  // between them, the run reports progress and can be cancelled
  const Tick piece = std::max<Tick>(limit / kPieces, 1);
  StallWatch stall_watch(simulation, run.network);
  for (Tick now = 0; now < limit && !run.jobs.done();) {
    throw_if_set(options.cancelled);
    now = std::min(limit, now + piece);
    simulate(simulation, run.network, now, options);
    if (stall_watch.look().deadlocked) return false;
    options.report(run.share_done());
  }
  return run.jobs.done();
}

}  // namespace

JobsAlone run_jobs_alone(const Network& network, const Workload& workload, std::span<const std::string> names,
                         Tick limit, const SimulationOptions& simulation_options, const RunOptions& options) {
  JobsAlone result{std::vector<Tick>(workload.jobs.size(), -1), ""};
  double all = 0, before = 0;  // operations
  for (const Job& job : workload.jobs)
    if (!job.background) all += operations_of(job);
  for (std::size_t number = 0; number < workload.jobs.size(); ++number) {
    const Job& job = workload.jobs[number];
    if (job.background) continue;
    RunOptions part = options;
    part.progress_from = options.progress_at(before / all);
    before += operations_of(job);
    part.progress_to = options.progress_at(before / all);
    Workload alone;
    alone.jobs.push_back(job);
    const auto simulation = make_simulation(network, alone, simulation_options);
    const JobsOfRun run{network, alone, simulation->jobs()};
    if (finishes(*simulation, run, limit, part)) {
      result.completion[number] = run.makespan();
      continue;
    }
    result.unfinished += fmt::format("{}alone, {}", result.unfinished.empty() ? "" : "; ",
                                     text_of_unfinished(run, names.subspan(number, 1)));
  }
  return result;
}

}  // namespace headway
