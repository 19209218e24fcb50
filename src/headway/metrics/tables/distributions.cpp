// SPDX-License-Identifier: Apache-2.0
// Cumulative distributions of latencies, completion times and slowdowns, by flow.
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

// 0, 0.01 ... 0.99, and the tail.
std::vector<double> shares_of_distributions() {
  std::vector<double> shares;
  for (int hundredth = 0; hundredth < 100; ++hundredth) shares.push_back(hundredth / 100.0);
  shares.insert(shares.end(), {0.995, 0.999, 0.9995, 0.9999, 1.0});
  return shares;
}

struct OneShare {
  const MeasuredRun& run;
  std::string_view flow;
  const Latencies& latencies;
  const MessageStatistics* messages;  // null: not measured
  double share;

  double ns(const Histogram& histogram) const {
    if (histogram.count() == 0) return kNaN;
    return run.network().ns(share == 1 ? static_cast<double>(histogram.max()) : histogram.quantile(share));
  }
};

constexpr ColumnOf<OneShare> kDistributionColumns[] = {
    {{"flow", kName, "name of the flow, trace or job", OverSeeds::key},
     [](const OneShare& s) -> Cell { return s.flow; }},
    {{"share", "1", "fraction of the packets, or of the messages", OverSeeds::key},
     [](const OneShare& s) -> Cell { return s.share; }},
    {{"latency_ns", "ns", "latency that this share of the packets does not exceed (within 0.8 %)"},
     [](const OneShare& s) -> Cell { return s.ns(s.latencies.latency); }},
    {{"network_latency_ns", "ns",
      "network latency that this share of the packets does not exceed (within 0.8 %)"},
     [](const OneShare& s) -> Cell { return s.ns(s.latencies.network_latency); }},
    {{"completion_ns", "ns", "completion time that this share of the messages does not exceed (within 0.8 %)",
      Needs::messages},
     [](const OneShare& s) -> Cell { return s.messages->completion_ns(s.share); }},
    {{"slowdown", "1", "slowdown that this share of the messages does not exceed (within 0.8 %)",
      Needs::messages},
     [](const OneShare& s) -> Cell { return s.messages->slowdown(s.share); }},
};

void add_distributions(const MeasuredRun& run, TableRows<OneShare>& rows) {
  for (std::size_t flow = 0; flow < run.flows.size(); ++flow) {
    const Traffic traffic = run.flows.size() > 1 ? Traffic{run.window(), flow} : run.window().all();
    std::optional<MessageStatistics> messages;
    if (run.messages != nullptr)
      messages.emplace(run.window(), run.messages->classes_of(static_cast<std::uint32_t>(flow)));
    for (const double share : shares_of_distributions())
      rows.add({run, run.flows[flow], traffic.latencies(), messages ? &*messages : nullptr, share});
  }
}

}  // namespace

TableKind distributions_table() {
  return table_of<kDistributionColumns, add_distributions>(
      {.name = "distributions",
       .rows = "flows times shares of their packets: cumulative distributions",
       .when = "`\"distributions\"` in `measure.tables`",
       .most_cells =
           [](const TableBounds& most, double columns) {
             return most.flows * static_cast<double>(shares_of_distributions().size()) * columns;
           },
       .on_request = "cumulative distributions of latencies and completion times"});
}

}  // namespace headway
