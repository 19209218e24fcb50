// SPDX-License-Identifier: Apache-2.0
// Compiles the jobs of a spec: their programs, and the nodes of their ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/plan.h"
#include "headway/compile/plan/parts.h"
#include "headway/engine/workload.h"
#include "headway/routing/route_table.h"
#include "headway/spec/spec.h"
#include "headway/topology/graph.h"

namespace headway {

// Reports under `key` that a job has more ranks than it can have, and returns false.
bool check_rank_count(std::int64_t ranks, std::string key, Mistakes& mistakes);

// The number of ranks of every job; none if there is a mistake, which is reported.
std::vector<std::optional<std::uint32_t>> ranks_of_jobs(const EventSpec& spec, Mistakes& mistakes);

// The plan of every job.
void plan_jobs(const PlanSource& from, Plan& plan);

// Reports messages between ranks without a path (because of failed links), and jobs in the background whose
// iterations take no time.
void check_jobs(const EventSpec& spec, const std::vector<JobPlan>& plans, const Graph& graph,
                const RouteTable& routes, const Duration& tick, Mistakes& mistakes);

// When a job, or a copy of one, starts. The draws depend on the seed and the number of the job in the file.
Tick start_of(const JobSpec& job, std::uint32_t number_in_file, std::uint64_t seed, const Duration& tick);

Job build_job(const JobSpec& spec, JobPlan plan, const Duration& tick);

}  // namespace headway
