// SPDX-License-Identifier: Apache-2.0
#include "headway/traces/trace_figure.h"

#include <fmt/format.h>

#include <utility>

#include "headway/metrics/metric_names.h"
#include "headway/traces/loads.h"

namespace headway {
namespace {

Axis time_axis() { return {.column = std::string(metrics::time_ns), .label = "Time (ms)", .unit = "ms"}; }
Axis load_axis() { return {.column = "load", .label = "Load (fraction of link rate)"}; }

template <class Load>
Curve load_curve(std::string name, std::string label, const TimeBins& bins, Load load) {
  Curve curve{.name = std::move(name),
              .label = std::move(label),
              .y = load_axis().shown(),
              .columns = {{time_axis().shown()}, {load_axis().shown()}}};
  for (std::size_t bin = 0; bin < bins.used(); ++bin) {
    const double end = static_cast<double>(bin + 1) * static_cast<double>(bins.width());
    curve.columns[0].values.push_back(end / kMillisecond);
    curve.columns[1].values.push_back(load(bin));
    curve.status.push_back(Status::ok);
  }
  return curve;
}

}  // namespace

std::vector<Curve> trace_curves(const TraceSummary& summary, const Rate& link) {
  const TraceLoads loads(summary, link);
  const LoadedLink hottest = links_by_bytes(summary).front();
  return {load_curve("all", "all nodes", summary.bytes_out,
                     [&](std::size_t bin) { return loads.mean_in_bin(bin); }),
          load_curve("busiest", fmt::format("node {}, {}", hottest.node, hottest.into ? "in" : "out"),
                     loads.bins_of(hottest), [&](std::size_t bin) { return loads.in_bin(hottest, bin); })};
}

FigureFiles write_trace_figure(const std::filesystem::path& directory, const TraceSummary& summary,
                               const Rate& link, const std::string& name, Titles titles) {
  const std::vector<Curve> curves = trace_curves(summary, link);
  FigureSpec figure;
  figure.id = "load";
  figure.number = name;
  figure.title = fmt::format("load of {} on {} nodes before compression", to_string(link), summary.in.size());
  figure.rows = Rows::series;
  figure.x = time_axis();
  figure.y = load_axis();
  for (const Curve& curve : curves) figure.curves.push_back({curve.name, curve.label, {}});
  FigureSet set;
  set.citation = "headway trace info";
  set.figures = {figure};
  std::filesystem::create_directories(directory);
  return write_figure(directory, set, figure, curves, titles);
}

}  // namespace headway
