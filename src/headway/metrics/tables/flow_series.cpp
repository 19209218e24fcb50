// SPDX-License-Identifier: Apache-2.0
// Values of every flow over time.
#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"

namespace headway {
namespace {

struct FlowBin {
  const Bin& bin;
  std::size_t flow;

  Traffic traffic() const { return {bin.window, flow}; }
  double load(std::uint64_t TrafficCounters::* bytes) const {
    return traffic().load(bin.from(), bin.to(), bytes);
  }
  double mean_ns(std::uint64_t TrafficCounters::* ticks) const {
    return traffic().mean_ns(bin.from(), bin.to(), ticks);
  }
  // Mean over the photographs of the bin; NaN if there is none.
  double mean(std::uint64_t FlowCensus::Packets::* sum) const {
    const auto photographs = static_cast<double>(bin.photographs().photographs);
    const auto packets = static_cast<double>(bin.run.observer->census()->bins()[bin.number][flow].*sum);
    return photographs == 0 ? kNaN : packets / photographs;
  }
};

constexpr ColumnOf<FlowBin> kFlowSeries[] = {
    {kEndOfBin, [](const FlowBin& f) -> Cell { return f.bin.end_ns(); }},
    {{"flow", kName, "name of the flow, trace or job", OverSeeds::key},
     [](const FlowBin& f) -> Cell { return std::string_view(f.bin.run.flows[f.flow]); }},
    {{metrics::offered_load, kLoad,
      "rate of bytes that the flow generated in the bin, divided by the total link rate of its sources"},
     [](const FlowBin& f) -> Cell { return f.load(&TrafficCounters::bytes_generated); }},
    {{metrics::accepted_load, kLoad,
      "rate of bytes of the flow delivered in the bin, divided by the total link rate of its sources"},
     [](const FlowBin& f) -> Cell { return f.load(&TrafficCounters::bytes_delivered); }},
    {{metrics::latency_mean_ns, "ns", "mean latency of its packets delivered in the bin"},
     [](const FlowBin& f) -> Cell { return f.mean_ns(&TrafficCounters::latency_ticks); }},
    {{"network_latency_mean_ns", "ns", "mean network latency of its packets delivered in the bin"},
     [](const FlowBin& f) -> Cell { return f.mean_ns(&TrafficCounters::network_latency_ticks); }},
    {{"waiting_packets", "packets", "packets of the flow that wait for anything", Needs::waiting_flows},
     [](const FlowBin& f) -> Cell { return f.mean(&FlowCensus::Packets::waiting); }},
    {{"hol_packets", "packets", "of these, packets in head-of-line blocking", Needs::waiting_flows},
     [](const FlowBin& f) -> Cell { return f.mean(&FlowCensus::Packets::hol); }},
    {{"victim_packets", "packets", "of these, packets that wait for a root that they do not have to cross",
      Needs::waiting_flows},
     [](const FlowBin& f) -> Cell { return f.mean(&FlowCensus::Packets::victims); }},
};

void add_flow_series(const MeasuredRun& run, TableRows<FlowBin>& rows) {
  for_each_bin(run, [&](const Bin& bin) {
    for (std::size_t flow = 0; flow < run.flows.size(); ++flow) rows.add({bin, flow});
  });
}

}  // namespace

TableKind flow_series_table() {
  return table_of<kFlowSeries, add_flow_series>(
      {.name = "flow_series",
       .rows = "time bins, `measure.bin` wide, times flows",
       .when = "several flows, traces or jobs, or notifications as packets",
       .needs = Needs::several_flows,
       .most_cells = [](const TableBounds& most, double columns) {
         return most.bins * most.flows * columns;
       }});
}

}  // namespace headway
