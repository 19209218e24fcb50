// SPDX-License-Identifier: Apache-2.0
#include "headway/run/alone.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/metrics/jobs.h"
#include "headway/run/drive.h"

namespace headway {
JobsAlone run_jobs_alone(const Network& network, const Workload& workload, std::span<const std::string> names,
                         Tick limit, const SimulationOptions& simulation_options, const RunOptions& options,
                         const RunProgress& progress) {
  JobsAlone result{std::vector<Tick>(workload.jobs.size(), -1), ""};
  double all = 0, before = 0;  // operations
  for (const Job& job : workload.jobs)
    if (!job.background) all += std::max(1.0, operations_of(job));
  for (std::size_t number = 0; number < workload.jobs.size(); ++number) {
    const Job& job = workload.jobs[number];
    if (job.background) continue;
    const double after = before + std::max(1.0, operations_of(job));
    const RunProgress part = progress.part(before / all, after / all);
    before = after;
    Workload alone;
    alone.jobs.push_back(job);
    const auto simulation = make_simulation(network, alone, simulation_options);
    const JobsOfRun run{network, alone, simulation->jobs()};
    Drive drive(*simulation, network, Drive::until_done(limit), options, part,
                [&run] { return run.share_done(); });
    while (drive.now() < limit && !drive.has_ended()) drive.advance(limit);
    if (drive.is_done()) {
      result.completion[number] = run.makespan();
      continue;
    }
    result.unfinished += fmt::format("{}alone, {}", result.unfinished.empty() ? "" : "; ",
                                     text_of_unfinished(run, names.subspan(number, 1)));
  }
  return result;
}

}  // namespace headway
