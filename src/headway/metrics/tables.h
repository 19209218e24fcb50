// SPDX-License-Identifier: Apache-2.0
// The tables of results. Each is defined in one file of metrics/tables/: its columns, the runs that have it,
// and its rows. CMake finds these files, so a new table needs no other change: JSON, CSV, Python, figures,
// help and documentation go over the list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "headway/metrics/metric.h"
#include "headway/metrics/result.h"
#include "headway/metrics/units.h"

namespace headway {

struct MeasuredRun;

// What a run measures, known before it starts: which tables and columns it has.
class RunScope {
 public:
  void add(Needs needs) { met_ |= bit(needs); }
  void ask(std::string_view name) { asked_.emplace(name); }

  bool meets(Needs needs) const { return (met_ & bit(needs)) != 0; }
  // Returns true if measure.tables has this name.
  bool asks(std::string_view name) const { return asked_.contains(name); }

 private:
  static std::uint64_t bit(Needs needs) { return std::uint64_t{1} << static_cast<unsigned>(needs); }

  std::uint64_t met_ = std::uint64_t{1} << static_cast<unsigned>(Needs::nothing);
  std::set<std::string, std::less<>> asked_;
};

// Adds the metrics that a run has to its result.
template <class Definitions, class Measured>
void add_metrics(const Definitions& definitions, const Measured& measured, const RunScope& scope,
                 Result& result) {
  for (const auto& definition : definitions)
    if (scope.meets(definition.metric.needs))
      result.metrics.emplace_back(definition.metric.name, definition.value(measured));
}

// Upper bounds, for estimates of memory and of files.
struct TableBounds {
  double nodes = 0, node_links = 0;                                       // node_links: of all nodes
  double links = 0, lanes = 0, switch_ports = 0, flows = 0, classes = 0;  // lanes: of all links
  double roots = 0;  // of congestion; also trees and stalls. 0: they are estimated elsewhere
  double ranks = 0, operations = 0, iterations = 0;  // of all jobs
  double path_operations = 0;                        // of an iteration, on the critical paths of all jobs
  double slowest_messages = 0;
  double size_classes = 0;  // of the messages of a flow
  double bins = 0;          // of the time series
  double pair_rows = 0;     // pairs that receive data in a bin, over all bins
  double tree_rows = 0;     // congestion trees of a bin that are listed, over all bins
  double rate_rows = 0;     // limited flows of a bin that are listed, over all bins
};

struct TableKind {
  std::string_view name = {};  // of its file, too
  std::string_view rows;       // what they are, for people
  std::string_view when;       // the runs that have it, for people
  std::vector<Metric> columns = {};
  Needs needs = Needs::nothing;  // of a run that has the table, and of its columns
  // Other conditions, instead of `needs` and `on_request`; null if there are none.
  bool (*made_if)(const RunScope& scope) = nullptr;
  Table (*made)(const MeasuredRun& run) = nullptr;
  double (*most_cells)(const TableBounds& bounds, double columns);
  // What measure.tables adds with the name of this table, for people; empty if it cannot ask for it.
  std::string_view on_request = {};
  // The first column names the rows, and every number is a metric of the run, too: "storage.latency_mean_ns".
  bool named_rows = false;

  std::string name_in_spec() const;  // "per-link" for per_link
  bool is_made(const RunScope& scope) const;
  // Whether rows describe one run: rows of several seeds are listed, with their seed, and not combined.
  bool lists_rows() const;
};

// In the order of their names.
std::span<const TableKind> result_tables();
// What measure.tables can ask for, in the order of names: "per-link" for the table per_link, the columns and
// metrics of fairness, and the metrics of cost on the terminal.
struct ExtraTable {
  std::string name;
  std::string_view help;
};
std::span<const ExtraTable> extra_tables();
// Null if there is none.
const TableKind* find_table(std::string_view name);

// The name of a metric that is a cell of a table with named rows.
std::string metric_of_row(std::string_view row, std::string_view column);
// The column of numbers with this name; null if there is none, or if the table's rows have no names.
const Metric* column_of_rows(const TableKind& table, std::string_view column);
// The numbers of a table with named rows, as metrics.
std::vector<std::pair<std::string, double>> metrics_of_rows(const Table& table);

// The column with the number of a congestion tree: its row among those of its run in the table trees.
inline constexpr std::string_view kTreeNumber = "tree";

// A number or a name.
struct Cell {
  double number = kNaN;
  std::string_view word = {};

  template <class Number>
    requires std::is_arithmetic_v<Number>
  Cell(Number value) : number(static_cast<double>(value)) {}
  Cell(std::string_view name) : word(name) {}
};

// A column, and its cell in a row: a member of Row, or computed from it. Columns that are members can be read
// back from a stored table (metrics/rows.h).
template <class Row>
struct ColumnOf {
  using RowType = Row;
  using Computed = Cell (*)(const Row& row);

  Cell cell_of(const Row& row) const {
    if (const auto* const number = std::get_if<double Row::*>(&cell)) return row.**number;
    if (const auto* const word = std::get_if<std::string_view Row::*>(&cell)) return row.**word;
    return std::get<Computed>(cell)(row);
  }

  Metric metric;
  std::variant<Computed, double Row::*, std::string_view Row::*> cell;
};

// Arrays of columns, of either kind, one after the other.
template <class... Lists>
constexpr auto joined(const Lists&... parts) {
  using Column = std::common_type_t<std::ranges::range_value_t<Lists>...>;
  std::array<Column, (sizeof(Lists) + ...) / sizeof(Column)> all{};
  auto next = all.begin();
  ((next = std::ranges::copy(parts, next).out), ...);
  return all;
}

// Makes a table row by row, with the columns that a run has.
template <class Row>
class TableRows {
 public:
  TableRows(std::span<const ColumnOf<Row>> columns, const RunScope& scope) {
    for (const ColumnOf<Row>& column : columns) {
      if (!scope.meets(column.metric.needs)) continue;
      columns_.push_back(&column);
      table_.push_back({std::string(column.metric.name)});
    }
  }

  void add(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Cell cell = columns_[i]->cell_of(row);
      if (columns_[i]->metric.unit == kName)
        table_[i].words.emplace_back(cell.word);
      else
        table_[i].values.push_back(cell.number);
    }
  }

  Table take() { return std::move(table_); }

 private:
  std::vector<const ColumnOf<Row>*> columns_;
  Table table_;
};

}  // namespace headway
