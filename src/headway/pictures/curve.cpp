// SPDX-License-Identifier: Apache-2.0
// Evaluates curves: interpolation, windows, saturation. curve.h defines each function.
#include "headway/pictures/curve.h"

#include <algorithm>
#include <limits>

#include "headway/base/statistics.h"
#include "headway/metrics/metric_names.h"

namespace headway {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const std::vector<double>* values_of(const Curve& curve, std::string_view name) {
  const Column* column = find_column(curve.columns, name.empty() ? curve.y : name);
  return column == nullptr || column->values.empty() ? nullptr : &column->values;
}

// The values of the rows with from <= x <= to.
std::vector<double> window(const Curve& curve, double from, double to, std::string_view name) {
  std::vector<double> inside;
  const std::vector<double>* values = values_of(curve, name);
  if (values == nullptr) return inside;
  const std::vector<double>& xs = curve.columns.front().values;
  for (std::size_t row = 0; row < xs.size(); ++row)
    if (from <= xs[row] && xs[row] <= to) inside.push_back((*values)[row]);
  return inside;
}

double between(double from, double to, double share) { return from + (to - from) * share; }

// The fraction of the way from `before` to `after` at which `limit` is reached; 1 if it is not between them.
double crossing(double before, double after, double limit) {
  const bool crossed = (before <= limit) != (after <= limit);
  return crossed ? (limit - before) / (after - before) : 1.0;
}

}  // namespace

double at(const Curve& curve, double x, std::string_view name) {
  const std::vector<double>* values = values_of(curve, name);
  if (values == nullptr) return kNan;
  const std::vector<double>& xs = curve.columns.front().values;
  const auto right = std::ranges::lower_bound(xs, x);
  if (right == xs.end()) return kNan;
  const auto row = static_cast<std::size_t>(right - xs.begin());
  if (*right == x) return (*values)[row];
  if (row == 0) return kNan;
  return between((*values)[row - 1], (*values)[row], (x - xs[row - 1]) / (xs[row] - xs[row - 1]));
}

double mean(const Curve& curve, double from, double to, std::string_view name) {
  return mean_of(window(curve, from, to, name));
}

double lowest(const Curve& curve, double from, double to, std::string_view name) {
  const std::vector<double> inside = window(curve, from, to, name);
  return inside.empty() ? kNan : std::ranges::min(inside);
}

double highest(const Curve& curve, double from, double to, std::string_view name) {
  const std::vector<double> inside = window(curve, from, to, name);
  return inside.empty() ? kNan : std::ranges::max(inside);
}

double below(const Curve& curve, double limit, std::string_view name) {
  const std::vector<double>* values = values_of(curve, name);
  if (values == nullptr) return kNan;
  return static_cast<double>(std::ranges::count_if(*values, [&](double value) { return value < limit; }));
}

double strays(const Curve& curve, const std::vector<double>& listed, std::string_view name) {
  const std::vector<double>* values = values_of(curve, name);
  if (values == nullptr) return kNan;
  const std::vector<double>& xs = curve.columns.front().values;
  const auto is_in = [](const std::vector<double>& list, double x) {
    return std::ranges::find(list, x) != list.end();
  };
  for (const double x : listed)
    if (!is_in(xs, x)) return kNan;
  double count = 0;
  for (std::size_t row = 0; row < xs.size(); ++row)
    if (is_in(listed, xs[row]) != ((*values)[row] != 0)) ++count;
  return count;
}

double value(const Curve& curve, std::string_view name) {
  const std::vector<double>* values = values_of(curve, name);
  return values == nullptr || values->size() != 1 ? kNan : values->front();
}

double saturation(const Curve& curve, double times) {
  const std::vector<double>* offered = values_of(curve, metrics::offered_load);
  const std::vector<double>* accepted = values_of(curve, metrics::accepted_load);
  const std::vector<double>* latency = values_of(curve, metrics::latency_mean_ns);
  if (offered == nullptr || accepted == nullptr || latency == nullptr) return kNan;

  const std::vector<double>& loads = curve.columns.front().values;
  const double latency_limit = times * latency->front();
  const auto share = [&](std::size_t row) { return (*accepted)[row] / (*offered)[row]; };
  for (std::size_t row = 0; row < loads.size(); ++row) {
    if (share(row) >= kSaturatedShare && (*latency)[row] <= latency_limit) continue;
    if (row == 0) return kNan;  // saturated everywhere: the sweep starts at a load that is too high
    const double first = std::min(crossing(share(row - 1), share(row), kSaturatedShare),
                                  crossing((*latency)[row - 1], (*latency)[row], latency_limit));
    return between(loads[row - 1], loads[row], first);
  }
  return loads.back();
}

}  // namespace headway
