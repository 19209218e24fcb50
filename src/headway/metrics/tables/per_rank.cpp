// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct RankRow {
  const MeasuredRun& run;
  std::string_view job;
  std::size_t rank;
  NodeId node;
  const RankTimes& times;
};

constexpr ColumnOf<RankRow> kRankColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, [](const RankRow& r) -> Cell { return r.job; }},
    {{"rank", kNumber, "number of the rank", OverSeeds::key},
     [](const RankRow& r) -> Cell { return r.rank; }},
    {{"at_node", kNumber, "number of the node that it runs on", OverSeeds::same},
     [](const RankRow& r) -> Cell { return r.node; }},
    {{"finish_ns", "ns", "time at which its last operation completes; empty if it is not done"},
     [](const RankRow& r) -> Cell { return r.times.finish < 0 ? kNaN : r.run.ns(r.times.finish); }},
    {{"computing_ns", "ns", "time for which its CPUs compute"},
     [](const RankRow& r) -> Cell { return r.run.ns(r.times.computing); }},
    {{"overhead_ns", "ns", "time for which its CPUs handle sends and receives"},
     [](const RankRow& r) -> Cell { return r.run.ns(r.times.overhead); }},
    {{"idle_ns", "ns", "time from the start of the job to its finish for which none of its CPUs is busy"},
     [](const RankRow& r) -> Cell { return r.run.ns(r.times.idle); }},
};

void add_per_rank(const MeasuredRun& run, TableRows<RankRow>& rows) {
  for (std::size_t job = 0; job < run.jobs->jobs.size(); ++job) {
    const JobRecord& record = run.jobs->jobs.record(job);
    for (std::size_t rank = 0; rank < record.ranks.size(); ++rank)
      rows.add({run, run.job_name(job), rank, record.nodes[rank], record.ranks[rank]});
  }
}

}  // namespace

TableKind per_rank_table() {
  return table_of<kRankColumns, add_per_rank>(
      {.name = "per_rank",
       .rows = "ranks of jobs: how long they compute, send and wait",
       .when = "jobs",
       .needs = Needs::jobs,
       .most_cells = [](const TableBounds& most, double columns) { return most.ranks * columns; }});
}

}  // namespace headway
