// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<OperationRow> kColumnsOfOperations[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, &OperationRow::job},
    {{"rank", kNumber, "number of its rank", OverSeeds::key}, &OperationRow::rank},
    {{"operation", kNumber, "number of the operation within its rank, from 0", OverSeeds::key},
     &OperationRow::operation},
    {{"kind", kName, "compute, send or receive", OverSeeds::same}, &OperationRow::kind},
    {{"peer", kNumber, "the other rank of a send or receive; empty for a compute", OverSeeds::same},
     &OperationRow::peer},
    {{"message_bytes", "bytes", "length of its message; empty for a compute", OverSeeds::same},
     &OperationRow::message_bytes},
    {{"start_ns", "ns",
      "time at which it starts, in the last iteration of its rank: a receive when it is posted, others when "
      "their "
      "CPU begins with them; empty if it has not started"},
     &OperationRow::start_ns},
    {{"finish_ns", "ns", "time at which it completes; empty if it has not"}, &OperationRow::finish_ns},
    {{"turn_ns", "ns",
      "time for which it occupies its CPU: a receive before its finish, others from their start on"},
     &OperationRow::turn_ns},
};

void add_per_operation(const MeasuredRun& run, TableRows<OperationRow>& rows) {
  constexpr std::string_view kKinds[] = {OperationRow::kCompute, OperationRow::kSend, OperationRow::kReceive};
  const auto ns = [&](Tick tick) { return tick < 0 ? kNaN : run.ns(tick); };
  for (std::size_t job = 0; job < run.jobs->jobs.size(); ++job) {
    const Job& it = run.jobs->workload.jobs[job];
    auto times = run.jobs->jobs.record(job).ops.begin();
    for (std::uint32_t rank = 0; rank < it.program->ranks(); ++rank)
      it.program->any_of(rank, [&](std::uint32_t number, const RankOp& op) {
        const bool is_compute = op.kind == ProgramOpKind::compute;
        rows.add({.job = run.job_name(job),
                  .rank = static_cast<double>(rank),
                  .operation = static_cast<double>(number),
                  .kind = kKinds[static_cast<std::size_t>(op.kind)],
                  .peer = is_compute ? kNaN : static_cast<double>(op.peer),
                  .message_bytes = is_compute ? kNaN : static_cast<double>(op.amount),
                  .start_ns = ns(times->start),
                  .finish_ns = ns(times->finish),
                  .turn_ns = ns(it.turn(rank, op.kind, op.amount))});
        ++times;
        return false;
      });
  }
}

}  // namespace

std::span<const ColumnOf<OperationRow>> OperationRow::columns() { return kColumnsOfOperations; }

TableKind per_operation_table() {
  return table_of<kColumnsOfOperations, add_per_operation>(
      {.rows = "operations of jobs, in the last iteration of their rank",
       .when = "jobs, and `\"per-operation\"` in `measure.tables`",
       .needs = Needs::jobs,
       .most_cells = [](const TableBounds& most, double columns) { return most.operations * columns; },
       .on_request = "start and finish of every operation of jobs"});
}

}  // namespace headway
