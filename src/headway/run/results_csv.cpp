// SPDX-License-Identifier: Apache-2.0
// Comma-separated values, with "\n" between rows.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "headway/io/csv.h"
#include "headway/run/results.h"

namespace headway {
namespace {

// The half width of a metric's confidence interval; null if there is none.
const double* interval_of(const Result& result, std::string_view name) {
  for (const auto& [metric, half_width] : result.intervals)
    if (metric == name) return &half_width;
  return nullptr;
}

// Points with different schemes can have different columns. Collects all of them in the order in which they
// appear. Adds the columns of a point, most of which usually exist at the same positions.
template <class Named, class Name>
void add_names(std::vector<std::string>& names, const std::vector<Named>& named, Name Named::* name) {
  const bool first = names.empty();
  for (std::size_t i = 0; i < named.size(); ++i) {
    const std::string& here = named[i].*name;
    if (first || ((i >= names.size() || names[i] != here) && std::ranges::find(names, here) == names.end()))
      names.push_back(here);
  }
}

const Column* column_at(const Table& columns, std::size_t place, const std::string& name) {
  if (place < columns.size() && columns[place].name == name) return &columns[place];
  return find_column(columns, name);
}

// One row of the params' keys or values; every cell ends with a comma.
template <class Part>
std::string param_cells(const PointResult& point, Part part) {
  std::string row;
  for (const auto& param : point.params) row += csv_cell(part(param)) + ',';
  return row;
}
constexpr auto kKey = [](const auto& param) -> std::string_view { return param.first; };
constexpr auto kValue = [](const auto& param) -> std::string_view { return param.second; };

// The name of the node or switch with this number; empty if it has none.
std::string name_of(const NetworkNames& names, Numbered by, double number) {
  const std::vector<std::string>& list = by == Numbered::nodes ? names.nodes : names.switches;
  return number >= 0 && number < static_cast<double>(list.size()) ? list[static_cast<std::size_t>(number)]
                                                                  : "";
}

std::string cell_text(const Column& column, std::size_t row) {
  return column.words.empty() ? csv_cell(column.values[row]) : csv_cell(std::string_view(column.words[row]));
}

}  // namespace

std::string results_csv(const std::vector<PointResult>& points) {
  if (points.empty()) return "";
  std::vector<std::string> names;
  std::string text = param_cells(points.front(), kKey) + "seed,status";
  const bool until = points.front().narrow_enough.has_value();
  if (until) text += ",seeds,narrow_enough";
  const bool limits =
      std::ranges::any_of(points, [](const PointResult& point) { return !point.result.limited_by.empty(); });
  if (limits) text += ",limited_by";
  for (const PointResult& point : points)
    add_names(names, point.result.metrics, &std::pair<std::string, double>::first);
  std::vector<bool> intervals;  // [name] true if any point has one
  for (const std::string& name : names)
    intervals.push_back(std::ranges::any_of(
        points, [&](const PointResult& point) { return interval_of(point.result, name) != nullptr; }));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    text += ',' + csv_cell(name);
    if (intervals[i]) text += ',' + csv_cell(name + "_ci95");
  }
  for (const PointResult& point : points) {
    text += fmt::format("\n{}{},{}", param_cells(point, kValue), point.seed, name_of(point.result.status));
    if (until) text += fmt::format(",{},{}", point.runs.size(), point.narrow_enough.value_or(false));
    if (limits) text += ',' + csv_cell(std::string_view(point.result.limited_by));
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += ',' + csv_cell(point.result.metric(names[i]));
      if (!intervals[i]) continue;
      const double* half_width = interval_of(point.result, names[i]);
      text += ',' + (half_width == nullptr ? "" : csv_cell(*half_width));
    }
  }
  return text + '\n';
}

std::string table_csv(const std::vector<PointResult>& points, std::string_view table) {
  std::vector<std::string> names;
  bool named = false;
  for (const PointResult& point : points) {
    add_names(names, point.result.table(table), &Column::name);
    named |= !point.names.nodes.empty();
  }
  std::string text;
  for (const PointResult& point : points) {
    const Table& columns = point.result.table(table);
    if (columns.empty()) continue;
    if (text.empty()) {
      text = param_cells(point, kKey) + "seed";
      for (const std::string& name : names) {
        text += ',' + csv_cell(name);
        if (named && numbered_by(name) != Numbered::nothing) text += ',' + csv_cell(name + "_name");
      }
      text += '\n';
    }
    std::vector<const Column*> column_of;  // [name], null if this point does not have the column
    for (std::size_t i = 0; i < names.size(); ++i) column_of.push_back(column_at(columns, i, names[i]));
    const std::string params = param_cells(point, kValue) + std::to_string(point.seed);
    for (std::size_t row = 0; row < rows_of(columns); ++row) {
      text += params;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const Column* const column = column_of[i];
        text += ',' + (column == nullptr ? "" : cell_text(*column, row));
        if (const Numbered by = numbered_by(names[i]); named && by != Numbered::nothing)
          text += ',' + (column == nullptr ? "" : csv_cell(name_of(point.names, by, column->values[row])));
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace headway
