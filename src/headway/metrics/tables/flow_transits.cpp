// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/transfer_split.h"
#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<FlowTransitRow> kTransitColumns[] = {
    {{"flow", kName, "name of the flow, trace or job", OverSeeds::key}, &FlowTransitRow::flow},
    {{metrics::transit_ns, "ns",
      "time on links, waiting for nothing, per delivered packet of the flow; the next six columns add up to "
      "it"},
     &FlowTransitRow::transit_ns},
    {{"serialisation_ns", "ns",
      "of transit_ns, the bytes of the packets at the usual rate of the links of their nodes. A link is "
      "usually as fast as most links of its role in the network; each part is at most what the ones before "
      "it leave"},
     &FlowTransitRow::serialisation_ns},
    {{"narrow_ns", "ns",
      "of transit_ns, what their bytes need beyond that at the usual rate of the narrowest links of their "
      "paths"},
     &FlowTransitRow::narrow_ns},
    {{"slow_ns", "ns",
      "of transit_ns, what their bytes need beyond that because a link of their path is slower than usual"},
     &FlowTransitRow::slow_ns},
    {{"propagation_ns", "ns", "of transit_ns, delays of links"}, &FlowTransitRow::propagation_ns},
    {{"switch_ns", "ns", "of transit_ns, routing delays of switches"}, &FlowTransitRow::switch_ns},
    {{"rest_ns", "ns",
      "of transit_ns, the rest: packets that are stored before they are forwarded, or that slow nodes "
      "consume"},
     &FlowTransitRow::rest_ns},
};

void add_flow_transits(const MeasuredRun& run, TableRows<FlowTransitRow>& rows) {
  const FlowCensus& census = *run.observer->census();
  for (std::size_t flow = 0; flow < run.flows.size(); ++flow) {
    const double delivered = run.delivered_by(flow);
    const auto ns = [&](Tick part) {
      return census.knows_transit() ? run.ns(part) / delivered
                                    : run.mean_ns(static_cast<std::uint64_t>(part), delivered);
    };
    const TransferParts& transit = census.transits()[flow];
    rows.add({.flow = run.flows[flow],
              .transit_ns = ns(transit.whole()),
              .serialisation_ns = ns(transit.serialisation),
              .narrow_ns = ns(transit.narrow),
              .slow_ns = ns(transit.slow),
              .propagation_ns = ns(transit.propagation),
              .switch_ns = ns(transit.switching),
              .rest_ns = ns(transit.rest)});
  }
}

}  // namespace

std::span<const ColumnOf<FlowTransitRow>> FlowTransitRow::columns() { return kTransitColumns; }

TableKind flow_transits_table() {
  return table_of<kTransitColumns, add_flow_transits>(
      {.rows = "the time of the packets of flows that they do not wait, split by physics",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) { return most.flows * columns; }});
}

}  // namespace headway
