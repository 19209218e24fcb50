// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/tables.h"

namespace headway {

// One function for every file of metrics/tables/ (cmake/tables.cmake).
#define HEADWAY_TABLE(name) TableKind name##_table();
#include "table_list.inc"
#undef HEADWAY_TABLE

std::span<const TableKind> result_tables() {
  static const std::vector<TableKind> all = [] {
    std::vector<TableKind> tables = {
#define HEADWAY_TABLE(name) name##_table(),
#include "table_list.inc"
#undef HEADWAY_TABLE
    };
    std::ranges::sort(tables, {}, &TableKind::name);
    for (TableKind& table : tables)
      for (Metric& column : table.columns) column.table = table.name;
    return tables;
  }();
  return all;
}

const TableKind* find_table(std::string_view name) {
  const auto found = std::ranges::find(result_tables(), name, &TableKind::name);
  return found == result_tables().end() ? nullptr : &*found;
}

}  // namespace headway
