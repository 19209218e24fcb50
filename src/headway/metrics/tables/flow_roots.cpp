// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/root_name.h"

namespace headway {
namespace {

struct FlowAtRoot {
  const MeasuredRun& run;
  std::string_view flow;
  const Root& root;
  const FlowCensus::AtRoot& packets;
};

constexpr ColumnOf<FlowAtRoot> kFlowRootColumns[] = {
    {{"flow", kName, "name of the flow, as in the table per_flow", OverSeeds::key},
     [](const FlowAtRoot& f) -> Cell { return f.flow; }},
    {{"kind", kName, "kind of a root that packets of the flow wait for, as in the table roots",
      OverSeeds::key},
     [](const FlowAtRoot& f) -> Cell { return name_of(f.root.kind); }},
    {{"port", kNumber, "port of this root, as in the table roots", OverSeeds::key},
     [](const FlowAtRoot& f) -> Cell { return f.root.port; }},
    {{"packets", "packets", "mean number of packets of the flow that wait for it", OverSeeds::sum},
     [](const FlowAtRoot& f) -> Cell { return f.run.mean(f.packets.packets); }},
    {{"victim_packets", "packets", "of these, packets that do not have to cross it", OverSeeds::sum},
     [](const FlowAtRoot& f) -> Cell { return f.run.mean(f.packets.victims); }},
};

void add_flow_roots(const MeasuredRun& run, TableRows<FlowAtRoot>& rows) {
  for (const auto& [key, packets] : run.observer->census()->roots()) {
    const auto& [flow, root] = key;
    rows.add({run, run.flows[flow], root, packets});
  }
}

}  // namespace

TableKind flow_roots_table() {
  return {.name = "flow_roots",
          .rows = "flows and the roots that their packets wait for, with the packets that are victims",
          .when = "`observe.waiting` and several flows, traces or jobs, or notifications as packets",
          .columns = metrics_of(kFlowRootColumns),
          .needs = Needs::waiting_flows,
          .made = table_of<FlowAtRoot, kFlowRootColumns, add_flow_roots>,
          .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }};
}

}  // namespace headway
