// SPDX-License-Identifier: Apache-2.0
// Runs each job of a workload alone: in the same network, on the same nodes and with the same seed, without
// flows, traces and other jobs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/run/run.h"

namespace headway {

struct JobsAlone {
  std::vector<Tick> completion;  // [job] from its start to its finish; -1: in the background, or not done
  std::string unfinished;        // which jobs are not done, and what they wait for; empty: none
};

// `names`: of the jobs. A job that is not done at `limit` stays so.
JobsAlone run_jobs_alone(const Network& network, const Workload& workload, std::span<const std::string> names,
                         Tick limit, const SimulationOptions& simulation, const RunOptions& options,
                         const RunProgress& progress);

}  // namespace headway
