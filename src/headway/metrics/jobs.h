// SPDX-License-Identifier: Apache-2.0
// What a run measures of jobs.
#pragma once

#include <span>
#include <string>

#include "headway/engine/simulation.h"
#include "headway/metrics/metric.h"

namespace headway {

// The jobs of a run.
struct JobsOfRun {
  const Network& network;
  const Workload& workload;
  const JobsView& jobs;
  std::span<const Tick> alone = {};  // [job] completion alone, -1: not known; empty: not requested
  Tick end = 0;                      // of the run

  // From the earliest start of a job that is not in the background to the last finish of such a job, in
  // ticks; -1 if one is not done.
  Tick makespan() const;
  // Completed operations over all operations of the jobs that are not in the background.
  double share_done() const;
  // From its start in the spec to its finish, over its completion alone; NaN if one of them is not known.
  double slowdown(std::size_t job) const;
  // Over the jobs that wait for nodes, without those whose value is NaN.
  template <class Value>
  double mean_over_waiters(Value&& value) const;
  // Mean fraction of the nodes that jobs have for themselves.
  double nodes_taken() const;
};

// Operations of all iterations.
double operations_of(const Job& job);

// Which jobs are not done, and which of their operations wait for what.
// `names`: of the jobs.
std::string text_of_unfinished(const JobsOfRun& run, std::span<const std::string> names);

std::span<const MetricOf<JobsOfRun>> job_metrics();

}  // namespace headway
