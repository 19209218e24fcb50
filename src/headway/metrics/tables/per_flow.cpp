// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

constexpr ColumnOf<FlowRow> kWaitingOfFlows[] = {
    {{"waiting_packets", "packets", "mean number of packets of the flow that wait for anything"},
     &FlowRow::waiting_packets},
    {{"hol_packets", "packets", "of these, packets in head-of-line blocking"}, &FlowRow::hol_packets},
    {{"victim_packets", "packets", "of these, packets that wait for a root that they do not have to cross"},
     &FlowRow::victim_packets},
    {{"waiting_ns", "ns", "waiting per delivered packet of the flow"}, &FlowRow::waiting_ns},
    {{"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet of the flow"},
     &FlowRow::hol_blocking_ns},
    {{"victim_wait_ns", "ns", "waiting as a victim per delivered packet of the flow"},
     &FlowRow::victim_wait_ns},
    {{"closed_loop", kNumber,
      "1 for a job and for saturated sources, which send as fast as they are served, so that they offer what "
      "is accepted; else 0",
      OverSeeds::same},
     &FlowRow::closed_loop},
};

// [flow]
std::vector<bool> closed_loops(const MeasuredRun& run) {
  const Workload& workload = run.window().workload();
  const FlowCensus& census = *run.observer->census();
  std::vector<bool> closed(run.flows.size());
  for (std::uint32_t source = 0; source < workload.sources.size(); ++source)
    if (workload.flows[workload.sources[source].flow].arrivals == nullptr)
      closed[census.flow_of(source)] = true;
  for (std::uint32_t job = 0; job < workload.jobs.size(); ++job)
    closed[census.flow_of(workload.first_job_generator() + job)] = true;
  return closed;
}

constexpr Metric kFlow = {"flow", kName, "name of the flow, trace or job: flows first, in their order",
                          OverSeeds::key};
// Columns that traffic_metrics() defines.
constexpr ColumnOf<FlowRow> kTrafficOfFlows[] = {
    {kFlow, &FlowRow::flow},
    {{metrics::offered_load, kLoad, ""}, &FlowRow::offered_load},
    {{metrics::accepted_load, kLoad, ""}, &FlowRow::accepted_load},
    {{metrics::packets_delivered, "packets", ""}, &FlowRow::packets_delivered},
    {{metrics::latency_mean_ns, "ns", ""}, &FlowRow::latency_mean_ns},
};
constexpr auto kColumnsOfFlows = joined(kTrafficOfFlows, kWaitingOfFlows);

Table make_per_flow(const MeasuredRun& run) {
  Table table{{"flow", {}, {run.flows.begin(), run.flows.end()}}};
  const auto add = [&](std::string_view name, auto&& value_of) {
    Column& column = table.emplace_back(Column{std::string(name)});
    for (std::size_t flow = 0; flow < run.flows.size(); ++flow) column.values.push_back(value_of(flow));
  };
  for (const WindowMetric& metric : traffic_metrics())
    if (run.scope.meets(metric.metric.needs))
      add(metric.metric.name, [&](std::size_t flow) { return metric.of_traffic({run.window(), flow}); });
  if (run.scope.meets(Needs::waiting_flows)) {
    TableRows<FlowRow> rows(kWaitingOfFlows, run.scope);
    const std::vector<bool> closed = closed_loops(run);
    for (std::size_t flow = 0; flow < run.flows.size(); ++flow) {
      const FlowCensus::Packets& packets = run.observer->census()->flows()[flow];
      const double delivered = run.delivered_by(flow);
      rows.add({.waiting_packets = run.mean(packets.waiting),
                .hol_packets = run.mean(packets.hol),
                .victim_packets = run.mean(packets.victims),
                .waiting_ns = run.mean_ns(packets.waiting, delivered),
                .hol_blocking_ns = run.mean_ns(packets.hol, delivered),
                .victim_wait_ns = run.mean_ns(packets.victims, delivered),
                .closed_loop = closed[flow] ? 1.0 : 0.0});
    }
    for (Column& column : rows.take()) table.push_back(std::move(column));
  }
  if (run.scope.meets(Needs::messages)) {
    std::vector<MessageStatistics> messages;
    for (std::uint32_t flow = 0; flow < run.flows.size(); ++flow)
      messages.emplace_back(run.window(), run.messages->classes_of(flow));
    for (const auto& metric : message_metrics())
      add(metric.metric.name, [&](std::size_t flow) { return metric.value(messages[flow]); });
  }
  return table;
}

}  // namespace

std::span<const ColumnOf<FlowRow>> FlowRow::columns() { return kColumnsOfFlows; }

TableKind per_flow_table() {
  return {.name = FlowRow::kTable,
          .rows = "flows, traces and jobs of the spec: loads, latencies, messages and waiting",
          .when = "several flows, traces or jobs, or notifications as packets",
          .columns = joined({{kFlow},
                             metrics_of(traffic_metrics()),
                             metrics_of(kWaitingOfFlows, Needs::waiting_flows),
                             metrics_of(message_metrics(), Needs::messages)}),
          .needs = Needs::several_flows,
          .made = make_per_flow,
          .most_cells = [](const TableBounds& most, double count) { return most.flows * count; },
          .named_rows = true};
}

}  // namespace headway
