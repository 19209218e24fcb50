// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/transfer_split.h"
#include "headway/metrics/critical_path.h"
#include "headway/metrics/root_columns.h"

namespace headway {
namespace {

constexpr ColumnOf<FlowWaitRow> kFlowAndClass[] = {
    {{"flow", kName, "name of the flow, trace or job whose packets wait", OverSeeds::key},
     &FlowWaitRow::flow},
    {{"waiting", kName,
      "class of the waiting: limited, paused, admittance, room, output, serial, input or hol "
      "(docs/waiting.md)",
      OverSeeds::key},
     &FlowWaitRow::waiting},
    {{"behind", kName,
      "flow, trace or job whose packet the root sends, or the receiver consumes, at that moment; empty if it "
      "sends none: at the roots `window`, `cycle` and `limiter`, and at a link that carries credits or "
      "notifications",
      OverSeeds::key},
     &FlowWaitRow::behind},
};
constexpr ColumnOf<FlowWaitRow> kSumsOfFlows[] = {
    kToPort<FlowWaitRow>,
    {{"packets", "packets",
      "mean number of packets; the sum over the rows of a flow is its waiting_packets (per_flow)",
      OverSeeds::sum},
     &FlowWaitRow::packets},
    {{"victim_packets", "packets", "of these, packets that do not have to cross the root", OverSeeds::sum},
     &FlowWaitRow::victim_packets},
    {{"wait_ns", "ns",
      "their waiting per delivered packet of the flow; the sum over the rows of a flow is its waiting_ns",
      OverSeeds::sum},
     &FlowWaitRow::wait_ns},
    {{"slow_ns", "ns",
      "of wait_ns, what a link at the root would not need at the usual rate of its role; 0 at other roots",
      OverSeeds::sum},
     &FlowWaitRow::slow_ns},
};
// Choice: most roots are waited for in few classes, by few flows, behind few flows.
constexpr double kRowsOfARoot = 4;

constexpr auto kColumnsOfFlowWaits = joined(kFlowAndClass, kRootColumns<FlowWaitRow>, kSumsOfFlows);

void add_flow_waits(const MeasuredRun& run, TableRows<FlowWaitRow>& rows) {
  const TransferSplit split(run.network());
  for (const auto& [wait, by_class] : run.observer->census()->waits()) {
    const double delivered = run.delivered_by(wait.flow);
    FlowWaitRow row{place_of(run, wait.root)};
    row.flow = run.flows[wait.flow];
    if (wait.behind != kNone) row.behind = run.flows[wait.behind];
    for (std::size_t waiting = 0; waiting < kWaitings; ++waiting) {
      const FlowCensus::AtRoot& packets = by_class[waiting];
      if (packets.packets == 0) continue;
      row.waiting = name_of(static_cast<Waiting>(waiting));
      row.packets = run.mean(packets.packets);
      row.victim_packets = run.mean(packets.victims);
      row.wait_ns = run.mean_ns(packets.packets, delivered);
      row.slow_ns = wait.root.kind == RootKind::link ? row.wait_ns * split.too_long(wait.root.port) : 0;
      rows.add(row);
    }
  }
}

}  // namespace

std::span<const ColumnOf<FlowWaitRow>> FlowWaitRow::columns() { return kColumnsOfFlowWaits; }

TableKind flow_waits_table() {
  return table_of<kColumnsOfFlowWaits, add_flow_waits>(
      {.rows = "what the packets of flows wait for, by class and root, and behind whose packets: the account "
               "of a flow's waiting",
       .when = "`observe.waiting`",
       .needs = Needs::waiting,
       .most_cells = [](const TableBounds& most, double columns) {
         return kRowsOfARoot * most.roots * columns;
       }});
}

}  // namespace headway
