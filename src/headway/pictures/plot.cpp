// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "headway/config/parameter_values.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/pictures/curve_plots.h"
#include "headway/pictures/figure.h"
#include "headway/pictures/plot_words.h"
#include "headway/pictures/sparse_rows.h"

namespace headway {
namespace {

using plots::is_determined;
using plots::Words;

constexpr std::string_view kDestination = "destination";

// The swept keys whose values are numbers or quantities at every point, or at none: schemes, routings,
// topologies.
Words swept_keys(const std::vector<PointResult>& results, bool with_numbers) {
  Words keys;
  const auto& params = results.front().params;
  for (std::size_t p = 0; p < params.size(); ++p)
    if (std::ranges::all_of(results, [&](const PointResult& point) {
          return p < point.params.size() && number_of(point.params[p].second).has_value() == with_numbers;
        }))
      keys.push_back(params[p].first);
  return keys;
}

// The swept key that varies along a curve; empty if none has numbers of its own.
std::string_view key_along(const std::vector<PointResult>& results, const Words& numeric,
                           const Words& named) {
  const auto load = std::ranges::find_if(numeric, [](std::string_view key) { return key.ends_with("load"); });
  if (load != numeric.end()) return *load;
  for (auto key = numeric.rbegin(); key != numeric.rend(); ++key)
    if (std::ranges::none_of(named, [&](std::string_view by) { return is_determined(results, *key, by); }))
      return *key;
  return {};
}

// The values of a key, in the order of the points.
std::vector<std::string> values_of(const std::vector<PointResult>& results, std::string_view key) {
  std::vector<std::string> values;
  for (const PointResult& point : results)
    if (const std::string* const value = param(point.params, key))
      if (std::ranges::find(values, *value) == values.end()) values.push_back(*value);
  return values;
}

// With the unit of its values.
std::string label_of_key(const std::vector<PointResult>& results, const std::string& key) {
  const std::string* const text = param(results.front().params, key);
  const auto value = text == nullptr ? std::nullopt : swept_value(*text);
  return value && !value->unit.empty() ? fmt::format("{} ({})", key, value->unit) : key;
}

Rows rows_of(std::string_view x) {
  return x == metrics::time_ns ? Rows::series : x == kDestination ? Rows::destinations : Rows::points;
}

// The metrics, or columns of a table, that any point has.
Words columns_of(const std::vector<PointResult>& results, Rows rows) {
  Words names;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const PointResult& point : results)
    if (rows == Rows::points)
      for (const auto& [name, value] : point.result.metrics) add(name);
    else
      for (const Column& column : point.result.table(table_of(rows))) add(column.name);
  return names;
}

// A curve for every combination of the swept keys other than the one that varies along a curve.
std::vector<FigureSpec::CurveSpec> curves_of(const std::vector<PointResult>& results,
                                             std::string_view along) {
  std::vector<FigureSpec::CurveSpec> curves;
  for (const PointResult& point : results) {
    FigureSpec::CurveSpec curve;
    for (const auto& [key, value] : point.params)
      if (key != along && !is_determined(results, key, along)) curve.where.emplace_back(key, value);
    Params telling = plots::telling_params(results, point);
    std::erase_if(telling, [&](const auto& param) {
      return std::ranges::find(curve.where, param) == curve.where.end();
    });
    curve.name = plots::values_text(telling);
    if (curve.name.empty()) curve.name = "results";
    curve.label = telling.empty() ? curve.name : plots::label_text(telling);
    if (std::ranges::find(curves, curve.where, &FigureSpec::CurveSpec::where) == curves.end())
      curves.push_back(std::move(curve));
  }
  return curves;
}

Plot make_point_plot(const std::vector<PointResult>& results, const PlotAxes& axes,
                     const std::string& title) {
  Mistakes mistakes;
  const Words numeric = swept_keys(results, true), named = swept_keys(results, false);
  const Words metrics = columns_of(results, Rows::points);
  std::string_view along = key_along(results, numeric, named);
  const std::string x(!axes.x.empty()  ? axes.x
                      : !along.empty() ? along
                      : !named.empty() ? named.back()
                                       : metrics::time_ns);
  const auto in = [&](const Words& words) { return std::ranges::find(words, x) != words.end(); };
  const Rows rows = rows_of(x);
  const bool is_metric = rows == Rows::points && !in(numeric) && !in(named);
  if (is_metric && !in(metrics)) {
    Words keys = numeric;
    keys.insert(keys.end(), named.begin(), named.end());
    keys.insert(keys.end(), {metrics::time_ns, kDestination});
    Words all = keys;
    all.insert(all.end(), metrics.begin(), metrics.end());
    const std::string hint = plots::nearest_metric(x, all, "");
    mistakes.add("--x", fmt::format("'{}' is neither a swept key nor a metric of the results", x),
                 hint.starts_with("valid")
                     ? fmt::format("valid: {}, and the metrics in results.csv", list_text(keys, "or"))
                     : hint);
  }
  if (!is_metric) along = x;
  const std::vector<std::string> ys =
      plots::all_y(axes, rows == Rows::series ? metrics::network_efficiency : metrics::accepted_load);
  const Words columns = columns_of(results, rows);
  if (columns.empty())
    mistakes.add("--x", fmt::format("the results have no table for x = {}", x),
                 "measure.tables = [\"per-destination\"] adds the table per destination");
  else
    for (const std::string& name : ys)
      if (std::ranges::find(columns, name) == columns.end())
        mistakes.add("--y", fmt::format("the results have no '{}'", name),
                     plots::nearest_metric(name, columns, table_of(rows)));
  mistakes.throw_if_any();

  const Axis axis = rows == Rows::series
                        ? plots::time_axis()
                        : Axis{.column = x, .label = is_metric ? label_of(x, "") : label_of_key(results, x)};
  FigureSpec figure = plots::figure_of(title, rows, axis, ys, table_of(rows));
  if (in(named)) figure.x.names = values_of(results, x);
  figure.drawing = rows == Rows::destinations || !figure.x.names.empty() ? Drawing::bars : Drawing::lines;
  figure.curves = curves_of(results, along);

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
  plot.set.figures.push_back(std::move(figure));
  return plot;
}

constexpr double kLogarithmicFrom = 20;  // times that values span

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void cover(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
  bool is_wide(double times) const { return low > 0 && high > times * low; }
};

// The drawn values, or those of steady points only.
Span span_of(std::span<const Curve> curves, bool steady_only) {
  Span span;
  for (const Curve& curve : curves) {
    const Column* const y = find_column(curve.columns, curve.y);
    const Column* const interval = find_column(curve.intervals, curve.y);
    for (std::size_t row = 0; y != nullptr && row < y->values.size(); ++row) {
      if (steady_only && curve.status[row] != Status::ok) continue;
      span.cover(y->values[row]);
      if (interval != nullptr) span.cover(y->values[row] + interval->values[row]);
    }
  }
  return span;
}

void fit_one(FigureSpec& figure, std::span<const Curve> curves, bool logarithmic,
             std::optional<double> largest) {
  constexpr double kBeyond = 2;  // unsteady points that are only so many times higher stay in the picture
  const Span all = span_of(curves, false), steady = span_of(curves, true);
  const bool follows = !steady.empty() && !is_over_time(figure.rows) && all.high > kBeyond * steady.high &&
                       steady.high > 0 && figure.drawing == Drawing::lines;
  Span shown = follows ? steady : all;
  if (largest) shown.high = *largest;
  if (shown.empty()) return;
  Axis& y = figure.y;
  const bool is_linear = figure.drawing == Drawing::areas || is_over_time(figure.rows);
  y.logarithmic = shown.low > 0 && (logarithmic || (!is_linear && shown.is_wide(kLogarithmicFrom)));
  if (largest)
    y.to = largest;
  else if (follows)
    y.to = y.logarithmic ? shown.high * 2 : shown.high * 1.25;
  y.marks_beyond = y.to.has_value();
  if (y.logarithmic && (y.to || figure.drawing == Drawing::bars))
    y.from = std::pow(10, std::floor(std::log10(shown.low)));
  else if (shown.low >= 0 && !y.logarithmic && (y.to || figure.drawing == Drawing::bars))
    y.from = 0;
}

// The y axis follows the points that are known to be steady, because the others depend on the length of the
// run: arrows show where curves leave it. It is logarithmic if asked for, or if the values span more than 20
// times. `largest`: the upper end of the lowest panel, if the user names it.
void fit_y(FigureSpec& figure, std::span<const Curve> curves, bool logarithmic,
           std::optional<double> largest) {
  for (std::size_t i = 0; i < figure.more_y.size(); ++i) {
    Panel panel = panels_of(figure, curves)[i + 1];
    fit_one(panel.figure, panel.curves, logarithmic, std::nullopt);
    figure.more_y[i] = panel.figure.y;
  }
  fit_one(figure, curves, logarithmic, largest);
}

// The x axis is logarithmic if it has times, bytes or slowdowns that span more than 20 times.
void fit_x(FigureSpec& figure, std::span<const Curve> curves) {
  const std::string& column = figure.x.column;
  if (figure.rows != Rows::points || !figure.x.names.empty()) return;
  if (!column.ends_with("_ns") && !column.ends_with("_bytes") && !column.starts_with("slowdown")) return;
  Span span;
  for (const Curve& curve : curves)
    for (const double x : xs(curve)) span.cover(x);
  figure.x.logarithmic = span.is_wide(kLogarithmicFrom);
}

}  // namespace

std::string label_of(std::string_view name, std::string_view table) {
  const Metric* const metric = find_metric(name, table);
  if (identifies(metric)) return std::string(name);
  std::string words(name.ends_with("_ns") ? name.substr(0, name.size() - 3) : name);
  std::string_view flow;
  if (const auto dot = name.rfind('.'); dot != name.npos && table.empty()) {
    flow = name.substr(0, dot);
    words.erase(0, dot + 1);
  }
  std::ranges::replace(words, '_', ' ');
  if (!flow.empty()) words += fmt::format(" of {}", flow);
  return metric->unit == "1" ? words : fmt::format("{} ({})", words, metric->unit);
}

Plot make_plot(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title) {
  Mistakes mistakes;
  if (results.empty()) mistakes.add("", "there is no finished point");
  mistakes.throw_if_any();
  Plot plot = axes.table.empty() ? make_point_plot(results, axes, title)
                                 : plots::make_table_plot(results, axes, title);
  FigureSpec& figure = plot.set.figures.front();
  for (const Panel& panel : panels_of(figure, plot.curves))
    if (span_of(panel.curves, false).empty())
      mistakes.add(axes.table.empty() ? "--y" : "--table",
                   fmt::format("{} has a value of '{}'",
                               axes.table.empty() ? "no point" : fmt::format("no row of {}", axes.table),
                               panel.figure.y.shown()),
                   "there is nothing to draw");
  mistakes.throw_if_any();
  if (!axes.x_label.empty()) figure.x.label = axes.x_label;
  fit_x(figure, plot.curves);
  fit_y(figure, plot.curves, axes.log_y, axes.y_max);
  return plot;
}

}  // namespace headway
