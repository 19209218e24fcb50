// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "headway/analysis/transfer_split.h"
#include "headway/metrics/critical_path.h"
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

constexpr ColumnOf<WaitRow> kPacketColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, &WaitRow::job},
    {{"waiting", kName,
      "class of the waiting: limited, admittance, room, output, serial, input or hol (docs/waiting.md)",
      OverSeeds::key},
     &WaitRow::waiting},
    {{"at_switch", kNumber, "switch in which the packets on the path waited; empty for a node",
      OverSeeds::key},
     &WaitRow::at_switch},
    {{"at_node", kNumber, "node in which they waited; empty for a switch", OverSeeds::key},
     &WaitRow::at_node},
    {{"at_port", kNumber, "input port of the switch, or its output port for packets in an output queue",
      OverSeeds::key},
     &WaitRow::at_port},
    {{"victim", kNumber, "1 if the packets will not cross the root that they waited for; otherwise 0",
      OverSeeds::key},
     &WaitRow::victim},
    {{"behind", kName, "flow, trace or job whose packets the root sent meanwhile; empty if it sent none",
      OverSeeds::key},
     &WaitRow::behind},
    {{"behind_destination", kNumber, "node to which those packets went; empty if it sent none",
      OverSeeds::key},
     &WaitRow::behind_destination},
    {{"wait_ns", "ns",
      "time on the critical path of the job; the sum over all rows is the waiting on the path",
      OverSeeds::listed},
     &WaitRow::wait_ns},
    {{"slow_ns", "ns",
      "of wait_ns, what a link at the root would not need at the usual rate of its role; 0 at other roots",
      OverSeeds::listed},
     &WaitRow::slow_ns},
};

constexpr auto kColumnsOfWaits = joined(kPacketColumns, kRootColumns<WaitRow>);

void add_critical_waits(const MeasuredRun& run, TableRows<WaitRow>& rows) {
  if (run.paths.empty()) return;
  const TransferSplit split(run.network());
  for (const CriticalPath& path : run.paths) {
    std::map<PacketWait, Tick> sums;
    for (const WatchedStep& step : path.steps)
      for (const auto& [wait, ticks] : step.waits)
        if (!wait.own) sums[wait] += ticks;
    std::vector<std::pair<PacketWait, Tick>> longest_first(sums.begin(), sums.end());
    std::ranges::stable_sort(longest_first, std::ranges::greater(), &std::pair<PacketWait, Tick>::second);
    for (const auto& [wait, ticks] : longest_first) {
      WaitRow row{place_of(run, wait.root)};
      row.job = run.job_name(path.job);
      row.waiting = name_of(wait.waiting);
      row.at_switch = run.switch_at(wait.at);
      row.at_node = run.node_at(wait.at);
      row.at_port = run.port_number(wait.at);
      row.victim = wait.victim ? 1 : 0;
      if (wait.flow != kNone) row.behind = run.flows[wait.flow];
      if (wait.destination != kNone) row.behind_destination = wait.destination;
      row.wait_ns = run.ns(ticks);
      row.slow_ns = wait.root.kind == RootKind::link ? run.ns(split.too_long(wait.root.port, ticks)) : 0;
      rows.add(row);
    }
  }
}

}  // namespace

std::span<const ColumnOf<WaitRow>> WaitRow::columns() { return kColumnsOfWaits; }

TableKind critical_waits_table() {
  return table_of<kColumnsOfWaits, add_critical_waits>(
      {.rows = "what the packets on the critical paths of jobs waited for, longest first",
       .when = "jobs, and `\"critical-path\"` in `measure.tables`",
       .needs = Needs::critical_path,
       .most_cells = [](const TableBounds& most, double columns) { return most_path_rows(most) * columns; }});
}

}  // namespace headway
