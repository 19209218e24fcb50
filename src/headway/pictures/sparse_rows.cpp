// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/sparse_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"

namespace headway {
namespace {

// The number or name in a column that identifies rows.
struct CellOfRow {
  double number;  // NaN if it is a name
  std::string_view word;

  std::string text() const { return std::isnan(number) ? std::string(word) : fmt::format("{}", number); }
  friend bool operator<(const CellOfRow& a, const CellOfRow& b) {
    return a.number < b.number || (!(b.number < a.number) && a.word < b.word);
  }
};
CellOfRow value_at(const Table& table, std::string_view column, std::size_t row) {
  return {number_at(table, column, row), word_at(table, column, row)};
}

// The values of x: those of the series if it has this column, so that bins without a row count as 0.
std::vector<double> all_x(const Result& result, const Table& table, const std::string& column) {
  if (const Column* const times = find_column(table_in<BinRow>(result), column)) return times->values;
  std::vector<double> all;
  if (const Column* const own = find_column(table, column)) all = own->values;
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// x, and the sums of the rows' quantities at each x. Columns that only identify a row have no unit and are
// omitted.
Table added_up(const Table& table, std::string_view name, const std::string& x_column,
               const std::vector<double>& xs, const std::vector<std::size_t>& rows, double times) {
  Table sums = {{x_column, xs}};
  const Column* const x = find_column(table, x_column);
  for (const Column& column : table) {
    const Metric* const metric = find_metric(column.name, name);
    if (column.name == x_column || identifies(metric)) continue;
    sums.push_back({column.name, std::vector<double>(xs.size(), 0.0)});
    for (const std::size_t row : rows) {
      const auto place = std::ranges::lower_bound(xs, x->values[row]) - xs.begin();
      if (static_cast<std::size_t>(place) < xs.size())
        sums.back().values[static_cast<std::size_t>(place)] += times * column.values[row];
    }
  }
  return sums;
}

std::string text_of(const std::vector<std::string>& columns, const Table& table, std::size_t row,
                    const NetworkNames& names) {
  if (std::ranges::find(columns, "port") != columns.end() && has_places(table))
    return root_name(rows_in<PlaceRow>(table)[row], names);
  std::string text;
  for (const std::string& column : columns)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", column, value_at(table, column, row).text());
  return text;
}

// The rows with the same values, and the sum of their y.
struct Group {
  std::vector<CellOfRow> values;
  std::vector<std::size_t> rows;
  double sum = 0;
};

// "roots-link-12"
std::string name_of_group(std::string name, const Group& group) {
  for (const CellOfRow& value : group.values) name += '-' + value.text();
  return name;
}

std::vector<Group> groups_of(const Table& table, const std::vector<std::size_t>& rows,
                             const std::vector<std::string>& each, const std::string& y) {
  std::map<std::vector<CellOfRow>, Group> groups;
  for (const std::size_t row : rows) {
    std::vector<CellOfRow> values;
    for (const std::string& column : each) values.push_back(value_at(table, column, row));
    Group& group = groups[values];
    group.values = values;
    group.rows.push_back(row);
    group.sum += number_at(table, y, row);
  }
  std::vector<Group> list;
  for (auto& [values, group] : groups) list.push_back(std::move(group));
  std::ranges::stable_sort(list, std::ranges::greater{}, &Group::sum);
  return list;
}

}  // namespace

std::string_view table_of(Rows rows) {
  switch (rows) {
    case Rows::points:
      return "";
    case Rows::destinations:
      return "per_destination";
    case Rows::stages:
      return "per_stage";
    case Rows::structure:
      return "structure_per_stage";
    default:  // the others are called like their table
      return name_of(rows);
  }
}

bool identifies(const Metric* column) {
  return column == nullptr || column->unit == kNumber || column->unit == kName;
}

std::vector<Curve> SparseRows::curves(const FigureSpec::CurveSpec& spec, Rows rows, std::size_t point,
                                      const Result& result, const Origin& origin) {
  const std::string_view name = table_of(rows);
  const Table& table = result.table(name);
  if (table.empty()) return {{spec.name, spec.label, figure_.y.shown()}};
  const std::string y = spec.column.empty() ? figure_.y.column : spec.column;
  std::vector<bool>& taken = taken_[fmt::format("{} {} {}", point, name, y)];
  taken.resize(rows_of(table));
  std::vector<std::size_t> mine;
  for (std::size_t row = 0; row < taken.size(); ++row) {
    if (taken[row] || !std::ranges::all_of(spec.only, [&](const auto& condition) {
          return value_at(table, condition.first, row).text() == condition.second;
        }))
      continue;
    taken[row] = true;
    mine.push_back(row);
  }

  const std::vector<double> xs = all_x(result, table, figure_.x.column);
  const double times = find_table(name)->lists_rows() ? 1.0 / origin.runs : 1.0;
  const auto curve = [&](std::string of_curve, std::string label, const std::vector<std::size_t>& of_rows) {
    return Curve{std::move(of_curve),
                 std::move(label),
                 spec.column.empty() ? figure_.y.shown() : spec.column,
                 added_up(table, name, figure_.x.column, xs, of_rows, times),
                 {},
                 std::vector<Status>(xs.size(), result.status)};
  };
  if (spec.each.empty()) return {curve(spec.name, spec.label, mine)};
  std::vector<Curve> curves;
  std::vector<std::size_t> rest;
  for (const Group& group : groups_of(table, mine, spec.each, y)) {
    if (curves.size() == spec.most)
      rest.insert(rest.end(), group.rows.begin(), group.rows.end());
    else
      curves.push_back(curve(name_of_group(spec.name, group),
                             text_of(spec.each, table, group.rows.front(), origin.names), group.rows));
  }
  if (!rest.empty()) curves.push_back(curve(spec.name, spec.label, rest));
  return curves;
}

}  // namespace headway
