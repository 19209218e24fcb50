// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"
#include "headway/programs/compiled_program.h"

namespace headway {
namespace {

constexpr MetricOf<JobsOfRun> kJobMetrics[] = {
    {{metrics::makespan_ns, "ns",
      "time from the earliest start of a job to the end of the last one, without jobs in the background; "
      "empty "
      "if a job is not done",
      Needs::finished_jobs},
     [](const JobsOfRun& run) {
       const Tick makespan = run.makespan();
       return makespan < 0 ? kNaN : run.network.ns(static_cast<double>(makespan));
     }},
};

std::string_view text_of(WaitingOp::For what) {
  switch (what) {
    case WaitingOp::For::departure:
      return "for its message to leave the node";
    case WaitingOp::For::answer:
      return "for the answer to its announcement";
    case WaitingOp::For::message:
      return "for its message";
    case WaitingOp::For::cpu:
      break;
  }
  return "for its CPU";
}

}  // namespace

Tick JobsOfRun::makespan() const {
  Tick from = -1, to = -1;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (workload.jobs[job].background) continue;
    const Tick start = workload.jobs[job].start, finish = jobs.record(job).finish;
    if (finish < 0) return -1;
    from = from < 0 ? start : std::min(from, start);
    to = std::max(to, finish);
  }
  return to - from;
}

double JobsOfRun::share_done() const {
  double all = 0;
  for (const Job& job : workload.jobs)
    if (!job.background) all += operations_of(job);
  return all > 0 ? std::min(1.0, static_cast<double>(jobs.completed()) / all) : 1;
}

double operations_of(const Job& job) {
  return static_cast<double>(job.program->operations()) * job.iterations;
}

std::string text_of_unfinished(const JobsOfRun& run, std::span<const std::string> names) {
  constexpr std::size_t kMostShown = 4;
  std::string text;
  for (std::size_t job = 0; job < run.jobs.size(); ++job) {
    const Job& it = run.workload.jobs[job];
    if (it.background || run.jobs.record(job).finish >= 0) continue;
    text += fmt::format("{}{} has completed {} of {:.0f} operations", text.empty() ? "" : "; ", names[job],
                        run.jobs.record(job).completed, operations_of(it));
    const std::vector<WaitingOp> waiting = run.jobs.waiting(job, kMostShown + 1);
    for (std::size_t i = 0; i < std::min(waiting.size(), kMostShown); ++i)
      text += fmt::format("{} {} waits {}", i == 0 ? ":" : ",", text_of_op(*it.program, waiting[i].op),
                          text_of(waiting[i].what));
    if (waiting.size() > kMostShown) text += ", and more";
  }
  return text;
}

std::span<const MetricOf<JobsOfRun>> job_metrics() { return kJobMetrics; }

}  // namespace headway
