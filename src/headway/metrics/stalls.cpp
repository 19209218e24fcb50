// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/stalls.h"

#include <algorithm>
#include <vector>

#include "headway/metrics/columns.h"

namespace headway {
namespace {

constexpr std::string_view kTable = "stalls";
constexpr std::size_t kMostStarved = 100;  // rows

constexpr Metric kStallsMetrics[] = {
    {"starved_heads", "packets",
     "heads of queues that were passed by far more packets than a fair arbiter would let pass: more than 64 "
     "for every rival",
     Needs::waiting},
    {"longest_head_wait_ns", "ns",
     "longest time, seen at the end of the run, that a packet had been at the head of its queue",
     Needs::waiting},
};

constexpr Metric kStallsColumns[] = {
    {"kind", kNumber,
     "0: the queue is in a cycle of queues that wait for each other (deadlock); 1: its head is starved; 2: "
     "its head waited longest at the end of the run",
     Needs::waiting, kTable},
    {"at_switch", kNumber, "switch of the queue; empty for a node's injection queue", Needs::waiting, kTable},
    {"at_node", kNumber, "node of the queue; empty for a queue of a switch", Needs::waiting, kTable},
    {"at_port", kNumber, "port of the queue at its switch or node", Needs::waiting, kTable},
    {"at_output", kNumber, "1 for an output queue of a CIOQ switch, else 0", Needs::waiting, kTable},
    {"queue", kNumber, "number of the queue at its port", Needs::waiting, kTable},
    {"source", kNumber, "node that sent the packet at the head", Needs::waiting, kTable},
    {"destination", kNumber, "node that the packet at the head goes to", Needs::waiting, kTable},
    {"output", kNumber, "port of the switch or node that the head wants; empty if it may choose",
     Needs::waiting, kTable},
    {"since_ns", "ns", "first photograph that shows this packet at the head", Needs::waiting, kTable},
    {"until_ns", "ns", "last photograph that shows it there", Needs::waiting, kTable},
    {"root_kind", kNumber, "kind of the root that it waited for last, as in the table roots", Needs::waiting,
     kTable},
    {"root_port", kNumber, "port of this root, as in the table roots", Needs::waiting, kTable},
    {"passed_packets", "packets",
     "packets of other queues that meanwhile took what the head lacks; a lower bound if several queues are "
     "behind the output, or if packets are shorter than full ones",
     Needs::waiting, kTable},
    {"rivals", "heads",
     "most heads that wanted the same output and queue or its input at a time, with itself", Needs::waiting,
     kTable},
    {"winner_port", kNumber,
     "input port of the same switch that held the output in most photographs meanwhile; empty if none did",
     Needs::waiting, kTable},
    {"winner_share", "fraction of photographs", "photographs in which it did", Needs::waiting, kTable},
};

class Rows {
 public:
  Rows(const Network& network, Table& table)
      : network_(network), table_(table), port_of_(network.ports_of_queues()) {
    table_ = table_of({kStallsColumns});
  }

  void add(StallKind kind, const HeadWait& wait) {
    const PortId at = port_of_[wait.queue];
    const PortId place = network_.graph_port(at);
    const bool at_node = network_.graph.is_node_port(place);
    const auto winner = std::ranges::max_element(wait.holders, {}, &std::pair<PortId, std::uint32_t>::second);
    const bool won = winner != wait.holders.end();
    const auto if_seen = [&](double value) { return wait.photographs == 0 ? kNaN : value; };
    const auto ns = [&](Tick tick) { return if_seen(network_.ns(static_cast<double>(tick))); };
    add_row(
        table_,
        {static_cast<double>(kind), at_node ? kNaN : network_.graph.switch_of(place),
         at_node ? network_.graph.node_of(place) : kNaN, local(place), at == place ? 0.0 : 1.0,
         static_cast<double>(wait.queue - network_.ports[at].first_queue),
         static_cast<double>(wait.head.source), static_cast<double>(wait.head.destination),
         wait.head.output == kNone ? kNaN : local(wait.head.output), ns(wait.since), ns(wait.until),
         if_seen(static_cast<double>(wait.root.kind)), if_seen(wait.root.port),
         if_seen(static_cast<double>(wait.passed)), if_seen(wait.rivals), won ? local(winner->first) : kNaN,
         won ? static_cast<double>(winner->second) / static_cast<double>(wait.photographs) : kNaN});
  }

 private:
  double local(PortId port) const { return network_.ports[network_.graph_port(port)].local; }

  const Network& network_;
  Table& table_;
  std::vector<PortId> port_of_;  // [queue]
};

}  // namespace

std::span<const Metric> stall_metrics() { return kStallsMetrics; }
std::span<const Metric> stall_columns() { return kStallsColumns; }

void add_stalls(const Network& network, const Stall& stall, const HeadWatch& heads, StateView view,
                Result& result) {
  Rows rows(network, result.stalls);
  for (const std::uint32_t queue : stall.cycle) {
    HeadWait wait{.queue = queue, .head = {}, .photographs = 0, .holders = {}};
    view.head(queue, wait.head);
    rows.add(StallKind::deadlock, wait);
  }
  std::vector<HeadWait> starved = heads.starved();
  const auto overtaken = [](const HeadWait& wait) { return static_cast<double>(wait.passed) / wait.rivals; };
  std::ranges::stable_sort(starved, std::ranges::greater{}, overtaken);
  const HeadWait* const longest = heads.longest();
  const double wait = longest == nullptr ? 0 : static_cast<double>(longest->until - longest->since);
  result.metrics.emplace_back(kStallsMetrics[0].name, static_cast<double>(starved.size()));
  result.metrics.emplace_back(kStallsMetrics[1].name, network.ns(wait));
  starved.resize(std::min(starved.size(), kMostStarved));
  for (const HeadWait& one : starved) rows.add(StallKind::starved, one);
  if (longest != nullptr) rows.add(StallKind::longest, *longest);
}

}  // namespace headway
