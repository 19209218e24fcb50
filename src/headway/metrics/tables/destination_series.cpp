// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

Table make_destination_series(const MeasuredRun& run) {
  Table table = {{std::string(kEndOfBin.name)}};
  for (NodeId node = 0; node < run.network().nodes(); ++node)
    table.push_back({"accepted_load_" + std::to_string(node)});
  if (run.fairness != nullptr)
    for (const FairnessMetric& metric : fairness_metrics())
      if (metric.over_time) table.push_back({std::string(metric.metric.name)});
  for_each_bin(run, [&](const Bin& bin) {
    auto column = table.begin();
    (column++)->values.push_back(bin.end_ns());
    for (NodeId node = 0; node < run.network().nodes(); ++node)
      (column++)->values.push_back(bin.window.accepted_load(node, bin.reading));
    if (run.fairness == nullptr) return;
    const std::vector<Portion> portions = run.fairness->portions(bin.window, bin.reading);
    for (const FairnessMetric& metric : fairness_metrics())
      if (metric.over_time) (column++)->values.push_back(metric.value(portions));
  });
  return table;
}

}  // namespace

TableKind destination_series_table() {
  TableKind kind{
      .name = "destination_series",
      .rows = "bins; traffic received by every destination",
      .when = "`\"destination-series\"` in `measure.tables`",
      .columns = {kEndOfBin,
                  {"accepted_load_D", kLoad,
                   "for every node D: bytes delivered to it in the bin, divided by the capacity of "
                   "its link"}},
      .made = make_destination_series,
      .most_cells = [](const TableBounds& most,
                       double columns) { return most.bins * (most.nodes + columns); },
      .on_request = "accepted load of every destination over time"};
  for (const FairnessMetric& metric : fairness_metrics())
    if (metric.over_time) kind.columns.push_back(metric.metric);
  return kind;
}

}  // namespace headway
