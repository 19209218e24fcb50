// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/stalls.h"
#include "headway/metrics/measured_run.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<StallRow> kColumnsOfStalls[] = {
    {{"kind", kName,
      "`deadlock`: the queue is in a cycle of queues that wait for each other; `starved`: its head is "
      "starved; `longest`: its head waited longest at the end of the run",
      OverSeeds::key},
     &StallRow::kind},
    {{"at_switch", kNumber, "switch of the queue; empty for a node's injection queue", OverSeeds::key},
     &StallRow::at_switch},
    {{"at_node", kNumber, "node of the queue; empty for a queue of a switch", OverSeeds::key},
     &StallRow::at_node},
    {{"at_port", kNumber, "port of the queue at its switch or node", OverSeeds::key}, &StallRow::at_port},
    {{"at_output", kNumber, "1 for an output queue of a CIOQ switch, else 0", OverSeeds::key},
     &StallRow::at_output},
    {{"queue", kNumber, "number of the queue at its port", OverSeeds::key}, &StallRow::queue},
    {{"source", kNumber, "node that sent the packet at the head", OverSeeds::listed}, &StallRow::source},
    {{"destination", kNumber, "node that the packet at the head goes to", OverSeeds::listed},
     &StallRow::destination},
    {{"flow", kName, "flow of the packet at the head, as in the table per_flow", OverSeeds::listed,
      Needs::waiting_flows},
     &StallRow::flow},
    {{"outranked", kNumber, "1 if classes of a higher level are served before the class of the head, else 0",
      OverSeeds::listed, Needs::waiting_classes},
     &StallRow::outranked},
    {{"output", kNumber, "port of the switch or node that the head wants; empty if it may choose",
      OverSeeds::listed},
     &StallRow::output},
    {{"since_ns", "ns", "first photograph that shows this packet at the head", OverSeeds::listed},
     &StallRow::since_ns},
    {{"until_ns", "ns", "last photograph that shows it there", OverSeeds::listed}, &StallRow::until_ns},
    {{"root_kind", kName, "kind of the root that it waited for last, as in the table roots",
      OverSeeds::listed},
     &StallRow::root_kind},
    {{"root_port", kNumber, "port of this root, as in the table roots", OverSeeds::listed},
     &StallRow::root_port},
    {{"passed_packets", "packets",
      "packets of other queues that meanwhile took what the head lacks; a lower bound if several queues are "
      "behind the output, or if packets are shorter than full ones",
      OverSeeds::listed},
     &StallRow::passed_packets},
    {{"rivals", "heads",
      "most heads that wanted the same output and queue or its input at a time, with itself",
      OverSeeds::listed},
     &StallRow::rivals},
    {{"winner_port", kNumber,
      "input port of the same switch that held the output in most photographs meanwhile; empty if none did",
      OverSeeds::listed},
     &StallRow::winner_port},
    {{"winner_share", "fraction of photographs", "photographs in which it did", OverSeeds::listed},
     &StallRow::winner_share},
};

// `at` is the port of the network whose queue it is.
StallRow stall_row(const MeasuredRun& run, StallKind kind, const HeadWait& wait, PortId at) {
  const Network& network = run.network();
  const PortId place = network.graph_port(at);
  const auto local = [&](PortId port) { return run.port_number(network.graph_port(port)); };
  StallRow row{.kind = name_of(kind),
               .at_switch = run.switch_at(place),
               .at_node = run.node_at(place),
               .at_port = local(place),
               .at_output = at == place ? 0.0 : 1.0,
               .queue = static_cast<double>(wait.queue - network.ports[at].first_queue),
               .source = static_cast<double>(wait.head.source),
               .destination = static_cast<double>(wait.head.destination)};
  if (run.scope.meets(Needs::waiting_flows))
    row.flow = run.flows[run.observer->census()->flow_of(wait.generator)];
  if (run.scope.meets(Needs::waiting_classes)) row.outranked = run.observer->heads().is_outranked(wait);
  if (wait.head.output != kNone) row.output = local(wait.head.output);
  if (wait.photographs > 0) {
    row.since_ns = run.ns(wait.since);
    row.until_ns = run.ns(wait.until);
    row.root_kind = name_of(wait.root.kind);
    row.root_port = wait.root.port;
    row.passed_packets = static_cast<double>(wait.passed);
    row.rivals = wait.rivals;
  }
  // The port that held the output in most photographs, and their number.
  const auto winner = std::ranges::max_element(wait.holders, {}, &std::pair<PortId, std::uint32_t>::second);
  if (winner == wait.holders.end()) return row;
  row.winner_port = local(winner->first);
  row.winner_share = static_cast<double>(winner->second) / static_cast<double>(wait.photographs);
  return row;
}

void add_stall_rows(const MeasuredRun& run, TableRows<StallRow>& rows) {
  constexpr std::size_t kMostStarved = 100;  // rows
  const std::vector<PortId> port_of = run.network().ports_of_queues();
  const auto add = [&](StallKind kind, const HeadWait& wait) {
    rows.add(stall_row(run, kind, wait, port_of[wait.queue]));
  };
  for (const std::uint32_t queue : run.stall.cycle) {
    HeadWait wait{.queue = queue, .head = {}, .photographs = 0, .holders = {}};
    const StateView view = run.window().simulation().view();
    view.head(queue, wait.head);
    wait.generator = view.generator(wait.head.id);
    add(StallKind::deadlock, wait);
  }
  std::vector<HeadWait> starved = run.observer->heads().starved();
  const auto overtaken = [](const HeadWait& wait) { return static_cast<double>(wait.passed) / wait.rivals; };
  std::ranges::stable_sort(starved, std::ranges::greater{}, overtaken);
  starved.resize(std::min(starved.size(), kMostStarved));
  for (const HeadWait& wait : starved) add(StallKind::starved, wait);
  if (const HeadWait* const longest = run.observer->heads().longest()) add(StallKind::longest, *longest);
}

}  // namespace

std::span<const ColumnOf<StallRow>> StallRow::columns() { return kColumnsOfStalls; }

TableKind stalls_table() {
  return table_of<kColumnsOfStalls, add_stall_rows>(
      {.rows = "queues of a deadlock's cycle, heads that starve, and the head that has waited longest; with "
               "several seeds, those of every run",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }});
}

}  // namespace headway
