// SPDX-License-Identifier: Apache-2.0
// Comma-separated values, with "\n" between rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "headway/io/csv.h"
#include "headway/io/number_text.h"
#include "headway/metrics/metric.h"
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

double metric_at(const Result& result, std::size_t place, const std::string& name) {
  if (place < result.metrics.size() && result.metrics[place].first == name)
    return result.metrics[place].second;
  return result.metric(name);
}

// The params' keys or values; every cell ends with a comma.
void append_params(std::string& row, const PointResult& point, std::string Params::value_type::* part) {
  for (const auto& param : point.params) {
    append_csv(row, param.*part);
    row += ',';
  }
}
constexpr auto kKey = &Params::value_type::first, kValue = &Params::value_type::second;

// The name of the node or switch with this number; empty if it has none.
std::string_view name_of(const NetworkNames& names, Numbered by, double number) {
  const std::vector<std::string>& list = by == Numbered::nodes ? names.nodes : names.switches;
  if (!(number >= 0 && number < static_cast<double>(list.size()))) return "";
  return list[static_cast<std::size_t>(number)];
}

// A column of a table of several points.
struct TableColumn {
  std::string name;
  Numbered names_of;  // what a column of names after it names
};

void append_cells(std::string& row, NumberChunk& chunk, const TableColumn& column, const Column* in_point,
                  std::size_t at, const NetworkNames& names) {
  const auto add_text = [&](std::string_view text) {
    chunk.flush();
    append_csv(row, text);
  };
  chunk.add(',');
  if (in_point == nullptr) {
    if (column.names_of != Numbered::nothing) chunk.add(',');
  } else if (!in_point->words.empty()) {
    add_text(in_point->words[at]);
  } else {
    const double number = in_point->values[at];
    if (std::isfinite(number)) chunk.add(number);
    if (column.names_of == Numbered::nothing) return;
    chunk.add(',');
    add_text(name_of(names, column.names_of, number));
  }
}

// All columns that the table has in any point.
std::vector<TableColumn> columns_of(Points points, std::string_view table) {
  std::vector<std::string> names;
  bool named = false;
  for (const PointResult* point : points) {
    add_names(names, point->result.table(table), &Column::name);
    named |= !point->names.nodes.empty();
  }
  std::vector<TableColumn> columns;
  std::erase(names, kSeed);  // every row begins with it
  for (const std::string& name : names)
    columns.push_back({name, named ? numbered_by(name) : Numbered::nothing});
  return columns;
}

void append_header(std::string& text, const PointResult& point, const std::vector<TableColumn>& columns) {
  append_params(text, point, kKey);
  text += "seed";
  for (const TableColumn& column : columns) {
    text += ',' + csv_cell(column.name);
    if (column.names_of != Numbered::nothing) text += ',' + csv_cell(column.name + "_name");
  }
  text += '\n';
}

// The metrics of any point.
struct MetricColumn {
  std::string name;
  bool has_interval = false;  // in any point
};

std::vector<MetricColumn> metrics_of(Points points) {
  std::vector<std::string> names;
  for (const PointResult* point : points)
    add_names(names, point->result.metrics, &std::pair<std::string, double>::first);
  std::vector<MetricColumn> columns;
  for (std::string& name : names) {
    const bool has_interval = std::ranges::any_of(
        points, [&](const PointResult* point) { return interval_of(point->result, name) != nullptr; });
    columns.push_back({std::move(name), has_interval});
  }
  return columns;
}

}  // namespace

void results_csv(Points points, const Sink& to) {
  if (points.empty()) return;
  const std::vector<MetricColumn> metrics = metrics_of(points);
  const bool until = points.front()->narrow_enough.has_value();
  const bool limits =
      std::ranges::any_of(points, [](const PointResult* point) { return !point->result.limited_by.empty(); });
  std::string text;
  append_params(text, *points.front(), kKey);
  text += "seed,status";
  if (until) text += ",seeds,narrow_enough";
  if (limits) text += ",limited_by";
  for (const MetricColumn& metric : metrics) {
    text += ',' + csv_cell(metric.name);
    if (metric.has_interval) text += ',' + csv_cell(metric.name + "_ci95");
  }
  for (const PointResult* point : points) {
    text += '\n';
    append_params(text, *point, kValue);
    text += fmt::format("{},{}", point->seed, name_of(point->result.status));
    if (until) text += fmt::format(",{},{}", point->runs.size(), point->narrow_enough.value_or(false));
    if (limits) text += ',' + csv_cell(point->result.limited_by);
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const MetricColumn& metric = metrics[i];
      text += ',';
      append_csv(text, metric_at(point->result, i, metric.name));
      if (!metric.has_interval) continue;
      text += ',';
      if (const double* half_width = interval_of(point->result, metric.name)) append_csv(text, *half_width);
    }
    to(text);
    text.clear();
  }
  to("\n");
}

void table_csv(Points points, std::string_view table, const Sink& to) {
  const std::vector<TableColumn> columns = columns_of(points, table);
  std::string text, params;
  bool begun = false;
  for (const PointResult* point : points) {
    const Table& in_point = point->result.table(table);
    if (in_point.empty()) continue;
    text.clear();
    if (!std::exchange(begun, true)) append_header(text, *point, columns);
    std::vector<const Column*> column_of;  // null if this point does not have the column
    for (std::size_t i = 0; i < columns.size(); ++i)
      column_of.push_back(column_at(in_point, i, columns[i].name));
    params.clear();
    append_params(params, *point, kValue);
    const Column* const seeds = find_column(in_point, kSeed);  // null: the rows are of all seeds
    const auto seed_of = [&](std::size_t row) {
      return seeds == nullptr ? point->seed : static_cast<std::uint64_t>(seeds->values[row]);
    };
    NumberChunk chunk(text);
    for (std::size_t row = 0; row < rows_of(in_point); ++row) {
      text += params;
      text += std::to_string(seed_of(row));
      for (std::size_t i = 0; i < columns.size(); ++i)
        append_cells(text, chunk, columns[i], column_of[i], row, point->names);
      chunk.add('\n');
      chunk.flush();
    }
    to(text);
  }
}

}  // namespace headway
