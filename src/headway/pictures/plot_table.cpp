// SPDX-License-Identifier: Apache-2.0
// A user's figure of the rows of a table of results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/pictures/plot_words.h"
#include "headway/pictures/sparse_rows.h"

namespace headway::plots {
namespace {

constexpr std::size_t kMostCurves = 12;
constexpr std::size_t kMostLinks = 15;

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
      {"pair_series", Rows::pair_series, Drawing::lines, metrics::accepted_load, {"source", "destination"}},
  };
  const auto found = std::ranges::find(kTables, table, &OverTime::table);
  return found == std::end(kTables) ? nullptr : found;
}

Words columns_of_table(const Table& table) {
  Words names;
  for (const Column& column : table) names.push_back(column.name);
  return names;
}

// A root or pair exists in one network only, so there must be a single point.
Plot plot_over_time(const std::vector<PointResult>& results, const PlotAxes& axes, const std::string& title) {
  Mistakes mistakes;
  const OverTime* const what = over_time(axes.table);
  if (axes.y.size() > 1) mistakes.add("--y", fmt::format("{} has one panel", axes.table), "give one --y");
  if (!axes.x.empty() && axes.x != metrics::time_ns)
    mistakes.add("--x", fmt::format("is {}, but the table is over time", axes.x), "omit it");
  if (results.size() > 1)
    mistakes.add("--table", fmt::format("the results have {} points", results.size()),
                 "run one of them alone");
  mistakes.throw_if_any();
  const PointResult& point = results.front();
  const Table& table = point.result.table(what->table);
  const std::string y = all_y(axes, what->y).front();
  if (find_column(table, y) == nullptr)
    mistakes.add("--y", fmt::format("{} has no '{}'", what->table, y),
                 nearest_of(y, columns_of_table(table), fmt::format("{}.csv", what->table)));
  if (what->rows == Rows::tree_series && !point.result.intervals.empty())
    mistakes.add("--table", "the results are of several seeds, whose trees differ", "use seeds = 1");
  mistakes.throw_if_any();

  FigureSpec figure = figure_of(title, what->rows, time_axis(), {y}, what->table);
  figure.drawing = what->drawing;
  figure.curves = {{.name = "others", .label = "others", .where = {}, .each = what->each}};
  Plot plot;
  plot.curves =
      make_curves(figure, {{point.params, point.seed, {}}}, {{0}}, {point.result}, {{1, point.names}});
  plot.set.figures.push_back(std::move(figure));
  return plot;
}

// The names of all tables that any point has.
std::set<std::string_view> tables_of(const std::vector<PointResult>& results) {
  std::set<std::string_view> names;
  for (const PointResult& point : results)
    for (const auto& [name, table] : point.result.tables)
      if (!table.empty()) names.insert(name);
  return names;
}

const Table& first_table(const std::vector<PointResult>& results, std::string_view name) {
  for (const PointResult& point : results)
    if (const Table& table = point.result.table(name); !table.empty()) return table;
  return results.front().result.table(name);
}

// Visits y of the rows of a point that are links, with their names.
void for_each_link(const PointResult& point, const std::string& name, const std::string& y,
                   const auto& visit) {
  const Table& table = point.result.table(name);
  const std::vector<PlaceRow> links = rows_in<PlaceRow>(table);
  for (std::size_t row = 0; row < links.size(); ++row)
    if (const double value = number_at(table, y, row); !std::isnan(value))
      visit(root_name(links[row], point.names), value);
}

// The names of all links, the largest by y over all points first.
std::vector<std::string> links_by_size(const std::vector<PointResult>& results, const std::string& table,
                                       const std::string& y) {
  std::map<std::string, double> largest;
  for (const PointResult& point : results)
    for_each_link(point, table, y, [&](const std::string& name, double value) {
      const auto [found, fresh] = largest.emplace(name, value);
      found->second = std::max(found->second, value);
    });
  std::vector<std::string> names;
  for (const auto& [name, value] : largest) names.push_back(name);
  std::ranges::stable_sort(names, std::ranges::greater{},
                           [&](const std::string& name) { return largest[name]; });
  return names;
}

Curve curve_of_links(const PointResult& point, const std::string& table, const std::string& y,
                     const std::vector<std::string>& names) {
  Curve curve{.y = y, .columns = {{table}, {y}}};
  std::map<std::string, double> values;
  const double runs =
      find_table(table)->lists_rows() ? std::max(1.0, static_cast<double>(point.runs.size())) : 1;
  for_each_link(point, table, y,
                [&](const std::string& name, double value) { values[name] += value / runs; });
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = values.find(names[i]);
    curve.columns[0].values.push_back(static_cast<double>(i));
    curve.columns[1].values.push_back(found == values.end() ? kNaN : found->second);
  }
  return curve;
}

// The rows of a point by what their names say and by their seed, if they are listed, in the order of their
// first rows: "storage", "storage, seed 2".
std::vector<std::pair<std::string, std::vector<std::size_t>>> rows_by_names(const Table& table,
                                                                            const std::string& x) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  std::map<std::string, std::size_t> number_of;
  for (std::size_t row = 0; row < rows_of(table); ++row) {
    std::string name;
    for (const Column& column : table)
      if (!column.words.empty() && column.name != x) name += (name.empty() ? "" : ", ") + column.words[row];
    if (const double seed = number_at(table, kSeed, row); !std::isnan(seed))
      name += fmt::format("{}seed {:.0f}", name.empty() ? "" : ", ", seed);
    const auto [found, fresh] = number_of.emplace(name, groups.size());
    if (fresh) groups.push_back({name, {}});
    groups[found->second].second.push_back(row);
  }
  return groups;
}

double sum_of(const Curve& curve) {
  double sum = 0;
  for (const double value : curve.columns[1].values) sum += std::isnan(value) ? 0 : value;
  return sum;
}

// Keeps the curves with the largest sums.
std::string keep_largest(std::vector<Curve>& curves) {
  if (curves.size() <= kMostCurves) return "";
  const std::size_t all = curves.size();
  std::ranges::stable_sort(curves, std::ranges::greater{}, sum_of);
  curves.resize(kMostCurves);
  return fmt::format("drawn: the {} largest of {} curves", kMostCurves, all);
}

class TablePlot {
 public:
  TablePlot(const std::vector<PointResult>& results, const PlotAxes& axes)
      : results_(results), axes_(axes), table_(first_table(results, axes.table)) {}

  Plot plot(const std::string& title) {
    choose_columns();
    Plot plot;
    FigureSpec figure = x_ == metrics::time_ns
                            ? figure_of(title, Rows::series, time_axis(), ys_, axes_.table)
                            : figure_of(title, Rows::points,
                                        {.column = x_, .label = label_of(x_, axes_.table)}, ys_, axes_.table);
    if (ranks_links_) {
      std::vector<std::string> links = links_by_size(results_, axes_.table, ys_.front());
      if (links.size() > kMostLinks) {
        plot.note = fmt::format("drawn: the {} largest of {} rows", kMostLinks, links.size());
        links.resize(kMostLinks);
      }
      figure.drawing = Drawing::bars;
      figure.x.label = "";
      figure.x.names = links;
      for (const PointResult& point : results_)
        add(curve_of_links(point, axes_.table, ys_.front(), links), point, "");
    } else {
      figure.x.names = names_of_x();
      figure.drawing = !figure.x.names.empty() ? Drawing::bars
                       : ascends()             ? Drawing::lines
                                               : Drawing::markers;
      for (const PointResult& point : results_) add_rows(point, figure);
      plot.note = keep_largest(curves_);
    }
    for (const Curve& curve : curves_)
      figure.curves.push_back({.name = curve.name, .label = curve.label, .where = {}});
    plot.curves = std::move(curves_);
    plot.set.figures.push_back(std::move(figure));
    return plot;
  }

 private:
  void choose_columns() {
    Mistakes mistakes;
    Words xs, numbers;
    for (const Column& column : table_) {
      const Metric* const metric = find_metric(column.name, axes_.table);
      xs.push_back(column.name);
      if (!identifies(metric) && column.name != metrics::time_ns) numbers.push_back(column.name);
    }
    ranks_links_ = axes_.x.empty() && has_places(table_) && find_column(table_, metrics::time_ns) == nullptr;
    x_ = !axes_.x.empty()                                   ? axes_.x
         : find_column(table_, metrics::time_ns) != nullptr ? std::string(metrics::time_ns)
                                                            : default_x();
    if (std::ranges::find(xs, x_) == xs.end())
      mistakes.add("--x", fmt::format("{} has no column '{}'", axes_.table, x_), nearest_of(x_, xs));
    const auto other = std::ranges::find_if(numbers, [&](std::string_view name) { return name != x_; });
    ys_ = all_y(axes_, other == numbers.end() ? "" : *other);
    for (const std::string& name : ys_)
      if (std::ranges::find(numbers, name) == numbers.end())
        mistakes.add("--y", fmt::format("{} has no numbers '{}'", axes_.table, name),
                     nearest_of(name, numbers, fmt::format("{}.csv", axes_.table)));
    if (ranks_links_ && ys_.size() > 1)
      mistakes.add("--y", "links are ordered by one column", "give one --y");
    mistakes.throw_if_any();
  }

  // The first column of numbers, or the first of names if its names are not repeated.
  std::string default_x() const {
    const Column& first = table_.front();
    const std::set<std::string> names(first.words.begin(), first.words.end());
    if (names.size() == rows_of(table_)) return first.name;
    for (const Column& column : table_)
      if (!column.values.empty()) return column.name;
    return first.name;
  }

  std::vector<std::string> names_of_x() const {
    std::vector<std::string> names;
    for (const PointResult& point : results_)
      if (const Column* const column = find_column(point.result.table(axes_.table), x_))
        for (const std::string& word : column->words)
          if (std::ranges::find(names, word) == names.end()) names.push_back(word);
    return names;
  }

  // Whether x ascends from row to row of every curve, so that a line has a meaning.
  bool ascends() const {
    return std::ranges::all_of(rows_by_names(table_, x_), [&](const auto& group) {
      return std::ranges::is_sorted(group.second, {},
                                    [&](std::size_t row) { return number_at(table_, x_, row); });
    });
  }

  void add_rows(const PointResult& point, const FigureSpec& figure) {
    const Table& table = point.result.table(axes_.table);
    for (auto& [name, rows] : rows_by_names(table, x_)) {
      const auto x_of = [&](std::size_t row) {
        if (figure.x.names.empty()) return number_at(table, x_, row) * figure.x.scale();
        return static_cast<double>(std::ranges::find(figure.x.names, word_at(table, x_, row)) -
                                   figure.x.names.begin());
      };
      std::ranges::stable_sort(rows, {}, x_of);
      Curve curve{.y = ys_.front(), .columns = {{figure.x.shown()}}};
      for (const std::size_t row : rows) curve.columns[0].values.push_back(x_of(row));
      for (const std::string& name : ys_) {
        Column& column = curve.columns.emplace_back(Column{name});
        for (const std::size_t row : rows) column.values.push_back(number_at(table, name, row));
      }
      add(std::move(curve), point, name);
    }
  }

  void add(Curve curve, const PointResult& point, const std::string& rows) {
    const Params telling = telling_params(results_, point);
    curve.name = values_text(telling);
    curve.label = label_text(telling);
    for (std::string* const text : {&curve.name, &curve.label}) {
      if (!rows.empty()) *text += (text->empty() ? "" : ", ") + rows;
      if (text->empty()) *text = "results";
    }
    curve.status.assign(curve.columns[0].values.size(), point.result.status);
    curves_.push_back(std::move(curve));
  }

  const std::vector<PointResult>& results_;
  const PlotAxes& axes_;
  const Table& table_;
  std::string x_;
  std::vector<std::string> ys_;
  bool ranks_links_ = false;
  std::vector<Curve> curves_;
};

}  // namespace

Plot make_table_plot(const std::vector<PointResult>& results, const PlotAxes& axes,
                     const std::string& title) {
  Mistakes mistakes;
  const std::set<std::string_view> have = tables_of(results);
  const TableKind* const kind = find_table(axes.table);
  if (kind == nullptr)
    mistakes.add("--table", fmt::format("there is no table '{}'", axes.table),
                 nearest_of(axes.table, {have.begin(), have.end()}));
  else if (!have.contains(axes.table))
    mistakes.add("--table", fmt::format("the results have no {}", axes.table),
                 fmt::format("runs have it with: {}", kind->when));
  mistakes.throw_if_any();
  return over_time(axes.table) != nullptr ? plot_over_time(results, axes, title)
                                          : TablePlot(results, axes).plot(title);
}

}  // namespace headway::plots
