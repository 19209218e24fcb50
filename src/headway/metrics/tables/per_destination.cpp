// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct Destination {
  const MeasuredRun& run;
  NodeId node;
  const Portion* portion;  // null: fairness is not requested

  const Received& received() const { return run.window().simulation().record().received[node]; }
  double packets() const { return static_cast<double>(received().packets); }
  double mean_ns(std::uint64_t ticks) const {
    return packets() > 0 ? run.network().ns(static_cast<double>(ticks) / packets()) : kNaN;
  }
  std::uint64_t hol() const { return run.observer->sums().hol_to[node]; }
  std::uint64_t victims() const { return run.observer->sums().victims_to[node]; }
  double waiting_ns(std::uint64_t sum) const { return run.mean_ns(sum, packets()); }
};

constexpr ColumnOf<Destination> kDestinationColumns[] = {
    {{"destination", kNumber, "number of the node", OverSeeds::key},
     [](const Destination& d) -> Cell { return d.node; }},
    {{"accepted_load", kLoad,
      "bytes delivered to the node in the window, divided by the capacity of its link"},
     [](const Destination& d) -> Cell { return d.run.window().accepted_load(d.node); }},
    {{"packets_delivered", "packets", "packets delivered to the node in the window"},
     [](const Destination& d) -> Cell { return d.packets(); }},
    {{"latency_mean_ns", "ns",
      "mean time from the generation of a message to the delivery of a packet's tail, over the packets "
      "delivered to the node in the window"},
     [](const Destination& d) -> Cell { return d.mean_ns(d.received().latency_ticks); }},
    {{"network_latency_mean_ns", "ns",
      "mean time from the injection of a packet (grant by the adapter) to the delivery of its tail, over the "
      "same packets"},
     [](const Destination& d) -> Cell { return d.mean_ns(d.received().network_latency_ticks); }},
    {{"offered_load", kLoad,
      "bytes that the flows send to the node at their mean load, divided by the capacity of its link",
      Needs::fairness},
     [](const Destination& d) -> Cell { return d.portion->offered_load; }},
    {{"fair_share", kLoad, "max-min fair share of the node for the routes and the offered loads",
      Needs::fairness},
     [](const Destination& d) -> Cell { return d.portion->fair_share; }},
    {{"victim", "fraction of seeds",
      "1 if the node received less than measure.victims_below of its fair share, otherwise 0; over several "
      "seeds, the part of them in which it is 1",
      Needs::fairness},
     [](const Destination& d) -> Cell { return d.portion->victim ? 1 : 0; }},
    {{"hol_packets", "packets", "mean number of packets to the node in head-of-line blocking",
      Needs::waiting},
     [](const Destination& d) -> Cell { return d.run.mean(d.hol()); }},
    {{"victim_packets", "packets",
      "mean number of packets to the node that waited for a root that they did not have to cross",
      Needs::waiting},
     [](const Destination& d) -> Cell { return d.run.mean(d.victims()); }},
    {{"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet to the node", Needs::waiting},
     [](const Destination& d) -> Cell { return d.waiting_ns(d.hol()); }},
    {{"victim_wait_ns", "ns", "waiting as a victim per delivered packet to the node", Needs::waiting},
     [](const Destination& d) -> Cell { return d.waiting_ns(d.victims()); }},
};

void add_per_destination(const MeasuredRun& run, TableRows<Destination>& rows) {
  std::vector<Portion> portions;
  if (run.fairness != nullptr) portions = run.fairness->portions(run.window());
  for (NodeId node = 0; node < run.network().nodes(); ++node)
    rows.add({run, node, portions.empty() ? nullptr : &portions[node]});
}

}  // namespace

TableKind per_destination_table() {
  return {.name = "per_destination",
          .rows = "destinations; traffic received in the window, and its latency",
          .when = "`\"per-destination\"` or `\"fairness\"` in `measure.tables`, or `observe.waiting`",
          .columns = metrics_of(kDestinationColumns),
          .made_if =
              [](const RunScope& scope) {
                return scope.asks("per-destination") || scope.meets(Needs::fairness) ||
                       scope.meets(Needs::waiting);
              },
          .made = table_of<Destination, kDestinationColumns, add_per_destination>,
          .most_cells = [](const TableBounds& most, double columns) { return most.nodes * columns; },
          .on_request = "accepted load of every destination"};
}

}  // namespace headway
