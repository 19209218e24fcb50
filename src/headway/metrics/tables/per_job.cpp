// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <optional>

#include "headway/metrics/measured_run.h"
#include "headway/metrics/path_parts.h"
#include "headway/metrics/rows.h"
#include "headway/programs/node_bytes.h"

namespace headway {
namespace {

constexpr ColumnOf<JobRow> kColumnsOfJobs[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, &JobRow::job},
    {{"submitted_ns", "ns", "time at which it begins to wait for nodes", Needs::exclusive_jobs},
     &JobRow::submitted_ns},
    {{"node_wait_ns", "ns", "time for which it waits for nodes; empty if it has none yet",
      Needs::exclusive_jobs},
     &JobRow::node_wait_ns},
    {{"start_ns", "ns", "time at which its first iteration begins"}, &JobRow::start_ns},
    {{"finish_ns", "ns", "time at which its last operation completes; empty if it is not done"},
     &JobRow::finish_ns},
    {{"completion_ns", "ns", "time from its start to its finish"}, &JobRow::completion_ns},
    {{"alone_ns", "ns",
      "completion_ns of the job alone in the network, with the same seed and placement, where all nodes are "
      "free; empty if it is not done then, or is in the background",
      Needs::jobs_alone},
     &JobRow::alone_ns},
    {{"slowdown", "1",
      "completion_ns, and the time for which it has waited for nodes, over alone_ns; it can be below 1, "
      "because other traffic can keep messages of the job out of each other's way",
      Needs::jobs_alone},
     &JobRow::slowdown},
    {more_is_better({"iterations", "iterations", "iterations that all ranks have completed"}),
     &JobRow::iterations},
    {{"iteration_mean_ns", "ns",
      "mean length of an iteration, from the begin of its first rank to the end of its last rank"},
     &JobRow::iteration_mean_ns},
    {{"iteration_max_ns", "ns", "length of the longest iteration", OverSeeds::maximum},
     &JobRow::iteration_max_ns},
    {more_is_better({"bus_bandwidth_gb_per_s", "GB/s",
                     "bytes of the collective times its factor (docs/programs.md), over the mean length of "
                     "an iteration: "
                     "the "
                     "bus bandwidth of NCCL's tests; empty for programs without this convention"}),
     &JobRow::bus_bandwidth_gb_per_s},
    {{"spans", "spans", "spans that have ended, such as the requests of request-reply (docs/programs.md)"},
     &JobRow::spans},
    {{"span_mean_ns", "ns", "mean length of a span; empty if none has ended"}, &JobRow::span_mean_ns},
    {{"span_p50_ns", "ns", "length not exceeded by half of the spans (within 0.8 %)"}, &JobRow::span_p50_ns},
    {{"span_p99_ns", "ns", "length not exceeded by 99 % of the spans (within 0.8 %)"}, &JobRow::span_p99_ns},
    {{"span_max_ns", "ns", "length of the longest span", OverSeeds::maximum}, &JobRow::span_max_ns},
    {{"operations", "operations", "operations that have completed"}, &JobRow::operations},
    {{"messages", "messages", "messages that its sends have generated"}, &JobRow::messages},
    {{"message_bytes", "bytes", "their bytes"}, &JobRow::message_bytes},
    {{"computing", "fraction of time",
      "time for which CPUs compute, over the time of all ranks from the start to their finish"},
     &JobRow::computing},
    {{"overhead", "fraction of time", "time for which CPUs handle sends and receives, over the same time"},
     &JobRow::overhead},
    {{"idle", "fraction of time",
      "time for which no CPU of a rank is busy, over the same time: the rank waits"},
     &JobRow::idle},
    {{"path_compute_ns", "ns",
      "time on its critical path for which a CPU computes; the four parts of the path add up to "
      "completion_ns",
      Needs::critical_path},
     &JobRow::path_compute_ns},
    {{"path_overhead_ns", "ns", "time on its critical path for which a CPU handles a send or receive",
      Needs::critical_path},
     &JobRow::path_overhead_ns},
    {{"path_transfer_ns", "ns",
      "time on its critical path for which the packet that ends a step moves, or waits for packets of its "
      "own "
      "message",
      Needs::critical_path},
     &JobRow::path_transfer_ns},
    {{"path_serialisation_ns", "ns",
      "of path_transfer_ns, the bytes of the messages at the usual rate of the links of their nodes. A link "
      "is "
      "usually as fast as most links of its role in the network; each part is at most what the ones before "
      "it "
      "leave, and the six parts add up to path_transfer_ns",
      Needs::critical_path},
     &JobRow::path_serialisation_ns},
    {{"path_narrow_ns", "ns",
      "of path_transfer_ns, what their bytes need beyond that at the usual rate of the narrowest links of "
      "their paths",
      Needs::critical_path},
     &JobRow::path_narrow_ns},
    {{"path_slow_ns", "ns",
      "of path_transfer_ns, what their bytes need beyond that because a link of their path is slower than "
      "usual",
      Needs::critical_path},
     &JobRow::path_slow_ns},
    {{"path_propagation_ns", "ns", "of path_transfer_ns, delays of links", Needs::critical_path},
     &JobRow::path_propagation_ns},
    {{"path_switch_ns", "ns", "of path_transfer_ns, routing delays of switches", Needs::critical_path},
     &JobRow::path_switch_ns},
    {{"path_rest_ns", "ns",
      "of path_transfer_ns, the rest: packets that are stored before they are forwarded, back pressure, and "
      "messages between ranks of one node",
      Needs::critical_path},
     &JobRow::path_rest_ns},
    {{"path_wait_ns", "ns",
      "time on its critical path for which that packet waits for packets of other messages or for credits",
      Needs::critical_path},
     &JobRow::path_wait_ns},
    {{"path_hol_ns", "ns", "of path_wait_ns, head-of-line blocking", Needs::critical_path},
     &JobRow::path_hol_ns},
    {{"path_victim_ns", "ns",
      "of path_wait_ns, waiting for roots of congestion that the packets will not cross",
      Needs::critical_path},
     &JobRow::path_victim_ns},
    {{"busiest_node_ns", "ns",
      "time that the links of its busiest node need for what its ranks send to other nodes, or receive, if "
      "they are as fast as usual, together: with this program and placement, no run takes less",
      Needs::critical_path},
     &JobRow::busiest_node_ns},
};

// What is known of a job at the end of the run.
struct JobEnd {
  const MeasuredRun& run;
  const Job& job;
  const JobRecord& record;
  const CriticalPath* path = nullptr;    // null: not requested, or the job is not done
  const TransferSplit* split = nullptr;  // null: no job has a path

  bool is_compute(const WatchedStep& step) const {
    return step.is_turn() && job.program->operation(step.step.op).kind == ProgramOpKind::compute;
  }
  // Sum over the steps of its critical path.
  template <class Duration>
  double on_path(Duration&& of_step) const {
    if (path == nullptr) return kNaN;
    Tick sum = 0;
    for (const WatchedStep& step : path->steps) sum += std::invoke(of_step, step);
    return run.ns(sum);
  }
  double share_of_ranks(Tick RankTimes::* part) const {
    double sum = 0, all = 0;
    for (const RankTimes& rank : record.ranks) {
      sum += static_cast<double>(rank.*part);
      all += static_cast<double>(rank.finish - record.start);
    }
    return record.finish < 0 ? kNaN : sum / all;
  }

  void add_times(JobRow& row, Tick alone, double slowdown) const {
    row.submitted_ns = run.ns(job.start);
    if (alone >= 0) row.alone_ns = run.ns(alone);
    if (record.start < 0) return;
    row.node_wait_ns = run.ns(record.start - job.start);
    row.start_ns = run.ns(record.start);
    if (record.finish < 0) return;
    row.finish_ns = run.ns(record.finish);
    row.completion_ns = run.ns(record.finish - record.start);
    row.slowdown = slowdown;
  }
  void add_iterations(JobRow& row) const {
    const auto iterations = static_cast<double>(record.iterations);
    row.iterations = iterations;
    if (record.iterations > 0) {
      row.iteration_mean_ns = run.ns(record.iteration_sum) / iterations;
      row.iteration_max_ns = run.ns(record.longest_iteration);
    }
    if (record.iteration_sum != 0 && job.program->bus_bytes != 0)
      row.bus_bandwidth_gb_per_s = job.program->bus_bytes * iterations / run.ns(record.iteration_sum);
  }
  void add_spans(JobRow& row) const {
    const auto count = static_cast<double>(record.spans.count());
    row.spans = count;
    row.span_mean_ns = run.ns(record.span_sum) / count;
    if (count == 0) return;
    row.span_p50_ns = run.network().ns(record.spans.quantile(0.5));
    row.span_p99_ns = run.network().ns(record.spans.quantile(0.99));
    row.span_max_ns = run.ns(static_cast<Tick>(record.spans.max()));
  }
  void add_work(JobRow& row) const {
    row.operations = static_cast<double>(record.completed);
    row.messages = static_cast<double>(record.messages);
    row.message_bytes = static_cast<double>(record.bytes);
    row.computing = share_of_ranks(&RankTimes::computing);
    row.overhead = share_of_ranks(&RankTimes::overhead);
    row.idle = share_of_ranks(&RankTimes::idle);
  }
  void add_transfer(JobRow& row) const {
    if (path == nullptr) return;
    TransferParts sum;
    for (const WatchedStep& step : path->steps)
      if (!step.is_turn()) sum += parts_of(*split, job, step);
    row.path_serialisation_ns = run.ns(sum.serialisation);
    row.path_narrow_ns = run.ns(sum.narrow);
    row.path_slow_ns = run.ns(sum.slow);
    row.path_propagation_ns = run.ns(sum.propagation);
    row.path_switch_ns = run.ns(sum.switching);
    row.path_rest_ns = run.ns(sum.rest);
  }
  void add_path(JobRow& row) const {
    row.path_compute_ns =
        on_path([&](const WatchedStep& step) { return is_compute(step) ? step.length() : 0; });
    row.path_overhead_ns = on_path(
        [&](const WatchedStep& step) { return step.is_turn() && !is_compute(step) ? step.length() : 0; });
    row.path_transfer_ns =
        on_path([](const WatchedStep& step) { return step.is_turn() ? 0 : step.length() - step.waited(); });
    add_transfer(row);
    row.path_wait_ns = on_path([](const WatchedStep& step) { return step.waited(); });
    row.path_hol_ns = on_path(&WatchedStep::blocked);
    row.path_victim_ns = on_path(&WatchedStep::victim);
  }
  // In bytes per tick, of the links to or from a node of the spec, if none is slower than usual.
  double usual_rate(NodeId home, bool sends) const {
    const Network& network = run.network();
    double rate = 0;
    const NodeId end = network.graph.end_of(network.graph.node_of_spec(home));
    for (NodeId node = home; node < end; ++node) {
      const PortId own = network.graph.node_port(node);
      const PortId link = sends ? own : network.graph.source_of(own);
      rate += 1.0 / std::min(split->ticks_per_byte(link), split->usual_ticks_per_byte(link));
    }
    return rate;
  }
  void add_busiest_node(JobRow& row) const {
    if (path == nullptr) return;
    double ticks = 0;
    for (const NodeBytes& bytes : node_bytes(*job.program, record.nodes))
      ticks = std::max(
          {ticks, bytes.sent / usual_rate(bytes.node, true), bytes.received / usual_rate(bytes.node, false)});
    row.busiest_node_ns = run.network().ns(ticks * static_cast<double>(record.iterations));
  }
};

void add_per_job(const MeasuredRun& run, TableRows<JobRow>& rows) {
  const JobsOfRun& jobs = *run.jobs;
  std::optional<TransferSplit> split;
  if (!run.paths.empty()) split.emplace(run.network());
  for (std::size_t job = 0; job < jobs.jobs.size(); ++job) {
    const auto path = std::ranges::find(run.paths, job, &CriticalPath::job);
    const JobEnd end{run, jobs.workload.jobs[job], jobs.jobs.record(job),
                     path == run.paths.end() ? nullptr : &*path, split ? &*split : nullptr};
    JobRow row{.job = run.job_name(job)};
    end.add_times(row, jobs.alone.empty() ? -1 : jobs.alone[job], jobs.slowdown(job));
    end.add_iterations(row);
    end.add_spans(row);
    end.add_work(row);
    end.add_path(row);
    end.add_busiest_node(row);
    rows.add(row);
  }
}

}  // namespace

std::span<const ColumnOf<JobRow>> JobRow::columns() { return kColumnsOfJobs; }

TableKind per_job_table() {
  return table_of<kColumnsOfJobs, add_per_job>(
      {.rows = "jobs: when they are done, and what their ranks do",
       .when = "jobs",
       .needs = Needs::jobs,
       .most_cells = [](const TableBounds& most, double columns) { return most.flows * columns; },
       .named_rows = true});
}

}  // namespace headway
