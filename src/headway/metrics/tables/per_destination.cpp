// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<DestinationRow> kColumnsOfDestinations[] = {
    {{"destination", kNumber, "number of the node", OverSeeds::key}, &DestinationRow::destination},
    {{"link", kNumber, "number of the link, over which it receives, among those of the node", OverSeeds::key,
      Needs::node_links},
     &DestinationRow::link},
    {{"accepted_load", kLoad,
      "bytes delivered to the node in the window, divided by the capacity of its link"},
     &DestinationRow::accepted_load},
    {{"packets_delivered", "packets", "packets delivered to the node in the window"},
     &DestinationRow::packets_delivered},
    {{"latency_mean_ns", "ns",
      "mean time from the generation of a message to the delivery of a packet's tail, over the packets "
      "delivered to the node in the window"},
     &DestinationRow::latency_mean_ns},
    {{"network_latency_mean_ns", "ns",
      "mean time from the injection of a packet (grant by the adapter) to the delivery of its tail, over the "
      "same packets"},
     &DestinationRow::network_latency_mean_ns},
    {{"offered_load", kLoad,
      "bytes that the flows send to the node at their mean load, divided by the capacity of its link",
      Needs::fairness},
     &DestinationRow::offered_load},
    {{"fair_share", kLoad, "max-min fair share of the node for the routes and the offered loads",
      Needs::fairness},
     &DestinationRow::fair_share},
    {{"victim", "fraction of seeds",
      "1 if the node received less than measure.victims_below of its fair share, otherwise 0; over several "
      "seeds, the part of them in which it is 1",
      Needs::fairness},
     &DestinationRow::victim},
    {{"hol_packets", "packets", "mean number of packets to the node in head-of-line blocking",
      Needs::waiting},
     &DestinationRow::hol_packets},
    {{"victim_packets", "packets",
      "mean number of packets to the node that waited for a root that they did not have to cross",
      Needs::waiting},
     &DestinationRow::victim_packets},
    {{"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet to the node", Needs::waiting},
     &DestinationRow::hol_blocking_ns},
    {{"victim_wait_ns", "ns", "waiting as a victim per delivered packet to the node", Needs::waiting},
     &DestinationRow::victim_wait_ns},
};

// `portion` is null if fairness is not requested.
DestinationRow destination_row(const MeasuredRun& run, NodeId node, const Portion* portion) {
  const Received& received = run.window().simulation().record().received[node];
  const auto packets = static_cast<double>(received.packets);
  const auto mean_ns = [&](std::uint64_t ticks) {
    return packets > 0 ? run.network().ns(static_cast<double>(ticks) / packets) : kNaN;
  };
  DestinationRow row{.destination = static_cast<double>(node),
                     .accepted_load = run.window().accepted_load(node),
                     .packets_delivered = packets,
                     .latency_mean_ns = mean_ns(received.latency_ticks),
                     .network_latency_mean_ns = mean_ns(received.network_latency_ticks)};
  if (run.network().has_hosts()) row.link = run.network().graph.hosts().link_number(node);
  if (portion != nullptr) {
    row.offered_load = portion->offered_load;
    row.fair_share = portion->fair_share;
    row.victim = portion->victim ? 1 : 0;
  }
  if (!run.scope.meets(Needs::waiting)) return row;
  const std::uint64_t hol = run.observer->sums().hol_to[node];
  const std::uint64_t victims = run.observer->sums().victims_to[node];
  row.hol_packets = run.mean(hol);
  row.victim_packets = run.mean(victims);
  row.hol_blocking_ns = run.mean_ns(hol, packets);
  row.victim_wait_ns = run.mean_ns(victims, packets);
  return row;
}

void add_per_destination(const MeasuredRun& run, TableRows<DestinationRow>& rows) {
  std::vector<Portion> portions;
  if (run.fairness != nullptr) portions = run.fairness->portions(run.window());
  for (NodeId node = 0; node < run.network().nodes(); ++node)
    rows.add(destination_row(run, node, portions.empty() ? nullptr : &portions[node]));
}

}  // namespace

std::span<const ColumnOf<DestinationRow>> DestinationRow::columns() { return kColumnsOfDestinations; }

TableKind per_destination_table() {
  return table_of<kColumnsOfDestinations, add_per_destination>(
      {.rows =
           "destinations, or their links where they have several; traffic received in the window, and its "
           "latency",
       .when = "`\"per-destination\"` or `\"fairness\"` in `measure.tables`, or `observe.waiting`",
       .made_if =
           [](const RunScope& scope) {
             return scope.asks("per-destination") || scope.meets(Needs::fairness) ||
                    scope.meets(Needs::waiting);
           },
       .most_cells = [](const TableBounds& most, double columns) { return most.node_links * columns; },
       .on_request = "accepted load of every destination"});
}

}  // namespace headway
