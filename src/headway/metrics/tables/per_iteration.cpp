// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct IterationRow {
  const MeasuredRun& run;
  std::string_view job;
  std::size_t number;
  double bus_bytes;
  const IterationTimes& times;
};

constexpr ColumnOf<IterationRow> kIterationColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, [](const IterationRow& i) -> Cell { return i.job; }},
    {{"iteration", kNumber, "number of the iteration, from 0", OverSeeds::key},
     [](const IterationRow& i) -> Cell { return i.number; }},
    {{"begin_ns", "ns", "time at which its first rank begins it", OverSeeds::listed},
     [](const IterationRow& i) -> Cell { return i.run.ns(i.times.begin); }},
    {{"end_ns", "ns", "time at which its last rank has completed it", OverSeeds::listed},
     [](const IterationRow& i) -> Cell { return i.run.ns(i.times.end); }},
    {{"length_ns", "ns", "time between the two", OverSeeds::listed},
     [](const IterationRow& i) -> Cell { return i.run.ns(i.times.end - i.times.begin); }},
    {{"bus_bandwidth_gb_per_s", "GB/s", "as in per_job, with the length of this iteration",
      OverSeeds::listed},
     [](const IterationRow& i) -> Cell {
       const double ns = i.run.ns(i.times.end - i.times.begin);
       return i.bus_bytes == 0 || ns == 0 ? kNaN : i.bus_bytes / ns;
     }},
};

void add_per_iteration(const MeasuredRun& run, TableRows<IterationRow>& rows) {
  for (std::size_t job = 0; job < run.jobs->jobs.size(); ++job) {
    const std::vector<IterationTimes>& all = run.jobs->jobs.record(job).of_iteration;
    const double bus_bytes = run.jobs->workload.jobs[job].program->bus_bytes;
    for (std::size_t i = 0; i < all.size(); ++i) rows.add({run, run.job_name(job), i, bus_bytes, all[i]});
  }
}

}  // namespace

TableKind per_iteration_table() {
  return table_of<kIterationColumns, add_per_iteration>(
      {.name = "per_iteration",
       .rows = "the first 100,000 iterations of each job that all its ranks have completed",
       .when = "jobs",
       .needs = Needs::jobs,
       .most_cells = [](const TableBounds& most, double columns) { return most.iterations * columns; }});
}

}  // namespace headway
