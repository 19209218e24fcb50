// SPDX-License-Identifier: Apache-2.0
// Combines replications with different seeds into one result. Replications are independent, so the mean of a
// metric has a confidence interval by Student's t (base/statistics.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "headway/base/error.h"
#include "headway/base/rng.h"
#include "headway/base/statistics.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/run/run.h"

namespace headway {
namespace {

double half_width_of(const std::vector<double>& values) {
  return student_t(values.size() - 1) * standard_error_of(values);
}

std::vector<double> each_value_of(const std::vector<Result>& results, std::string_view metric) {
  std::vector<double> values;
  for (const Result& result : results) values.push_back(result.metric(metric));
  return values;
}

// latency_se_ns is the error of latency_mean_ns, hol_blocking_se_ns of hol_blocking_ns, links_busy_se of
// links_busy. For several runs it is the error of the printed mean, estimated from their scatter. Returns the
// name that is_name accepts.
template <class IsName>
std::optional<std::string> mean_whose_error_is(std::string_view name, IsName&& is_name) {
  constexpr std::string_view kError = "_se";
  const bool is_time = name.ends_with("_ns");
  std::string_view stem = name.substr(0, name.size() - (is_time ? 3 : 0));
  if (!stem.ends_with(kError)) return std::nullopt;
  stem.remove_suffix(kError.size());
  for (const std::string_view middle : {"_mean", ""})
    if (std::string mean = fmt::format("{}{}{}", stem, middle, is_time ? "_ns" : ""); is_name(mean))
      return mean;
  return std::nullopt;
}

std::optional<std::string> metric_whose_error_is(std::string_view name, const Result& result) {
  return mean_whose_error_is(name, [&](const std::string& text) {
    return std::ranges::count(result.metrics, text, &std::pair<std::string, double>::first) > 0;
  });
}

// The column whose error a column is, or its own number.
std::size_t column_of_values(const Table& table, std::size_t column) {
  const auto mean = mean_whose_error_is(
      table[column].name, [&](const std::string& name) { return find_column(table, name) != nullptr; });
  return mean ? static_cast<std::size_t>(find_column(table, *mean) - table.data()) : column;
}

// The same for all seeds.
bool is_cost(std::string_view name) {
  return std::ranges::find(cost_metrics(), name, &Metric::name) != cost_metrics().end();
}

using Tables = std::vector<const Table*>;  // of all results, with the same columns

// Means of the rows that all results have. Cells without a value (bins without deliveries) do not count.
Table means_of(const Tables& tables) {
  Table means = *tables.front();
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  for (const Table* table : tables) rows = std::min(rows, rows_of(*table));
  for (std::size_t c = 0; c < means.size(); ++c) {
    if (!means[c].words.empty()) {
      means[c].words.resize(rows);
      continue;
    }
    means[c].values.resize(rows);
    const std::size_t of = column_of_values(means, c);
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> cells;
      for (const Table* table : tables)
        if (const double cell = (*table)[of].values[row]; !std::isnan(cell)) cells.push_back(cell);
      means[c].values[row] = of == c ? mean_of(cells) : standard_error_of(cells);
    }
  }
  return means;
}

Table without_rows(const Table& table) {
  Table none;
  for (const Column& column : table) none.push_back({column.name});
  return none;
}

struct RowOf {
  const Table* table;
  std::size_t number;

  const Column& column(std::size_t c) const { return (*table)[c]; }
  bool has_words(std::size_t c) const { return !column(c).words.empty(); }
  std::strong_ordering compare(const RowOf& other, std::size_t c) const {
    return has_words(c) ? column(c).words[number] <=> other.column(c).words[other.number]
                        : std::strong_order(column(c).values[number], other.column(c).values[other.number]);
  }
};

// Means of the rows that any result has. A missing row counts as 0. In a table of means, only its counts of
// messages are 0, and it has no means.
Table means_of_sparse(const Tables& tables, const TableKind& kind) {
  Table means = without_rows(*tables.front());
  const std::size_t keys = std::min(kind.keys, means.size());
  const auto is_mean = [&](std::size_t c) {
    return kind.has_means && find_metric(means[c].name, kind.name)->unit != kMessages;
  };
  std::vector<RowOf> rows;
  for (const Table* table : tables)
    for (std::size_t row = 0; row < rows_of(*table); ++row) rows.push_back({table, row});
  const auto before = [&](const RowOf& a, const RowOf& b) {
    for (std::size_t c = 0; c < keys; ++c)
      if (const auto order = a.compare(b, c); order != 0) return order < 0;
    return false;
  };
  std::ranges::stable_sort(rows, before);
  for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
    while (next < rows.size() && !before(rows[first], rows[next])) ++next;
    for (std::size_t c = 0; c < means.size(); ++c) {
      const RowOf& row = rows[first];
      if (row.has_words(c)) {
        means[c].words.push_back(row.column(c).words[row.number]);
        continue;
      }
      if (c < keys) {
        means[c].values.push_back(row.column(c).values[row.number]);
        continue;
      }
      const std::size_t of = column_of_values(means, c);
      std::vector<double> cells;
      double sum = 0;
      for (std::size_t i = first; i < next; ++i) {
        const double cell = rows[i].column(of).values[rows[i].number];
        sum += cell;
        if (!std::isnan(cell)) cells.push_back(cell);
      }
      means[c].values.push_back(!is_mean(c) ? sum / static_cast<double>(tables.size())
                                : of == c   ? mean_of(cells)
                                            : standard_error_of(cells));
    }
  }
  return means;
}

// The rows of all results, one result after the other. Trees are renumbered, so that a number is still a row
// of the table trees.
Table all_rows(const Tables& tables, const std::vector<Result>& results) {
  Table all = without_rows(*tables.front());
  std::size_t trees = 0;  // in the earlier results
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      const Column& column = (*tables[i])[c];
      all[c].words.insert(all[c].words.end(), column.words.begin(), column.words.end());
      for (const double cell : column.values)
        all[c].values.push_back(column.name == kTreeNumber ? cell + static_cast<double>(trees) : cell);
    }
    trees += rows_of(results[i].table("trees"));
  }
  return all;
}

Table combined_table(const TableKind& kind, const std::vector<Result>& results) {
  Tables tables;
  for (const Result& result : results) tables.push_back(&result.table(kind.name));
  return kind.listed     ? all_rows(tables, results)
         : kind.keys > 0 ? means_of_sparse(tables, kind)
                         : means_of(tables);
}

// The numbers of a table with named rows are metrics, too.
void take_metrics(const Result& result, Table& table) {
  const std::vector<std::string> rows = table.front().words;
  for (Column& column : table)
    for (std::size_t row = 0; row < column.values.size(); ++row)
      column.values[row] = result.metric(metric_of_row(rows[row], column.name));
}

// "latency", or "latency, share" if seeds differ.
std::string all_limits(const std::vector<Result>& results) {
  std::set<std::string> limits;
  for (const Result& result : results)
    if (!result.limited_by.empty()) limits.insert(result.limited_by);
  return fmt::format("{}", fmt::join(limits, ", "));
}

}  // namespace

Result combine(const std::vector<Result>& results) {
  if (results.size() == 1) return results.front();
  for (const Result& result : results)
    if (!alike(result, results.front())) throw InvariantError("runs of one spec have different metrics");
  Result combined;
  const Result& worst = *std::ranges::max_element(results, {}, &Result::status);
  combined.status = worst.status;
  if (worst.status != Status::ok)
    combined.detail =
        fmt::format("{} of {} seeds: {}", std::ranges::count(results, worst.status, &Result::status),
                    results.size(), worst.detail);
  else if (const auto noted = std::ranges::find_if_not(results, &std::string::empty, &Result::detail);
           noted != results.end())
    combined.detail = noted->detail;
  combined.limited_by = all_limits(results);
  for (const auto& [name, value] : results.front().metrics) {
    if (const auto mean = metric_whose_error_is(name, results.front())) {
      combined.metrics.emplace_back(name, standard_error_of(each_value_of(results, *mean)));
      continue;
    }
    const std::vector<double> values = each_value_of(results, name);
    combined.metrics.emplace_back(name, mean_of(values));
    if (!is_cost(name)) combined.intervals.emplace_back(name, half_width_of(values));
  }
  for (const TableKind& kind : result_tables()) {
    if (!results.front().tables.contains(kind.name)) continue;
    Table& table = combined.tables.emplace(kind.name, combined_table(kind, results)).first->second;
    if (kind.named_rows) take_metrics(combined, table);
  }
  for (const Result& result : results) combined.trace_hash = mix64(combined.trace_hash ^ result.trace_hash);
  return combined;
}

}  // namespace headway
