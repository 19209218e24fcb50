// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/tables.h"

#include <fmt/format.h>

namespace headway {

// One function for every file of metrics/tables/ (cmake/lists.cmake).
#define HEADWAY_ENTRY(name) TableKind name##_table();
#include "tables.inc"
#undef HEADWAY_ENTRY

std::string TableKind::name_in_spec() const {
  std::string text(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

bool TableKind::is_made(const RunScope& scope) const {
  if (made_if != nullptr) return made_if(scope);
  return scope.meets(needs) && (on_request.empty() || scope.asks(name_in_spec()));
}

bool TableKind::lists_rows() const {
  return std::ranges::find(columns, OverSeeds::listed, &Metric::over_seeds) != columns.end();
}

std::span<const TableKind> result_tables() {
  static const std::vector<TableKind> all = [] {
    std::vector<TableKind> tables = {
#define HEADWAY_ENTRY(name) name##_table(),
#include "tables.inc"
#undef HEADWAY_ENTRY
    };
    std::ranges::sort(tables, {}, &TableKind::name);
    for (TableKind& table : tables)
      for (Metric& column : table.columns) {
        column.table = table.name;
        if (column.needs == Needs::nothing) column.needs = table.needs;
      }
    return tables;
  }();
  return all;
}

std::span<const ExtraTable> extra_tables() {
  static const std::vector<ExtraTable> all = [] {
    std::vector<ExtraTable> extra = {
        {"cost", "queues, memory and routing tables also on the terminal"},
        {"fairness",
         "accepted load of every destination compared with its max-min fair share for the routes and the "
         "mean "
         "load of the window, with per-destination; not with routings that choose by the state of the "
         "network"}};
    for (const TableKind& table : result_tables())
      if (!table.on_request.empty()) extra.push_back({table.name_in_spec(), table.on_request});
    std::ranges::sort(extra, {}, &ExtraTable::name);
    return extra;
  }();
  return all;
}

const TableKind* find_table(std::string_view name) {
  const auto found = std::ranges::find(result_tables(), name, &TableKind::name);
  return found == result_tables().end() ? nullptr : &*found;
}

std::string metric_of_row(std::string_view row, std::string_view column) {
  return fmt::format("{}.{}", row, column);
}

const Metric* column_of_rows(const TableKind& table, std::string_view column) {
  if (!table.named_rows) return nullptr;
  const auto found = std::ranges::find(table.columns, column, &Metric::name);
  return found == table.columns.end() || found->unit == kName ? nullptr : &*found;
}

std::vector<std::pair<std::string, double>> metrics_of_rows(const Table& table) {
  std::vector<std::pair<std::string, double>> metrics;
  for (std::size_t row = 0; row < rows_of(table); ++row)
    for (const Column& column : table)
      if (!column.values.empty())
        metrics.emplace_back(metric_of_row(table.front().words[row], column.name), column.values[row]);
  return metrics;
}

}  // namespace headway
