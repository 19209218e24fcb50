// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/columns.h"

#include <string>

namespace headway {

Table table_of(std::initializer_list<std::span<const Metric>> parts) {
  Table table;
  for (const std::span<const Metric> columns : parts)
    for (const Metric& column : columns) table.push_back({std::string(column.name), {}});
  return table;
}

Table registered_table(std::string_view table, Needs needs) {
  Table result;
  for (const Metric& column : all_metrics())
    if (column.table == table && column.needs == needs) result.push_back({std::string(column.name), {}});
  return result;
}

void add_row(Table& table, std::initializer_list<double> values) {
  auto column = table.begin();
  for (const double value : values) (column++)->values.push_back(value);
}

}  // namespace headway
