// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct OperationRow {
  const MeasuredRun& run;
  std::string_view name;
  const Job& job;
  const Program& program;
  std::uint32_t op;
  const ProgramOpTimes& times;

  double ns(Tick tick) const { return tick < 0 ? kNaN : run.ns(tick); }
  const ProgramOp& it() const { return program.ops[op]; }
  bool is_compute() const { return it().kind == ProgramOpKind::compute; }
};

constexpr std::string_view kKinds[] = {"compute", "send", "receive"};

constexpr ColumnOf<OperationRow> kOperationColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, [](const OperationRow& o) -> Cell { return o.name; }},
    {{"rank", kNumber, "number of its rank", OverSeeds::key},
     [](const OperationRow& o) -> Cell { return o.it().rank; }},
    {{"operation", kNumber, "number of the operation within its rank, from 0", OverSeeds::key},
     [](const OperationRow& o) -> Cell { return o.program.number_in_rank(o.op); }},
    {{"kind", kName, "compute, send or receive", OverSeeds::same},
     [](const OperationRow& o) -> Cell { return kKinds[static_cast<std::size_t>(o.it().kind)]; }},
    {{"peer", kNumber, "the other rank of a send or receive; empty for a compute", OverSeeds::same},
     [](const OperationRow& o) -> Cell {
       return o.is_compute() ? kNaN : static_cast<double>(o.program.ops[o.it().partner].rank);
     }},
    {{"message_bytes", "bytes", "length of its message; empty for a compute", OverSeeds::same},
     [](const OperationRow& o) -> Cell {
       return o.is_compute() ? kNaN : static_cast<double>(o.it().amount);
     }},
    {{"start_ns", "ns",
      "time at which it starts, in the last iteration of its rank: a receive when it is posted, others when "
      "their "
      "CPU begins with them; empty if it has not started"},
     [](const OperationRow& o) -> Cell { return o.ns(o.times.start); }},
    {{"finish_ns", "ns", "time at which it completes; empty if it has not"},
     [](const OperationRow& o) -> Cell { return o.ns(o.times.finish); }},
    {{"turn_ns", "ns",
      "time for which it occupies its CPU: a receive before its finish, others from their start on"},
     [](const OperationRow& o) -> Cell { return o.ns(o.job.turn(o.it())); }},
};

void add_per_operation(const MeasuredRun& run, TableRows<OperationRow>& rows) {
  for (std::size_t job = 0; job < run.jobs->jobs.size(); ++job) {
    const Job& it = run.jobs->workload.jobs[job];
    const Program& program = *it.program;
    const std::vector<ProgramOpTimes>& ops = run.jobs->jobs.record(job).ops;
    for (std::uint32_t op = 0; op < program.size(); ++op)
      rows.add({run, run.job_name(job), it, program, op, ops[op]});
  }
}

}  // namespace

TableKind per_operation_table() {
  return {.name = "per_operation",
          .rows = "operations of jobs, in the last iteration of their rank",
          .when = "jobs, and `\"per-operation\"` in `measure.tables`",
          .columns = metrics_of(kOperationColumns),
          .needs = Needs::jobs,
          .made = table_of<OperationRow, kOperationColumns, add_per_operation>,
          .most_cells = [](const TableBounds& most, double columns) { return most.operations * columns; },
          .on_request = "start and finish of every operation of jobs"};
}

}  // namespace headway
