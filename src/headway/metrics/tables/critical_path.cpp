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

constexpr ColumnOf<StepRow> kColumnsOfSteps[] = {
    {{"job", kName, "name of the job", OverSeeds::key}, &StepRow::job},
    {{"step", kNumber, "number of the step, from 0 at the start of the job", OverSeeds::key}, &StepRow::step},
    {{"step_kind", kName,
      "`compute`; `overhead`, the turn of a send or receive; `message`, until a message is delivered; "
      "`departure`, until the last byte of a message has left its node; `request` and `clearance`, the "
      "control messages of an announced message",
      OverSeeds::listed},
     &StepRow::step_kind},
    {{"rank", kNumber, "rank that computes, or whose node generates the message", OverSeeds::listed},
     &StepRow::rank},
    {{"peer", kNumber, "rank to which the message goes; empty for a turn", OverSeeds::listed},
     &StepRow::peer},
    {{"operation", kNumber, "number of the operation, or of the message's send, within its rank",
      OverSeeds::listed},
     &StepRow::operation},
    {{"iteration", kNumber, "iteration of the rank, from 0", OverSeeds::listed}, &StepRow::iteration},
    {{"start_ns", "ns", "time at which the step begins: the end of the step before it", OverSeeds::listed},
     &StepRow::start_ns},
    {{"length_ns", "ns", "its length; the lengths of all steps add up to the completion time of the job",
      OverSeeds::listed},
     &StepRow::length_ns},
    {{"wait_ns", "ns",
      "of this, time for which the packet that ends the step waits for packets of other messages or for "
      "credits",
      OverSeeds::listed},
     &StepRow::wait_ns},
    {{"hol_ns", "ns", "of wait_ns, head-of-line blocking", OverSeeds::listed}, &StepRow::hol_ns},
    {{"victim_ns", "ns", "of wait_ns, waiting for a root of congestion that the packet will not cross",
      OverSeeds::listed},
     &StepRow::victim_ns},
    {{"longest_wait_ns", "ns", "of wait_ns, the longest waiting in one place for one root of congestion",
      OverSeeds::listed},
     &StepRow::longest_wait_ns},
    {{"at_switch", kNumber, "switch in which the packet waited longest; empty for a node, or without waiting",
      OverSeeds::listed},
     &StepRow::at_switch},
    {{"at_node", kNumber, "node in which it waited longest; empty for a switch, or without waiting",
      OverSeeds::listed},
     &StepRow::at_node},
    {{"at_port", kNumber, "port of this switch or node, as in the table critical_waits", OverSeeds::listed},
     &StepRow::at_port},
    {{"root_kind", kName, "kind of the root for which it waited longest, as in the table roots",
      OverSeeds::listed},
     &StepRow::root_kind},
    {{"root_port", kNumber, "number of this root's port among all ports of the network", OverSeeds::listed},
     &StepRow::root_port},
};

std::string_view kind_of_step(const WatchedStep& step, const RankOp& op) {
  switch (step.step.kind) {
    case StepKind::start:
    case StepKind::turn:
      return op.kind == ProgramOpKind::compute ? "compute" : "overhead";
    case StepKind::data:
      return "message";
    case StepKind::departure:
      return StepRow::kDeparture;
    case StepKind::request:
      return "request";
    case StepKind::clearance:
      return "clearance";
  }
  return "";
}

StepRow step_row(const MeasuredRun& run, std::size_t job, std::size_t number, const WatchedStep& step) {
  const RankOp op = run.jobs->workload.jobs[job].program->operation(step.step.op);
  const bool is_back = step.step.kind == StepKind::clearance;
  const double own = step.step.op.rank;
  const auto partner = [&]() -> double { return op.peer; };
  StepRow row{.job = run.job_name(job),
              .step = static_cast<double>(number),
              .step_kind = kind_of_step(step, op),
              .rank = is_back ? partner() : own,
              .peer = step.is_turn() ? kNaN
                      : is_back      ? own
                                     : partner(),
              .operation = static_cast<double>(step.step.op.number),
              .iteration = static_cast<double>(step.step.iteration),
              .start_ns = run.ns(step.step.begin),
              .length_ns = run.ns(step.length()),
              .wait_ns = run.ns(step.waited()),
              .hol_ns = run.ns(step.blocked()),
              .victim_ns = run.ns(step.victim()),
              .longest_wait_ns = 0};
  const std::optional<LongestWait> longest = longest_of(step);
  if (!longest) return row;
  row.longest_wait_ns = run.ns(longest->ticks);
  row.at_switch = run.switch_at(longest->at);
  row.at_node = run.node_at(longest->at);
  row.at_port = run.port_number(longest->at);
  row.root_kind = name_of(longest->root.kind);
  row.root_port = longest->root.port;
  return row;
}

void add_critical_path(const MeasuredRun& run, TableRows<StepRow>& rows) {
  for (const CriticalPath& path : run.paths)
    for (std::size_t i = 0; i < std::min(path.steps.size(), CriticalPath::kMostListed); ++i)
      rows.add(step_row(run, path.job, i, path.steps[i]));
}

}  // namespace

std::span<const ColumnOf<StepRow>> StepRow::columns() { return kColumnsOfSteps; }

TableKind critical_path_table() {
  return table_of<kColumnsOfSteps, add_critical_path>(
      {.rows = "steps of the critical paths of jobs, from their start to their finish; of each job the first "
               "100,000",
       .when = "jobs, and `\"critical-path\"` in `measure.tables`",
       .needs = Needs::jobs,
       .most_cells = [](const TableBounds& most, double columns) { return most_path_rows(most) * columns; },
       .on_request = "the critical path of every job, and what the packets on it waited for; the run is "
                     "simulated twice"});
}

}  // namespace headway
