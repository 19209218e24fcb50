// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct SlowMessageRow {
  const MeasuredRun& run;
  const Job& job;
  std::string_view name;
  const SlowMessage& it;

  RankOp send() const { return job.program->operation(it.message.send); }
  std::uint32_t rank() const { return it.message.send.rank; }
  std::uint32_t peer() const { return send().peer; }
};

constexpr ColumnOf<SlowMessageRow> kSlowMessageColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key},
     [](const SlowMessageRow& m) -> Cell { return m.name; }},
    {{"rank", kNumber, "number of the rank that sends it", OverSeeds::key},
     [](const SlowMessageRow& m) -> Cell { return m.rank(); }},
    {{"operation", kNumber, "number of the send within its rank, from 0", OverSeeds::key},
     [](const SlowMessageRow& m) -> Cell { return m.it.message.send.number; }},
    {{"iteration", kNumber, "number of the iteration, from 0", OverSeeds::key},
     [](const SlowMessageRow& m) -> Cell { return m.it.message.iteration; }},
    {{"peer", kNumber, "number of the rank that receives it", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.peer(); }},
    {{"source", kNumber, "number of the sending node", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.it.message.source; }},
    {{"destination", kNumber, "number of the receiving node", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.it.message.destination; }},
    {{"message_bytes", "bytes", "its length", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.send().amount; }},
    {{"begin_ns", "ns", "time at which the turn of its send ended", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.run.ns(m.it.message.begun); }},
    {{"completion_ns", "ns", "time from then to the delivery of the last of its packets", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.run.ns(m.it.completion()); }},
    {{"alone_ns", "ns", "the same if nothing else is in the network", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell { return m.run.ns(m.it.alone); }},
    {{"slowdown", "1", "completion_ns over alone_ns", OverSeeds::listed},
     [](const SlowMessageRow& m) -> Cell {
       return static_cast<double>(m.it.completion()) / static_cast<double>(m.it.alone);
     }},
};

void add_slowest_messages(const MeasuredRun& run, TableRows<SlowMessageRow>& rows) {
  for (const SlowMessage& slow : run.messages->slowest())
    rows.add({run, run.jobs->workload.jobs[slow.message.job], run.job_name(slow.message.job), slow});
}

}  // namespace

TableKind slowest_messages_table() {
  return table_of<kSlowMessageColumns, add_slowest_messages>(
      {.name = "slowest_messages",
       .rows = "the messages of jobs that lost the most time, compared with the same message alone in the "
               "network; as many as `measure.slowest_messages`; with several seeds, those of every run",
       .when = "jobs",
       .needs = Needs::jobs,
       .most_cells = [](const TableBounds& most, double columns) {
         return most.slowest_messages * columns;
       }});
}

}  // namespace headway
