// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "headway/base/plural.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"
#include "headway/programs/compiled_program.h"

namespace headway {
namespace {

constexpr MetricOf<JobsOfRun> kJobMetrics[] = {
    {{metrics::makespan_ns, "ns",
      "time from the earliest start of a job to the end of the last one, without jobs in the background; of "
      "exclusive jobs, from the earliest `start` in the spec; empty if a job is not done",
      Needs::finished_jobs},
     [](const JobsOfRun& run) {
       const Tick makespan = run.makespan();
       return makespan < 0 ? kNaN : run.network.ns(static_cast<double>(makespan));
     }},
    {{metrics::node_wait_mean_ns, "ns",
      "mean time for which jobs wait for nodes, of those that have got some", Needs::exclusive_jobs},
     [](const JobsOfRun& run) {
       return run.mean_over_waiters([&](std::size_t job) {
         const Tick start = run.jobs.record(job).start;
         return start < 0 ? kNaN : run.network.ns(static_cast<double>(start - run.workload.jobs[job].start));
       });
     }},
    {{metrics::turnaround_mean_ns, "ns",
      "mean time from the `start` in the spec to the end of jobs that wait for nodes, without jobs in the "
      "background; empty if one is not done",
      Needs::exclusive_jobs},
     [](const JobsOfRun& run) {
       const auto turnaround = [&](std::size_t job) {
         const Tick finish = run.jobs.record(job).finish;
         return finish < 0 ? kNaN
                           : run.network.ns(static_cast<double>(finish - run.workload.jobs[job].start));
       };
       for (std::size_t job = 0; job < run.jobs.size(); ++job)
         if (const Job& it = run.workload.jobs[job];
             it.pool != nullptr && !it.background && std::isnan(turnaround(job)))
           return kNaN;
       return run.mean_over_waiters(turnaround);
     }},
    {{metrics::job_slowdown_mean, "1",
      "mean slowdown of the jobs that wait for nodes (per_job), of those that are done",
      Needs::exclusive_jobs_alone},
     [](const JobsOfRun& run) {
       return run.mean_over_waiters([&](std::size_t job) { return run.slowdown(job); });
     }},
    {more_is_better(
         {metrics::nodes_taken, "fraction of nodes",
          "nodes that jobs have for themselves, mean from the earliest `start` of such a job to the "
          "end of the run",
          Needs::exclusive_jobs}),
     [](const JobsOfRun& run) { return run.nodes_taken(); }},
};

constexpr std::size_t kMostShown = 4;

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

std::string what_is_left(const JobsOfRun& run, std::size_t number) {
  const Job& job = run.workload.jobs[number];
  if (run.jobs.record(number).start < 0)
    return fmt::format("waits for {}", plural(job.nodes_needed(), "free node"));
  std::string text = fmt::format("has completed {} of {:.0f} operations", run.jobs.record(number).completed,
                                 operations_of(job));
  const std::vector<WaitingOp> waiting = run.jobs.waiting(number, kMostShown + 1);
  for (std::size_t i = 0; i < std::min(waiting.size(), kMostShown); ++i)
    text += fmt::format("{} {} waits {}", i == 0 ? ":" : ",", text_of_op(*job.program, waiting[i].op),
                        text_of(waiting[i].what));
  return waiting.size() > kMostShown ? text + ", and more" : text;
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

double JobsOfRun::slowdown(std::size_t job) const {
  const Tick finish = jobs.record(job).finish;
  if (finish < 0 || alone.empty() || alone[job] <= 0) return kNaN;
  return static_cast<double>(finish - workload.jobs[job].start) / static_cast<double>(alone[job]);
}

template <class Value>
double JobsOfRun::mean_over_waiters(Value&& value) const {
  double sum = 0, count = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (workload.jobs[job].pool == nullptr) continue;
    if (const double its = value(job); !std::isnan(its)) {
      sum += its;
      ++count;
    }
  }
  return count > 0 ? sum / count : kNaN;
}

double JobsOfRun::nodes_taken() const {
  Tick from = end;
  double sum = 0;  // of nodes over time
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const Job& it = workload.jobs[job];
    if (it.pool == nullptr) continue;
    from = std::min(from, it.start);
    const auto& [start, finish] = std::pair(jobs.record(job).start, jobs.record(job).finish);
    if (start >= 0)
      sum +=
          static_cast<double>(it.nodes_needed()) * static_cast<double>((finish < 0 ? end : finish) - start);
  }
  return from < end ? sum / static_cast<double>(end - from) / network.graph.nodes_of_spec() : kNaN;
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
  std::string text;
  std::size_t unfinished = 0;
  for (std::size_t job = 0; job < run.jobs.size(); ++job) {
    if (run.workload.jobs[job].background || run.jobs.record(job).finish >= 0) continue;
    if (++unfinished <= kMostShown)
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", names[job], what_is_left(run, job));
  }
  if (unfinished > kMostShown)
    text += fmt::format("; {} more {} not done", plural(unfinished - kMostShown, "job"),
                        unfinished - kMostShown == 1 ? "is" : "are");
  return text;
}

std::span<const MetricOf<JobsOfRun>> job_metrics() { return kJobMetrics; }

}  // namespace headway
