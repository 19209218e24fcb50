// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/stalls.h"
#include "headway/metrics/measured_run.h"
#include "headway/metrics/root_name.h"

namespace headway {
namespace {

struct StallRow {
  const MeasuredRun& run;
  StallKind kind;
  const HeadWait& wait;
  PortId at;  // port of the network whose queue it is

  PortId place() const { return run.network().graph_port(at); }
  double local(PortId port) const { return run.port_number(run.network().graph_port(port)); }
  double ns(Tick tick) const { return seen(run.ns(tick)); }
  // NaN if no photograph shows the head.
  double seen(double value) const { return wait.photographs == 0 ? kNaN : value; }
  // The port that held the output in most photographs, and their number; null if none did.
  const std::pair<PortId, std::uint32_t>* winner() const {
    const auto most = std::ranges::max_element(wait.holders, {}, &std::pair<PortId, std::uint32_t>::second);
    return most == wait.holders.end() ? nullptr : &*most;
  }
};

constexpr ColumnOf<StallRow> kStallColumns[] = {
    {{"kind", kName,
      "`deadlock`: the queue is in a cycle of queues that wait for each other; `starved`: its head is "
      "starved; `longest`: its head waited longest at the end of the run",
      OverSeeds::key},
     [](const StallRow& s) -> Cell { return name_of(s.kind); }},
    {{"at_switch", kNumber, "switch of the queue; empty for a node's injection queue", OverSeeds::key},
     [](const StallRow& s) -> Cell { return s.run.switch_at(s.place()); }},
    {{"at_node", kNumber, "node of the queue; empty for a queue of a switch", OverSeeds::key},
     [](const StallRow& s) -> Cell { return s.run.node_at(s.place()); }},
    {{"at_port", kNumber, "port of the queue at its switch or node", OverSeeds::key},
     [](const StallRow& s) -> Cell { return s.local(s.place()); }},
    {{"at_output", kNumber, "1 for an output queue of a CIOQ switch, else 0", OverSeeds::key},
     [](const StallRow& s) -> Cell { return s.at == s.place() ? 0 : 1; }},
    {{"queue", kNumber, "number of the queue at its port", OverSeeds::key},
     [](const StallRow& s) -> Cell { return s.wait.queue - s.run.network().ports[s.at].first_queue; }},
    {{"source", kNumber, "node that sent the packet at the head", OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.wait.head.source; }},
    {{"destination", kNumber, "node that the packet at the head goes to", OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.wait.head.destination; }},
    {{"flow", kName, "flow of the packet at the head, as in the table per_flow", OverSeeds::listed,
      Needs::waiting_flows},
     [](const StallRow& s) -> Cell {
       return std::string_view(s.run.flows[s.run.observer->census()->flow_of(s.wait.generator)]);
     }},
    {{"outranked", kNumber, "1 if classes of a higher level are served before the class of the head, else 0",
      OverSeeds::listed, Needs::waiting_classes},
     [](const StallRow& s) -> Cell { return s.run.observer->heads().is_outranked(s.wait) ? 1 : 0; }},
    {{"output", kNumber, "port of the switch or node that the head wants; empty if it may choose",
      OverSeeds::listed},
     [](const StallRow& s) -> Cell {
       return s.wait.head.output == kNone ? kNaN : s.local(s.wait.head.output);
     }},
    {{"since_ns", "ns", "first photograph that shows this packet at the head", OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.ns(s.wait.since); }},
    {{"until_ns", "ns", "last photograph that shows it there", OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.ns(s.wait.until); }},
    {{"root_kind", kName, "kind of the root that it waited for last, as in the table roots",
      OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.wait.photographs == 0 ? "" : name_of(s.wait.root.kind); }},
    {{"root_port", kNumber, "port of this root, as in the table roots", OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.seen(s.wait.root.port); }},
    {{"passed_packets", "packets",
      "packets of other queues that meanwhile took what the head lacks; a lower bound if several queues are "
      "behind the output, or if packets are shorter than full ones",
      OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.seen(static_cast<double>(s.wait.passed)); }},
    {{"rivals", "heads",
      "most heads that wanted the same output and queue or its input at a time, with itself",
      OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.seen(s.wait.rivals); }},
    {{"winner_port", kNumber,
      "input port of the same switch that held the output in most photographs meanwhile; empty if none did",
      OverSeeds::listed},
     [](const StallRow& s) -> Cell { return s.winner() == nullptr ? kNaN : s.local(s.winner()->first); }},
    {{"winner_share", "fraction of photographs", "photographs in which it did", OverSeeds::listed},
     [](const StallRow& s) -> Cell {
       return s.winner() == nullptr
                  ? kNaN
                  : static_cast<double>(s.winner()->second) / static_cast<double>(s.wait.photographs);
     }},
};

void add_stall_rows(const MeasuredRun& run, TableRows<StallRow>& rows) {
  constexpr std::size_t kMostStarved = 100;  // rows
  const std::vector<PortId> port_of = run.network().ports_of_queues();
  const auto add = [&](StallKind kind, const HeadWait& wait) {
    rows.add({run, kind, wait, port_of[wait.queue]});
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

TableKind stalls_table() {
  return {.name = "stalls",
          .rows =
              "queues of a deadlock's cycle, heads that starve, and the head that has waited longest; with "
              "several seeds, those of every run",
          .when = "`observe.waiting`",
          .columns = metrics_of(kStallColumns),
          .needs = Needs::waiting,
          .made = table_of<StallRow, kStallColumns, add_stall_rows>,
          .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }};
}

}  // namespace headway
