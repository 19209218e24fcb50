// SPDX-License-Identifier: Apache-2.0
// Combines replications with different seeds into one result. Replications are independent, so the mean of a
// metric has a confidence interval by Student's t (base/statistics.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "headway/base/error.h"
#include "headway/base/rng.h"
#include "headway/base/statistics.h"
#include "headway/metrics/metric.h"
#include "headway/metrics/tables.h"
#include "headway/metrics/units.h"
#include "headway/run/combine_tables.h"
#include "headway/run/run.h"

namespace headway {
namespace {

double half_width_of(const std::vector<double>& values) {
  return student_t(values.size() - 1) * standard_error_of(values);
}

class Metrics {
 public:
  explicit Metrics(const std::vector<Result>& results) : results_(results) {
    const auto& metrics = results.front().metrics;
    for (std::size_t place = 0; place < metrics.size(); ++place)
      place_of_.emplace(metrics[place].first, place);
  }

  void combine_into(Result& combined) const {
    for (std::size_t place = 0; place < results_.front().metrics.size(); ++place) {
      const std::string& name = results_.front().metrics[place].first;
      const Metric& metric = definition_of(name);
      const std::vector<double> values = values_at(place_of_values(name, metric).value_or(place));
      combined.metrics.emplace_back(name, combined_metric(metric.over_seeds, values));
      if (metric.is_mean()) combined.intervals.emplace_back(name, half_width_of(values));
    }
  }

 private:
  // A mean over the seeds that happen to have a value, such as those whose jobs are done, would be biased.
  static double combined_metric(OverSeeds how, const std::vector<double>& values) {
    const bool is_of_mean = how != OverSeeds::maximum && how != OverSeeds::minimum;
    if (is_of_mean && std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
      return kNaN;
    return combined_number(how, values, values.size());
  }

  // The place of the mean whose error a metric is: that of "web.latency_mean_ns" for "web.latency_se_ns".
  std::optional<std::size_t> place_of_values(std::string_view name, const Metric& metric) const {
    if (metric.over_seeds != OverSeeds::error) return std::nullopt;
    const std::size_t row = name.rfind('.') + 1;  // 0 if it is not of a row
    const auto found = place_of_.find(std::string(name.substr(0, row)) + std::string(metric.error_of));
    return found == place_of_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<double> values_at(std::size_t place) const {
    std::vector<double> values;
    for (const Result& result : results_) values.push_back(result.metrics[place].second);
    return values;
  }

  const std::vector<Result>& results_;
  std::unordered_map<std::string, std::size_t> place_of_;  // of a metric's name
};

// The numbers of tables with named rows are metrics, too.
void take_metrics(const Result& combined, const TableKind& kind, Table& table) {
  if (!kind.named_rows || table.empty()) return;
  std::unordered_map<std::string_view, double> metrics(combined.metrics.begin(), combined.metrics.end());
  const std::vector<std::string>& rows = table.front().words;
  for (Column& column : table)
    for (std::size_t row = 0; row < column.values.size(); ++row)
      if (const auto found = metrics.find(metric_of_row(rows[row], column.name)); found != metrics.end())
        column.values[row] = found->second;
}

// "latency", or "latency, share" if seeds differ.
std::string all_limits(const std::vector<Result>& results) {
  std::set<std::string> limits;
  for (const Result& result : results)
    if (!result.limited_by.empty()) limits.insert(result.limited_by);
  return fmt::format("{}", fmt::join(limits, ", "));
}

}  // namespace

Result combine(const std::vector<Result>& results, std::uint64_t first_seed) {
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
  Metrics(results).combine_into(combined);
  for (const TableKind& kind : result_tables()) {
    if (!results.front().tables.contains(kind.name)) continue;
    Table table = combined_table(kind, results, first_seed);
    take_metrics(combined, kind, table);
    combined.tables.emplace(kind.name, std::move(table));
  }
  for (const Result& result : results) combined.trace_hash = mix64(combined.trace_hash ^ result.trace_hash);
  return combined;
}

}  // namespace headway
