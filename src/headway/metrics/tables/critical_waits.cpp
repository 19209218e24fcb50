// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "headway/metrics/critical_path.h"
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

struct WaitRow {
  const MeasuredRun& run;
  std::size_t job;
  const PacketWait& wait;
  const Root& root;
  Tick ticks;
};

constexpr ColumnOf<WaitRow> kWaitColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key},
     [](const WaitRow& w) -> Cell { return w.run.job_name(w.job); }},
    {{"waiting", kName,
      "class of the waiting: limited, admittance, room, output, serial, input or hol (docs/waiting.md)",
      OverSeeds::key},
     [](const WaitRow& w) -> Cell { return name_of(w.wait.waiting); }},
    {{"at_switch", kNumber, "switch in which the packets on the path waited; empty for a node",
      OverSeeds::key},
     [](const WaitRow& w) -> Cell { return w.run.switch_at(w.wait.at); }},
    {{"at_node", kNumber, "node in which they waited; empty for a switch", OverSeeds::key},
     [](const WaitRow& w) -> Cell { return w.run.node_at(w.wait.at); }},
    {{"at_port", kNumber, "input port of the switch, or its output port for packets in an output queue",
      OverSeeds::key},
     [](const WaitRow& w) -> Cell { return w.run.port_number(w.wait.at); }},
    {{"victim", kNumber, "1 if the packets will not cross the root that they waited for; otherwise 0",
      OverSeeds::key},
     [](const WaitRow& w) -> Cell { return w.wait.victim ? 1 : 0; }},
    {{"behind", kName, "flow, trace or job whose packets the root sent meanwhile; empty if it sent none",
      OverSeeds::key},
     [](const WaitRow& w) -> Cell {
       return w.wait.flow == kNone ? std::string_view() : std::string_view(w.run.flows[w.wait.flow]);
     }},
    {{"behind_destination", kNumber, "node to which those packets went; empty if it sent none",
      OverSeeds::key},
     [](const WaitRow& w) -> Cell {
       return w.wait.destination == kNone ? kNaN : static_cast<double>(w.wait.destination);
     }},
    {{"wait_ns", "ns",
      "time on the critical path of the job; the sum over all rows is the waiting on the path",
      OverSeeds::listed},
     [](const WaitRow& w) -> Cell { return w.run.ns(w.ticks); }},
};

constexpr auto kAllWaitColumns = joined(kWaitColumns, kRootColumns<WaitRow>);

void add_critical_waits(const MeasuredRun& run, TableRows<WaitRow>& rows) {
  for (const CriticalPath& path : run.paths) {
    std::map<PacketWait, Tick> sums;
    for (const WatchedStep& step : path.steps)
      for (const auto& [wait, ticks] : step.waits)
        if (!wait.own) sums[wait] += ticks;
    std::vector<std::pair<PacketWait, Tick>> longest_first(sums.begin(), sums.end());
    std::ranges::stable_sort(longest_first, std::ranges::greater(), &std::pair<PacketWait, Tick>::second);
    for (const auto& [wait, ticks] : longest_first) rows.add({run, path.job, wait, wait.root, ticks});
  }
}

}  // namespace

TableKind critical_waits_table() {
  return {
      .name = "critical_waits",
      .rows = "what the packets on the critical paths of jobs waited for, longest first",
      .when = "jobs, and `\"critical-path\"` in `measure.tables`",
      .columns = metrics_of(kAllWaitColumns),
      .needs = Needs::critical_path,
      .made = table_of<WaitRow, kAllWaitColumns, add_critical_waits>,
      .most_cells = [](const TableBounds& most, double columns) { return most_path_rows(most) * columns; }};
}

}  // namespace headway
