// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>

#include "headway/metrics/critical_path.h"
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

// Where the packet that ends a step waited longest, and for which root.
struct LongestWait {
  PortId at;
  Root root;
  Tick ticks;
};

// The longest wait of a step; among equally long ones, the first in the order of ports.
std::optional<LongestWait> longest_of(const WatchedStep& step) {
  std::map<std::pair<PortId, Root>, Tick> sums;
  for (const auto& [wait, ticks] : step.waits)
    if (!wait.own) sums[{wait.at, wait.root}] += ticks;
  std::optional<LongestWait> longest;
  for (const auto& [place, ticks] : sums)
    if (!longest || ticks > longest->ticks) longest = {place.first, place.second, ticks};
  return longest;
}

struct StepRow {
  const MeasuredRun& run;
  std::size_t job;
  std::size_t number;
  const WatchedStep& step;
  std::optional<LongestWait> longest;

  const Program& program() const { return *run.jobs->workload.jobs[job].program; }
  const ProgramOp& op() const { return program().ops[step.step.op]; }
  double rank_of_partner() const { return program().ops[op().partner].rank; }
  bool is_back() const { return step.step.kind == StepKind::clearance; }
  std::string_view kind() const {
    switch (step.step.kind) {
      case StepKind::start:
      case StepKind::turn:
        return op().kind == ProgramOpKind::compute ? "compute" : "overhead";
      case StepKind::data:
        return "message";
      case StepKind::departure:
        return "departure";
      case StepKind::request:
        return "request";
      case StepKind::clearance:
        return "clearance";
    }
    return "";
  }
};

constexpr ColumnOf<StepRow> kStepColumns[] = {
    {{"job", kName, "name of the job", OverSeeds::key},
     [](const StepRow& s) -> Cell { return s.run.job_name(s.job); }},
    {{"step", kNumber, "number of the step, from 0 at the start of the job", OverSeeds::key},
     [](const StepRow& s) -> Cell { return s.number; }},
    {{"step_kind", kName,
      "`compute`; `overhead`, the turn of a send or receive; `message`, until a message is delivered; "
      "`departure`, until the last byte of a message has left its node; `request` and `clearance`, the "
      "control messages of an announced message",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.kind(); }},
    {{"rank", kNumber, "rank that computes, or whose node generates the message", OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.is_back() ? s.rank_of_partner() : s.op().rank; }},
    {{"peer", kNumber, "rank to which the message goes; empty for a turn", OverSeeds::listed},
     [](const StepRow& s) -> Cell {
       if (s.step.is_turn()) return kNaN;
       return s.is_back() ? s.op().rank : s.rank_of_partner();
     }},
    {{"operation", kNumber, "number of the operation, or of the message's send, within its rank",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.program().number_in_rank(s.step.step.op); }},
    {{"iteration", kNumber, "iteration of the rank, from 0", OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.step.step.iteration; }},
    {{"start_ns", "ns", "time at which the step begins: the end of the step before it", OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.run.ns(s.step.step.begin); }},
    {{"length_ns", "ns", "its length; the lengths of all steps add up to the completion time of the job",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.run.ns(s.step.length()); }},
    {{"wait_ns", "ns",
      "of this, time for which the packet that ends the step waits for packets of other messages or for "
      "credits",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.run.ns(s.step.waited()); }},
    {{"hol_ns", "ns", "of wait_ns, head-of-line blocking", OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.run.ns(s.step.blocked()); }},
    {{"victim_ns", "ns", "of wait_ns, waiting for a root of congestion that the packet will not cross",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.run.ns(s.step.victim()); }},
    {{"longest_wait_ns", "ns", "of wait_ns, the longest waiting in one place for one root of congestion",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.longest ? s.run.ns(s.longest->ticks) : 0.0; }},
    {{"at_switch", kNumber, "switch in which the packet waited longest; empty for a node, or without waiting",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.longest ? s.run.switch_at(s.longest->at) : kNaN; }},
    {{"at_node", kNumber, "node in which it waited longest; empty for a switch, or without waiting",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.longest ? s.run.node_at(s.longest->at) : kNaN; }},
    {{"at_port", kNumber, "port of this switch or node, as in the table critical_waits", OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.longest ? s.run.port_number(s.longest->at) : kNaN; }},
    {{"root_kind", kName, "kind of the root for which it waited longest, as in the table roots",
      OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.longest ? name_of(s.longest->root.kind) : ""; }},
    {{"root_port", kNumber, "number of this root's port among all ports of the network", OverSeeds::listed},
     [](const StepRow& s) -> Cell { return s.longest ? s.longest->root.port : kNaN; }},
};

void add_critical_path(const MeasuredRun& run, TableRows<StepRow>& rows) {
  for (const CriticalPath& path : run.paths)
    for (std::size_t i = 0; i < std::min(path.steps.size(), CriticalPath::kMostListed); ++i)
      rows.add({run, path.job, i, path.steps[i], longest_of(path.steps[i])});
}

}  // namespace

TableKind critical_path_table() {
  return {
      .name = "critical_path",
      .rows =
          "steps of the critical paths of jobs, from their start to their finish; of each job the first "
          "100,000",
      .when = "jobs, and `\"critical-path\"` in `measure.tables`",
      .columns = metrics_of(kStepColumns),
      .needs = Needs::jobs,
      .made = table_of<StepRow, kStepColumns, add_critical_path>,
      .most_cells = [](const TableBounds& most, double columns) { return most_path_rows(most) * columns; },
      .on_request =
          "the critical path of every job, and what the packets on it waited for; the run is "
          "simulated twice"};
}

}  // namespace headway
