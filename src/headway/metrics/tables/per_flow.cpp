// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

struct FlowRow {
  const MeasuredRun& run;
  std::string_view name;
  const FlowCensus::Packets& packets;

  double delivered() const { return static_cast<double>(packets.delivered); }
};

constexpr ColumnOf<FlowRow> kFlowColumns[] = {
    {{"flow", kName, "name of the flow or trace: flows first, in their order", Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.name; }},
    {{"packets_delivered", "packets", "packets of the flow that were delivered in the window",
      Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.delivered(); }},
    {{"waiting_packets", "packets", "mean number of packets of the flow that wait for anything",
      Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.run.mean(f.packets.waiting); }},
    {{"hol_packets", "packets", "of these, packets in head-of-line blocking", Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.run.mean(f.packets.hol); }},
    {{"victim_packets", "packets", "of these, packets that wait for a root that they do not have to cross",
      Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.run.mean(f.packets.victims); }},
    {{"waiting_ns", "ns", "waiting per delivered packet of the flow", Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.run.mean_ns(f.packets.waiting, f.delivered()); }},
    {{"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet of the flow",
      Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.run.mean_ns(f.packets.hol, f.delivered()); }},
    {{"victim_wait_ns", "ns", "waiting as a victim per delivered packet of the flow", Needs::waiting_flows},
     [](const FlowRow& f) -> Cell { return f.run.mean_ns(f.packets.victims, f.delivered()); }},
};

Table make_per_flow(const MeasuredRun& run) {
  const FlowCensus& census = *run.observer->census();
  TableRows<FlowRow> rows(kFlowColumns, run.scope);
  for (std::size_t flow = 0; flow < run.flows.size(); ++flow)
    rows.add({run, run.flows[flow], census.flows()[flow]});
  return rows.take();
}

}  // namespace

TableKind per_flow_table() {
  return {.name = "per_flow",
          .rows = "flows of the spec: waiting time in total, in head-of-line blocking and as victims",
          .when = "`observe.waiting` and several flows or traces",
          .columns = metrics_of<FlowRow>(kFlowColumns),
          .is_made = [](const RunScope& scope) { return scope.meets(Needs::waiting_flows); },
          .made = make_per_flow,
          .most_cells = [](const TableBounds& most, double columns) { return most.flows * columns; }};
}

}  // namespace headway
