// SPDX-License-Identifier: Apache-2.0
// Converts the points and results of an experiment to the curves of a figure.
#include "headway/pictures/figure_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/config/row_reader.h"
#include "headway/metrics/metric.h"
#include "headway/pictures/sparse_rows.h"
#include "headway/why/waiting_words.h"

namespace headway {
namespace {

std::string describe(const Point& point) {
  return point.params.empty() ? "the only point" : params_text(point.params);
}

// One row per result of these points: x, then every metric of the first.
void add_points(const FigureSpec& figure, const std::vector<Point>& points,
                const std::vector<Result>& results, std::vector<std::size_t> rows, Curve& curve) {
  const Result& first = results[rows.front()];
  const auto x = [&](std::size_t row) {
    const std::string* text = param(points[row].params, figure.x.column);
    if (text != nullptr && !figure.x.names.empty())
      return static_cast<double>(std::ranges::find(figure.x.names, *text) - figure.x.names.begin());
    return text == nullptr ? results[row].metric(figure.x.column) : number_of(*text).value_or(0.0);
  };
  std::ranges::stable_sort(rows, {}, x);

  curve.columns.push_back({figure.x.column, {}});
  for (const std::size_t row : rows) {
    curve.columns.front().values.push_back(x(row));
    curve.status.push_back(results[row].status);
  }
  for (const auto& [name, value] : first.metrics) {
    Column column{name};
    for (const std::size_t row : rows) column.values.push_back(results[row].metric(name));
    curve.columns.push_back(std::move(column));
  }
  for (const auto& [name, value] : first.intervals) {
    Column column{name};
    for (const std::size_t row : rows) {
      const auto& intervals = results[row].intervals;
      const auto found = std::ranges::find(intervals, name, [](const auto& entry) { return entry.first; });
      column.values.push_back(found == intervals.end() ? 0.0 : found->second);
    }
    curve.intervals.push_back(std::move(column));
  }
}

// The axis's column in the unit of the axis.
std::optional<Column> shown(const Table& table, const Axis& axis) {
  const Column* column = find_column(table, axis.column);
  if (column == nullptr) return std::nullopt;
  Column converted{axis.shown(), column->values};
  for (double& value : converted.values) value *= axis.scale();
  return converted;
}

// Replaces x by the converted column. Adds the converted y and keeps the original one, because saturation and
// other functions read metrics by name.
void convert(const FigureSpec& figure, Curve& curve) {
  if (!curve.columns.empty() && curve.columns.front().name == figure.x.column)
    curve.columns.front() = *shown(curve.columns, figure.x);
  if (figure.y.unit.empty()) return;
  for (Table* table : {&curve.columns, &curve.intervals})
    if (auto column = shown(*table, figure.y)) table->push_back(std::move(*column));
}

Status status_at(const Curve& curve, double x) {
  const std::vector<double>& xs = curve.columns.front().values;
  const auto row = std::ranges::find(xs, x);
  return row == xs.end() ? Status::ok : curve.status[static_cast<std::size_t>(row - xs.begin())];
}

// The curve of an expression, at every x of the first curve that the expression names.
Curve derived(const FigureSpec& figure, const FigureSpec::CurveSpec& spec, const std::vector<Curve>& curves) {
  const auto curve_of = [&](std::string_view name) -> const Curve& {
    return *std::ranges::find(curves, name, &Curve::name);
  };
  const Curve& first = curve_of(spec.measure->curves().front());
  const std::string y = figure.y.shown();
  Curve curve{spec.name, spec.label, y};
  if (first.columns.empty()) return curve;
  curve.columns = {first.columns.front(), {y, {}}};
  for (const double x : first.columns.front().values) {
    curve.columns.back().values.push_back(spec.measure->evaluate(curve_of, x));
    curve.status.push_back(Status::ok);
    for (const std::string& name : spec.measure->curves())  // the status of the least steady curve
      curve.status.back() = std::max(curve.status.back(), status_at(curve_of(name), x));
  }
  return curve;
}

// Distinguishes curves of the same point.
std::string what_is_drawn(const FigureSpec::CurveSpec& spec) {
  std::string what = fmt::format("{} {}", spec.column, spec.rows ? static_cast<int>(*spec.rows) : -1);
  for (const auto& [column, value] : spec.only) what += fmt::format(" {}={}", column, value);
  return what;
}

// The position in `curves` for the curve with this number in the figure.
std::vector<Curve>::iterator place_of(const FigureSpec& figure, std::size_t number,
                                      std::vector<Curve>& curves) {
  for (std::size_t before = number; before-- > 0;) {
    const auto last = std::find_if(curves.rbegin(), curves.rend(), [&](const Curve& curve) {
      return curve.name == figure.curves[before].name;
    });
    if (last != curves.rend()) return last.base();
  }
  return curves.begin();
}

}  // namespace

bool is_over_time(Rows rows) { return rows == Rows::series || is_sparse(rows); }
bool is_sparse(Rows rows) {
  return rows == Rows::tree_series || rows == Rows::pair_series || rows == Rows::flow_series;
}

const std::string* param(const Params& params, std::string_view key) {
  const auto found = std::ranges::find(params, key, &Params::value_type::first);
  return found == params.end() ? nullptr : &found->second;
}

bool matches(const Params& where, const Point& point) {
  return std::ranges::all_of(where, [&](const auto& condition) {
    const std::string* text = param(point.params, condition.first);
    return text != nullptr && *text == condition.second;
  });
}

std::optional<SweptValue> swept_value(std::string_view text) {
  if (const auto number = real_number(text)) return SweptValue{*number, ""};
  if (const auto bytes = parse_bytes(text)) return SweptValue{static_cast<double>(bytes->count), "bytes"};
  if (const auto duration = parse_duration(text)) return SweptValue{duration->ns.to_double(), "ns"};
  if (const auto rate = parse_rate(text)) return SweptValue{rate->bytes_per_ns.to_double(), "GB/s"};
  return std::nullopt;
}

std::optional<double> number_of(std::string_view text) {
  const auto value = swept_value(text);
  return value ? std::optional(value->number) : std::nullopt;
}

double Axis::scale() const { return unit == "us" ? 1e-3 : unit == "ms" ? 1e-6 : 1.0; }

std::string Axis::shown() const {
  if (unit.empty()) return column;
  return column.substr(0, column.rfind('_') + 1) + unit;
}

std::vector<std::vector<std::size_t>> points_of_curves(const FigureSpec& figure,
                                                       const std::vector<Point>& points, Mistakes& mistakes) {
  const std::string key = fmt::format("figure '{}'", figure.id);
  std::vector<std::vector<std::size_t>> points_of(figure.curves.size());
  for (std::size_t index = 0; index < points.size(); ++index) {
    const Point& point = points[index];
    std::vector<std::string> drawn;
    for (std::size_t curve = 0; curve < figure.curves.size(); ++curve) {
      const FigureSpec::CurveSpec& spec = figure.curves[curve];
      if (spec.measure || !matches(spec.where, point)) continue;
      const std::string what = what_is_drawn(spec);
      if (std::ranges::find(drawn, what) == drawn.end()) points_of[curve].push_back(index);
      drawn.push_back(what);
    }
    std::ranges::sort(drawn);
    if (drawn.empty() || std::ranges::adjacent_find(drawn) != drawn.end())
      mistakes.add(
          key, fmt::format("the point {} belongs to {} curves instead of one", describe(point), drawn.size()),
          "'where' of the curves must select every point exactly once");
    if (figure.rows == Rows::points && figure.drawing != Drawing::table && figure.x.names.empty()) {
      const std::string* x = param(point.params, figure.x.column);
      if (x == nullptr ? find_metric(figure.x.column) == nullptr : !number_of(*x))
        mistakes.add(key,
                     fmt::format("x = '{}' has no number at the point {}", figure.x.column, describe(point)),
                     "x must be a metric, or a swept key whose values are numbers or quantities");
    }
  }
  const bool one_each = figure.rows != Rows::points || figure.drawing == Drawing::table;
  for (std::size_t curve = 0; curve < figure.curves.size(); ++curve)
    if (const std::size_t count = points_of[curve].size();
        !figure.curves[curve].measure && (count == 0 || (one_each && count > 1)))
      mistakes.add(key, fmt::format("the curve '{}' has {} points", figure.curves[curve].name, count),
                   one_each ? "it needs exactly one" : "it needs at least one");
  return points_of;
}

std::vector<Curve> make_curves(const FigureSpec& figure, const std::vector<Point>& points,
                               const std::vector<std::vector<std::size_t>>& points_of,
                               const std::vector<Result>& results, const std::vector<Origin>& origins) {
  std::vector<Curve> curves;
  const auto add = [&](Curve curve, const FigureSpec::CurveSpec& spec) {
    convert(figure, curve);
    curve.hidden = spec.hidden;
    curves.push_back(std::move(curve));
  };
  SparseRows sparse(figure);
  for (std::size_t index = 0; index < figure.curves.size(); ++index) {
    const FigureSpec::CurveSpec& spec = figure.curves[index];
    if (spec.measure) continue;
    const Rows rows = spec.rows.value_or(figure.rows);
    const std::size_t first = points_of[index].front();
    if (is_sparse(rows)) {
      const Origin origin = origins.empty() ? Origin{} : origins[first];
      for (Curve& curve : sparse.curves(spec, rows, first, results[first], origin))
        add(std::move(curve), spec);
      continue;
    }
    Curve curve{spec.name, spec.label, spec.column.empty() ? figure.y.shown() : spec.column};
    if (rows == Rows::points) {
      add_points(figure, points, results, points_of[index], curve);
    } else {
      curve.columns = results[first].table(table_of(rows));
      if (!curve.columns.empty())
        curve.status.assign(curve.columns.front().values.size(), results[first].status);
    }
    add(std::move(curve), spec);
  }
  // after all other curves, because expressions can name curves that come later in the legend
  for (std::size_t index = 0; index < figure.curves.size(); ++index)
    if (const FigureSpec::CurveSpec& spec = figure.curves[index]; spec.measure) {
      Curve curve = derived(figure, spec, curves);
      curve.hidden = spec.hidden;
      curves.insert(place_of(figure, index, curves), std::move(curve));
    }
  std::stable_partition(curves.begin(), curves.end(), [](const Curve& curve) { return !curve.hidden; });
  return curves;
}

}  // namespace headway
