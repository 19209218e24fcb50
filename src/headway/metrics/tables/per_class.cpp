// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/measured_run.h"

namespace headway {
namespace {

constexpr Metric kClass = {"class", kName, "name of the class of traffic, or of its lane", OverSeeds::key};

Table make_per_class(const MeasuredRun& run) {
  Table table{{"class", {}, {run.classes.begin(), run.classes.end()}}};
  for (const WindowMetric& metric : traffic_metrics()) {
    if (!run.scope.meets(metric.metric.needs)) continue;
    Column& column = table.emplace_back(Column{std::string(metric.metric.name)});
    for (std::size_t of_class = 0; of_class < run.classes.size(); ++of_class)
      column.values.push_back(metric.of_traffic({.window = run.window(), .of_class = of_class}));
  }
  return table;
}

}  // namespace

TableKind per_class_table() {
  return {
      .name = "per_class",
      .rows = "classes of traffic: loads and latencies; a load is a fraction of the link rate of all sources",
      .when = "classes of traffic or turns of lanes",
      .columns = joined({{kClass}, metrics_of(traffic_metrics())}),
      .needs = Needs::classes,
      .made = make_per_class,
      .most_cells = [](const TableBounds& most, double count) { return most.classes * count; },
      .named_rows = true};
}

}  // namespace headway
