// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<FlowRootRow> kColumnsOfFlowRoots[] = {
    {{"flow", kName, "name of the flow, as in the table per_flow", OverSeeds::key}, &FlowRootRow::flow},
    {{"kind", kName, "kind of a root that packets of the flow wait for, as in the table roots",
      OverSeeds::key},
     &FlowRootRow::kind},
    {{"port", kNumber, "port of this root, as in the table roots", OverSeeds::key}, &FlowRootRow::port},
    {{"packets", "packets", "mean number of packets of the flow that wait for it", OverSeeds::sum},
     &FlowRootRow::packets},
    {{"victim_packets", "packets", "of these, packets that do not have to cross it", OverSeeds::sum},
     &FlowRootRow::victim_packets},
};

void add_flow_roots(const MeasuredRun& run, TableRows<FlowRootRow>& rows) {
  for (const auto& [key, packets] : run.observer->census()->roots()) {
    const auto& [flow, root] = key;
    rows.add({.flow = run.flows[flow],
              .kind = name_of(root.kind),
              .port = static_cast<double>(root.port),
              .packets = run.mean(packets.packets),
              .victim_packets = run.mean(packets.victims)});
  }
}

}  // namespace

std::span<const ColumnOf<FlowRootRow>> FlowRootRow::columns() { return kColumnsOfFlowRoots; }

TableKind flow_roots_table() {
  return table_of<kColumnsOfFlowRoots, add_flow_roots>(
      {.rows = "flows and the roots that their packets wait for, with the packets that are victims",
       .when = "`observe.waiting` and several flows, traces or jobs, or notifications as packets",
       .needs = Needs::waiting_flows,
       .most_cells = [](const TableBounds& most, double columns) { return most.roots * columns; }});
}

}  // namespace headway
