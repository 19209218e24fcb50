// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct JobRow {
  const MeasuredRun& run;
  const Job& job;
  const JobRecord& record;
  std::string_view name;
  Tick alone;                          // completion; -1: not known
  const CriticalPath* path = nullptr;  // null: not requested, or the job is not done

  bool is_compute(const WatchedStep& step) const {
    return step.is_turn() && job.program->ops[step.step.op].kind == ProgramOpKind::compute;
  }
  // Sum over the steps of its critical path.
  template <class Part>
  double on_path(Part&& part) const {
    if (path == nullptr) return kNaN;
    Tick sum = 0;
    for (const WatchedStep& step : path->steps) sum += std::invoke(part, step);
    return run.ns(sum);
  }
  double span(double quantile) const {
    return record.spans.count() == 0 ? kNaN : run.network().ns(record.spans.quantile(quantile));
  }
  double share_of_ranks(Tick RankTimes::* part) const {
    double sum = 0, all = 0;
    for (const RankTimes& rank : record.ranks) {
      sum += static_cast<double>(rank.*part);
      all += static_cast<double>(rank.finish - job.start);
    }
    return record.finish < 0 ? kNaN : sum / all;
  }
};

constexpr ColumnOf<JobRow> kJobColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, [](const JobRow& j) -> Cell { return j.name; }},
    {{"start_ns", "ns", "time at which its first iteration begins"},
     [](const JobRow& j) -> Cell { return j.run.ns(j.job.start); }},
    {{"finish_ns", "ns", "time at which its last operation completes; empty if it is not done"},
     [](const JobRow& j) -> Cell { return j.record.finish < 0 ? kNaN : j.run.ns(j.record.finish); }},
    {{"completion_ns", "ns", "time from its start to its finish"},
     [](const JobRow& j) -> Cell {
       return j.record.finish < 0 ? kNaN : j.run.ns(j.record.finish - j.job.start);
     }},
    {{"alone_ns", "ns",
      "completion_ns of the job alone in the network, with the same seed and placement; empty if it is not "
      "done then, or is in the background",
      Needs::jobs_alone},
     [](const JobRow& j) -> Cell { return j.alone < 0 ? kNaN : j.run.ns(j.alone); }},
    {{"slowdown", "1",
      "completion_ns over alone_ns; it can be below 1, because other traffic can keep messages of the job "
      "out of each other's way",
      Needs::jobs_alone},
     [](const JobRow& j) -> Cell {
       if (j.alone <= 0 || j.record.finish < 0) return kNaN;
       return static_cast<double>(j.record.finish - j.job.start) / static_cast<double>(j.alone);
     }},
    {{"iterations", "iterations", "iterations that all ranks have completed"},
     [](const JobRow& j) -> Cell { return j.record.iterations; }},
    {{"iteration_mean_ns", "ns",
      "mean length of an iteration, from the begin of its first rank to the end of its last rank"},
     [](const JobRow& j) -> Cell {
       return j.record.iterations == 0
                  ? kNaN
                  : j.run.ns(j.record.iteration_sum) / static_cast<double>(j.record.iterations);
     }},
    {{"iteration_max_ns", "ns", "length of the longest iteration", OverSeeds::maximum},
     [](const JobRow& j) -> Cell {
       return j.record.iterations == 0 ? kNaN : j.run.ns(j.record.longest_iteration);
     }},
    {{"bus_bandwidth_gb_per_s", "GB/s",
      "bytes of the collective times its factor (docs/programs.md), over the mean length of an iteration: "
      "the "
      "bus bandwidth of NCCL's tests; empty for programs without this convention"},
     [](const JobRow& j) -> Cell {
       if (j.record.iteration_sum == 0 || j.job.program->bus_bytes == 0) return kNaN;
       return j.job.program->bus_bytes * static_cast<double>(j.record.iterations) /
              j.run.ns(j.record.iteration_sum);
     }},
    {{"spans", "spans", "spans that have ended, such as the requests of request-reply (docs/programs.md)"},
     [](const JobRow& j) -> Cell { return j.record.spans.count(); }},
    {{"span_mean_ns", "ns", "mean length of a span; empty if none has ended"},
     [](const JobRow& j) -> Cell {
       return j.run.ns(j.record.span_sum) / static_cast<double>(j.record.spans.count());
     }},
    {{"span_p50_ns", "ns", "length not exceeded by half of the spans (within 0.8 %)"},
     [](const JobRow& j) -> Cell { return j.span(0.5); }},
    {{"span_p99_ns", "ns", "length not exceeded by 99 % of the spans (within 0.8 %)"},
     [](const JobRow& j) -> Cell { return j.span(0.99); }},
    {{"span_max_ns", "ns", "length of the longest span", OverSeeds::maximum},
     [](const JobRow& j) -> Cell {
       return j.record.spans.count() == 0 ? kNaN : j.run.ns(static_cast<Tick>(j.record.spans.max()));
     }},
    {{"operations", "operations", "operations that have completed"},
     [](const JobRow& j) -> Cell { return j.record.completed; }},
    {{"messages", "messages", "messages that its sends have generated"},
     [](const JobRow& j) -> Cell { return j.record.messages; }},
    {{"message_bytes", "bytes", "their bytes"}, [](const JobRow& j) -> Cell { return j.record.bytes; }},
    {{"computing", "fraction of time",
      "time for which CPUs compute, over the time of all ranks from the start to their finish"},
     [](const JobRow& j) -> Cell { return j.share_of_ranks(&RankTimes::computing); }},
    {{"overhead", "fraction of time", "likewise, time for which CPUs handle sends and receives"},
     [](const JobRow& j) -> Cell { return j.share_of_ranks(&RankTimes::overhead); }},
    {{"idle", "fraction of time", "likewise, time for which no CPU of a rank is busy: the rank waits"},
     [](const JobRow& j) -> Cell { return j.share_of_ranks(&RankTimes::idle); }},
    {{"path_compute_ns", "ns",
      "time on its critical path for which a CPU computes; the four parts of the path add up to "
      "completion_ns",
      Needs::critical_path},
     [](const JobRow& j) -> Cell {
       return j.on_path([&](const WatchedStep& step) { return j.is_compute(step) ? step.length() : 0; });
     }},
    {{"path_overhead_ns", "ns", "time on its critical path for which a CPU handles a send or receive",
      Needs::critical_path},
     [](const JobRow& j) -> Cell {
       return j.on_path([&](const WatchedStep& step) {
         return step.is_turn() && !j.is_compute(step) ? step.length() : 0;
       });
     }},
    {{"path_transfer_ns", "ns",
      "time on its critical path for which the packet that ends a step moves, or waits for packets of its "
      "own "
      "message",
      Needs::critical_path},
     [](const JobRow& j) -> Cell {
       return j.on_path(
           [](const WatchedStep& step) { return step.is_turn() ? 0 : step.length() - step.waited(); });
     }},
    {{"path_wait_ns", "ns",
      "time on its critical path for which that packet waits for packets of other messages or for credits",
      Needs::critical_path},
     [](const JobRow& j) -> Cell {
       return j.on_path([](const WatchedStep& step) { return step.waited(); });
     }},
    {{"path_hol_ns", "ns", "of path_wait_ns, head-of-line blocking", Needs::critical_path},
     [](const JobRow& j) -> Cell { return j.on_path(&WatchedStep::blocked); }},
    {{"path_victim_ns", "ns",
      "of path_wait_ns, waiting for roots of congestion that the packets will not cross",
      Needs::critical_path},
     [](const JobRow& j) -> Cell { return j.on_path(&WatchedStep::victim); }},
};

void add_per_job(const MeasuredRun& run, TableRows<JobRow>& rows) {
  const std::size_t jobs = run.jobs->jobs.size();
  for (std::size_t job = 0; job < jobs; ++job) {
    const auto path = std::ranges::find(run.paths, job, &CriticalPath::job);
    rows.add({run, run.jobs->workload.jobs[job], run.jobs->jobs.record(job), run.job_name(job),
              run.jobs->alone.empty() ? -1 : run.jobs->alone[job],
              path == run.paths.end() ? nullptr : &*path});
  }
}

}  // namespace

TableKind per_job_table() {
  return {.name = "per_job",
          .rows = "jobs: when they are done, and what their ranks do",
          .when = "jobs",
          .columns = metrics_of(kJobColumns),
          .needs = Needs::jobs,
          .made = table_of<JobRow, kJobColumns, add_per_job>,
          .most_cells = [](const TableBounds& most, double columns) { return most.flows * columns; },
          .named_rows = true};
}

}  // namespace headway
