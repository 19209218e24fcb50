// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/flow_waiting.h"

#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "headway/metrics/columns.h"

namespace headway {
namespace {

constexpr Metric kFlow[] = {
    {"flow", kNumber, "number of the flow: as in traffic.flow, from 0, and after them the traces"},
};
constexpr Metric kFlowColumns[] = {
    {"packets_delivered", "packets", "packets of the flow that were delivered in the window"},
    {"waiting_packets", "packets", "mean number of packets of the flow that wait for anything"},
    {"hol_packets", "packets", "of these, packets in head-of-line blocking"},
    {"victim_packets", "packets", "of these, packets that wait for a root that they do not have to cross"},
    {"waiting_ns", "ns", "waiting per delivered packet of the flow"},
    {"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet of the flow"},
    {"victim_wait_ns", "ns", "waiting as a victim per delivered packet of the flow"},
};
constexpr Metric kFlowRootColumns[] = {
    {"kind", kNumber, "kind of a root that packets of the flow wait for, as in the table roots"},
    {"port", kNumber, "port of this root, as in the table roots"},
    {"packets", "packets", "mean number of packets of the flow that wait for it"},
    {"victim_packets", "packets", "of these, packets that do not have to cross it"},
};
constexpr Metric kPairColumns[] = {
    {"waiting_packets", "packets", "mean number of packets of the pair that wait for anything"},
    {"hol_packets", "packets", "of these, packets in head-of-line blocking"},
    {"victim_packets", "packets", "of these, packets that wait for a root that they do not have to cross"},
    {"hol_blocking_ns", "ns", "head-of-line blocking per delivered packet of the pair"},
    {"victim_wait_ns", "ns", "waiting as a victim per delivered packet of the pair"},
};

// Turns sums over photographs into means.
struct Means {
  double photographs;
  double ns;  // of the window

  double packets(std::uint64_t sum) const { return static_cast<double>(sum) / photographs; }
  // By Little's law; NaN if nothing was delivered.
  double each(std::uint64_t sum, double delivered) const {
    return delivered > 0 ? packets(sum) * ns / delivered : kNaN;
  }
};

void add_flows(const FlowCensus& census, const Means& means, Result& result) {
  result.per_flow = table_of({kFlow, kFlowColumns});
  for (std::uint32_t flow = 0; flow < census.flows().size(); ++flow) {
    const FlowCensus::Packets& of_flow = census.flows()[flow];
    const auto delivered = static_cast<double>(of_flow.delivered);
    add_row(result.per_flow,
            {static_cast<double>(flow), delivered, means.packets(of_flow.waiting), means.packets(of_flow.hol),
             means.packets(of_flow.victims), means.each(of_flow.waiting, delivered),
             means.each(of_flow.hol, delivered), means.each(of_flow.victims, delivered)});
  }
  result.flow_roots = table_of({kFlow, kFlowRootColumns});
  for (const auto& [key, sums] : census.roots())
    add_row(result.flow_roots,
            {static_cast<double>(key.first), static_cast<double>(key.second.kind),
             static_cast<double>(key.second.port), means.packets(sums.packets), means.packets(sums.victims)});
}

void add_pairs(const FlowCensus& census, const Means& means, std::uint32_t nodes, Table& table) {
  Table columns = table_of({kPairColumns});
  for (NodeId source = 0; source < nodes; ++source)
    for (NodeId destination = 0; destination < nodes; ++destination) {
      const FlowCensus::Packets of_pair = census.pair(source, destination);
      const auto delivered = static_cast<double>(of_pair.delivered);
      add_row(columns,
              {means.packets(of_pair.waiting), means.packets(of_pair.hol), means.packets(of_pair.victims),
               means.each(of_pair.hol, delivered), means.each(of_pair.victims, delivered)});
    }
  for (Column& column : columns) table.push_back(std::move(column));
}

}  // namespace

std::vector<Metric> flow_waiting_columns() {
  std::vector<Metric> all;
  const auto add = [&](std::span<const Metric> columns, std::string_view table, Needs needs) {
    for (Metric column : columns) {
      column.needs = needs;
      column.table = table;
      all.push_back(column);
    }
  };
  add(kPairColumns, "per_pair", Needs::waiting);
  add(kFlow, "per_flow", Needs::waiting_flows);
  add(kFlowColumns, "per_flow", Needs::waiting_flows);
  add(kFlow, "flow_roots", Needs::waiting_flows);
  add(kFlowRootColumns, "flow_roots", Needs::waiting_flows);
  return all;
}

void add_flow_waiting(const Observer& observer, const Window& window, Result& result) {
  const FlowCensus& census = *observer.census();
  const Means means{static_cast<double>(observer.sums().photographs),
                    window.network().ns(static_cast<double>(window.last().tick - window.first().tick))};
  if (census.flows().size() > 1) add_flows(census, means, result);
  if (!result.per_pair.empty()) add_pairs(census, means, window.network().nodes(), result.per_pair);
}

}  // namespace headway
