// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "headway/config/nearest.h"
#include "headway/config/parameter_values.h"
#include "headway/metrics/metric.h"
#include "headway/papers/sparse_rows.h"

namespace headway {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view kTimeColumn = "time_ns";
constexpr std::string_view kDestination = "destination";

// The swept keys whose values are numbers or quantities at every point.
Words numeric_keys(const std::vector<PointResult>& results) {
  Words keys;
  const auto& params = results.front().params;
  for (std::size_t p = 0; p < params.size(); ++p)
    if (std::ranges::all_of(results, [&](const PointResult& point) {
          return p < point.params.size() && number_of(point.params[p].second);
        }))
      keys.push_back(params[p].first);
  return keys;
}

std::string_view default_x(const Words& keys) {
  if (keys.empty()) return kTimeColumn;
  const auto load = std::ranges::find_if(keys, [](std::string_view key) { return key.ends_with("load"); });
  return load == keys.end() ? keys.back() : *load;
}

Rows rows_of(std::string_view x) {
  return x == kTimeColumn ? Rows::series : x == kDestination ? Rows::destinations : Rows::points;
}

Words columns_of(const Result& result, Rows rows) {
  Words names;
  if (rows == Rows::points)
    for (const auto& [name, value] : result.metrics) names.push_back(name);
  else
    for (const Column& column : result.table(table_of(rows))) names.push_back(column.name);
  return names;
}

// `file` has the valid names as columns; it is named instead of a long list.
std::string nearest_of(const std::string& name, const Words& valid, std::string_view file = {}) {
  constexpr std::size_t kFew = 16;
  if (const auto meant = nearest(name, valid)) return fmt::format("did you mean \"{}\"?", *meant);
  return file.empty() || valid.size() <= kFew ? "valid: " + list_text(valid, "or")
                                              : fmt::format("valid: the metrics in {}", file);
}

// A curve for every combination of the swept keys other than x.
std::vector<FigureSpec::CurveSpec> curves_of(const std::vector<PointResult>& results, std::string_view x) {
  std::vector<FigureSpec::CurveSpec> curves;
  for (const PointResult& point : results) {
    FigureSpec::CurveSpec curve;
    for (const auto& [key, value] : point.params) {
      if (key == x) continue;
      curve.where.emplace_back(key, value);
      curve.label += (curve.label.empty() ? "" : ", ") + value;
    }
    if (curve.label.empty()) curve.label = "results";
    curve.name = curve.label;
    if (std::ranges::find(curves, curve.where, &FigureSpec::CurveSpec::where) == curves.end())
      curves.push_back(std::move(curve));
  }
  return curves;
}

// A sparse table with one curve per root or pair.
struct OverTime {
  std::string_view table;
  Rows rows;
  Drawing drawing;
  std::string_view y;  // default
  std::vector<std::string> each;
};
const OverTime* over_time(std::string_view table) {
  static const OverTime kTables[] = {
      {"tree_series", Rows::tree_series, Drawing::areas, "packets", {"kind", "port"}},
      {"pair_series", Rows::pair_series, Drawing::lines, "accepted_load", {"source", "destination"}},
  };
  const auto found = std::ranges::find(kTables, table, &OverTime::table);
  return found == std::end(kTables) ? nullptr : found;
}

// A root or pair exists in one network only, so there must be a single point.
Plot plot_over_time(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title) {
  Mistakes mistakes;
  const OverTime* const what = over_time(axes.table);
  if (what == nullptr)
    mistakes.add("--table", fmt::format("'{}' cannot be drawn", axes.table),
                 nearest_of(axes.table, {"tree_series", "pair_series"}));
  if (!axes.x.empty() && axes.x != kTimeColumn)
    mistakes.add("--x", fmt::format("is {}, but the table is over time", axes.x), "omit it");
  if (results.size() > 1)
    mistakes.add("--table", fmt::format("the results have {} points", results.size()),
                 "run one of them alone");
  mistakes.throw_if_any();
  const PointResult& point = results.front();
  const Table& table = point.result.table(what->table);
  const std::string y = axes.y.empty() ? std::string(what->y) : axes.y;
  if (table.empty())
    mistakes.add("--table", fmt::format("the results have no {}", what->table),
                 find_metric("time_ns", what->table)->needs == Needs::waiting
                     ? "observe.waiting = true adds it"
                     : "measure.tables = [\"pair-series\"] adds it");
  else if (find_column(table, y) == nullptr)
    mistakes.add("--y", fmt::format("{} has no '{}'", what->table, y),
                 nearest_of(y, columns_of(point.result, what->rows), fmt::format("{}.csv", what->table)));
  if (what->rows == Rows::tree_series && !point.result.intervals.empty())
    mistakes.add("--table", "the results are of several seeds, whose trees differ", "use seeds = 1");
  mistakes.throw_if_any();

  FigureSpec figure;
  figure.id = "results";
  figure.title = title;
  figure.rows = what->rows;
  figure.drawing = what->drawing;
  figure.x = {.column = std::string(kTimeColumn), .label = "time (µs)", .unit = "us"};
  figure.y = {.column = y, .label = label_of(y, what->table)};
  figure.curves = {{.name = "others", .label = "others", .where = {}, .each = what->each}};
  Plot plot;
  plot.curves =
      make_curves(figure, {{point.params, point.seed, {}}}, {{0}}, {point.result}, {{1, point.names}});
  plot.paper.figures.push_back(std::move(figure));
  return plot;
}

}  // namespace

std::string label_of(std::string_view name, std::string_view table) {
  const Metric* metric = find_metric(name, table);
  if (metric == nullptr || metric->unit == "–") return std::string(name);
  std::string words(name.ends_with("_ns") ? name.substr(0, name.size() - 3) : name);
  std::ranges::replace(words, '_', ' ');
  return fmt::format("{} ({})", words, metric->unit);
}

Plot make_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title) {
  Mistakes mistakes;
  if (results.empty()) mistakes.add("", "there is no finished point");
  mistakes.throw_if_any();
  if (!axes.table.empty()) return plot_over_time(results, axes, title);
  Words keys = numeric_keys(results);
  const std::string x(axes.x.empty() ? default_x(keys) : axes.x);
  keys.insert(keys.end(), {kTimeColumn, kDestination});
  if (std::ranges::find(keys, x) == keys.end())
    mistakes.add("--x", fmt::format("there is no swept key '{}' with numbers", x), nearest_of(x, keys));
  const Rows rows = rows_of(x);
  const std::string y = !axes.y.empty()        ? axes.y
                        : rows == Rows::series ? "network_efficiency"
                                               : "accepted_load";
  const Words columns = columns_of(results.front().result, rows);
  if (columns.empty())
    mistakes.add("--x", fmt::format("the results have no table for x = {}", x),
                 "measure.tables = [\"per-destination\"] adds the table per destination");
  else if (std::ranges::find(columns, y) == columns.end())
    mistakes.add(
        "--y", fmt::format("the results have no '{}'", y),
        nearest_of(y, columns, rows == Rows::points ? "results.csv" : fmt::format("{}.csv", table_of(rows))));
  mistakes.throw_if_any();

  FigureSpec figure;
  figure.id = "results";
  figure.title = title;
  figure.rows = rows;
  figure.drawing = rows == Rows::destinations ? Drawing::bars : Drawing::lines;
  figure.x = {.column = x, .label = rows == Rows::series ? "time (µs)" : x};
  if (rows == Rows::series) figure.x.unit = "us";
  figure.y = {.column = y, .label = label_of(y, table_of(rows))};
  figure.curves = curves_of(results, x);

  std::vector<Point> points;
  std::vector<Result> of_points;
  for (const PointResult& result : results) {
    points.push_back({result.params, result.seed, {}});
    of_points.push_back(result.result);
  }
  const auto points_of = points_of_curves(figure, points, mistakes);
  mistakes.throw_if_any();
  Plot plot;
  plot.curves = make_curves(figure, points, points_of, of_points);
  plot.paper.figures.push_back(std::move(figure));
  return plot;
}

}  // namespace headway
