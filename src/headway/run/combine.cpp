// SPDX-License-Identifier: Apache-2.0
// Combines replications with different seeds into one result. Replications are independent, so the mean of a
// metric has a confidence interval by Student's t (base/student_t.h).
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
#include "headway/base/student_t.h"
#include "headway/metrics/metric.h"
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
// links_busy. For several runs it is the error of the printed mean, estimated from their scatter.
std::optional<std::string> metric_whose_error_is(std::string_view name, const Result& result) {
  constexpr std::string_view kError = "_se";
  const bool is_time = name.ends_with("_ns");
  std::string_view stem = name.substr(0, name.size() - (is_time ? 3 : 0));
  if (!stem.ends_with(kError)) return std::nullopt;
  stem.remove_suffix(kError.size());
  const auto named = [&](const std::string& text) {
    return std::ranges::count(result.metrics, text, &std::pair<std::string, double>::first) > 0;
  };
  for (const std::string_view middle : {"_mean", ""})
    if (std::string mean = fmt::format("{}{}{}", stem, middle, is_time ? "_ns" : ""); named(mean))
      return mean;
  return std::nullopt;
}

// The same for all seeds.
bool is_cost(std::string_view name) {
  return std::ranges::find(cost_metrics(), name, &Metric::name) != cost_metrics().end();
}

// Means of the rows that all results have. Cells without a value (bins without deliveries) do not count.
Table means_of(const std::vector<Result>& results, Table Result::* table) {
  Table means = results.front().*table;
  for (std::size_t c = 0; c < means.size(); ++c) {
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    for (const Result& result : results) rows = std::min(rows, (result.*table)[c].values.size());
    means[c].values.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> cells;
      for (const Result& result : results)
        if (const double cell = (result.*table)[c].values[row]; !std::isnan(cell)) cells.push_back(cell);
      means[c].values[row] = mean_of(cells);  // NaN if no result has a value
    }
  }
  return means;
}

// Means of the rows that any result has. The values of a missing row count as 0.
Table means_of_sparse(const std::vector<Result>& results, Table Result::* table, std::size_t keys) {
  Table means;
  for (const Column& column : results.front().*table) means.push_back({column.name, {}});
  if (means.empty()) return means;
  struct Row {
    const Table* table;
    std::size_t number;
    double cell(std::size_t column) const { return (*table)[column].values[number]; }
  };
  std::vector<Row> rows;
  for (const Result& result : results)
    for (std::size_t row = 0; row < (result.*table).front().values.size(); ++row)
      rows.push_back({&(result.*table), row});
  const auto before = [&](const Row& a, const Row& b) {
    for (std::size_t column = 0; column < std::min(keys, means.size()); ++column)
      if (const auto order = std::strong_order(a.cell(column), b.cell(column)); order != 0) return order < 0;
    return false;
  };
  std::ranges::stable_sort(rows, before);
  for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
    while (next < rows.size() && !before(rows[first], rows[next])) ++next;
    for (std::size_t column = 0; column < means.size(); ++column) {
      double sum = 0;
      for (std::size_t row = first; row < next; ++row) sum += rows[row].cell(column);
      means[column].values.push_back(column < keys ? rows[first].cell(column)
                                                   : sum / static_cast<double>(results.size()));
    }
  }
  return means;
}

// The rows of all results, one result after the other. Trees are renumbered, so that a number is still a row
// of the table trees.
Table all_rows(const std::vector<Result>& results, Table Result::* table) {
  Table all;
  for (const Column& column : results.front().*table) all.push_back({column.name, {}});
  std::size_t trees = 0;  // in the earlier results
  for (const Result& result : results) {
    for (std::size_t c = 0; c < all.size(); ++c)
      for (const double cell : (result.*table)[c].values)
        all[c].values.push_back(all[c].name == kTreeNumber ? cell + static_cast<double>(trees) : cell);
    if (!result.trees.empty()) trees += result.trees.front().values.size();
  }
  return all;
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
  for (const auto& [name, table, keys, listed] : result_tables())
    combined.*table = listed     ? all_rows(results, table)
                      : keys > 0 ? means_of_sparse(results, table, keys)
                                 : means_of(results, table);
  for (const Result& result : results) combined.trace_hash = mix64(combined.trace_hash ^ result.trace_hash);
  return combined;
}

}  // namespace headway
