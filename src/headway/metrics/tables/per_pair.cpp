// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"

namespace headway {
namespace {

struct Pair {
  const MeasuredRun& run;
  NodeId source, destination;
  FlowCensus::Packets waiting;     // if the run takes photographs
  const MessagesOfPair* messages;  // null: not measured

  double completion_ns(double quantile) const { return run.network().ns(messages->ticks_of(quantile)); }
  std::uint64_t number() const { return std::uint64_t{source} * run.network().nodes() + destination; }
  double waiting_ns(std::uint64_t sum) const {
    return run.mean_ns(sum, static_cast<double>(waiting.delivered));
  }
};

constexpr ColumnOf<Pair> kPairColumns[] = {
    {{"pair", kNumber, "number of the pair: source times the number of nodes, plus destination",
      OverSeeds::key},
     [](const Pair& p) -> Cell { return p.number(); }},
    {{"source", kNumber, "number of the sending node", OverSeeds::same},
     [](const Pair& p) -> Cell { return p.source; }},
    {{"destination", kNumber, "number of the receiving node", OverSeeds::same},
     [](const Pair& p) -> Cell { return p.destination; }},
    {{metrics::accepted_load, kLoad,
      "bytes delivered from source to destination in the window, divided by the capacity of the "
      "destination's "
      "link"},
     [](const Pair& p) -> Cell { return p.run.window().accepted_load_of_pair(p.source, p.destination); }},
    {{metrics::out_of_order_packets, "packets",
      "delivered packets that a later packet of the pair had overtaken"},
     [](const Pair& p) -> Cell {
       return p.run.window().simulation().record().disorder.deliveries_of.value(
           std::uint64_t{p.source} << 32 | p.destination);
     }},
    {{"messages_completed", kMessages, "messages of the pair whose last packet was delivered in the window",
      Needs::messages},
     [](const Pair& p) -> Cell { return p.messages->sums.messages; }},
    {{"completion_mean_ns", "ns",
      "mean time from the generation of a message of the pair to the delivery of the last of its packets",
      Needs::messages},
     [](const Pair& p) -> Cell { return p.run.network().ns(p.messages->mean_ticks()); }},
    {{"completion_p50_ns", "ns", "time not exceeded by half of these messages (within 0.8 %)",
      Needs::messages},
     [](const Pair& p) -> Cell { return p.completion_ns(0.5); }},
    {{"completion_p99_ns", "ns", "time not exceeded by 99 % of these messages (within 0.8 %)",
      Needs::messages},
     [](const Pair& p) -> Cell { return p.completion_ns(0.99); }},
    {{"completion_max_ns", "ns", "maximum of these times", OverSeeds::maximum, Needs::messages},
     [](const Pair& p) -> Cell { return p.completion_ns(1); }},
    {{"slowdown_mean", "1", "mean slowdown of the messages of the pair", Needs::messages},
     [](const Pair& p) -> Cell { return p.messages->mean_slowdown(); }},
    {{"slowdown_p50", "1", "slowdown not exceeded by half of these messages (within 0.8 %)", Needs::messages},
     [](const Pair& p) -> Cell { return p.messages->slowdown(0.5); }},
    {{metrics::slowdown_p99, "1", "slowdown not exceeded by 99 % of these messages (within 0.8 %)",
      Needs::messages},
     [](const Pair& p) -> Cell { return p.messages->slowdown(0.99); }},
    {{"slowdown_max", "1", "maximum slowdown of a message of the pair", OverSeeds::maximum, Needs::messages},
     [](const Pair& p) -> Cell { return p.messages->slowdown(1); }},
    {{"waiting_packets", "packets", "mean number of packets of the pair that wait for anything",
      Needs::waiting},
     [](const Pair& p) -> Cell { return p.run.mean(p.waiting.waiting); }},
    {{"hol_packets", "packets", "of these, packets in head-of-line blocking", Needs::waiting},
     [](const Pair& p) -> Cell { return p.run.mean(p.waiting.hol); }},
    {{"victim_packets", "packets", "of these, packets that wait for a root that they do not have to cross",
      Needs::waiting},
     [](const Pair& p) -> Cell { return p.run.mean(p.waiting.victims); }},
    {{"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet of the pair", Needs::waiting},
     [](const Pair& p) -> Cell { return p.waiting_ns(p.waiting.hol); }},
    {{"victim_wait_ns", "ns", "waiting as a victim per delivered packet of the pair", Needs::waiting},
     [](const Pair& p) -> Cell { return p.waiting_ns(p.waiting.victims); }},
};

void add_per_pair(const MeasuredRun& run, TableRows<Pair>& rows) {
  for (NodeId source = 0; source < run.network().nodes(); ++source)
    for (NodeId destination = 0; destination < run.network().nodes(); ++destination)
      rows.add({run, source, destination,
                run.observer == nullptr ? FlowCensus::Packets{}
                                        : run.observer->census()->pair(source, destination),
                run.messages == nullptr ? nullptr : &run.messages->of_pair(source, destination)});
}

}  // namespace

TableKind per_pair_table() {
  return table_of<kPairColumns, add_per_pair>(
      {.name = "per_pair",
       .rows = "source-destination pairs",
       .when = "`\"per-pair\"` in `measure.tables`",
       .most_cells = [](const TableBounds& most,
                        double columns) { return most.nodes * most.nodes * columns; },
       .on_request = "accepted load of every pair of source and destination"});
}

}  // namespace headway
