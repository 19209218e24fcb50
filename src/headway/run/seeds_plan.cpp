// SPDX-License-Identifier: Apache-2.0
#include "headway/run/seeds_plan.h"

#include <algorithm>
#include <cmath>

#include "headway/base/statistics.h"

namespace headway {
namespace {

// Half width of the interval of the mean, divided by the half width that is narrow enough; NaN if a run has
// no value.
double width_of(const std::vector<double>& values, double relative) {
  const double half = student_t(values.size() - 1) * standard_error_of(values);
  return half == 0 ? 0 : half / (relative * std::abs(mean_of(values)));
}

}  // namespace

SeedsPlan plan_seeds(const std::vector<const Result*>& first, const SeedsUntil& until) {
  const auto least = static_cast<std::size_t>(until.at_least), most = static_cast<std::size_t>(until.at_most);
  if (first.size() < least) return {.runs = least};
  const auto lacks = [&](const Result* run) {
    return std::ranges::find(run->metrics, until.metric, &std::pair<std::string, double>::first) ==
           run->metrics.end();
  };
  if (std::ranges::any_of(first, lacks)) return {.runs = least, .settled = true};
  std::vector<double> values;
  double width = 0;
  for (const Result* run : first) {
    values.push_back(run->metric(until.metric));
    if (values.size() < least) continue;
    width = width_of(values, until.relative);
    if (width <= 1) return {.runs = values.size(), .settled = true, .narrow_enough = true};
    if (values.size() == most) return {.runs = most, .settled = true};
  }
  // The half width decreases with the square root of the number of runs. The number is at most doubled,
  // because an estimate from few runs is rough, and surplus runs are not used.
  const auto now = static_cast<double>(values.size());
  const double expected = std::isfinite(width) ? std::ceil(now * width * width) : 2 * now;
  const double next = std::clamp(expected, now + 1, 2 * now);
  return {.runs = std::min(most, static_cast<std::size_t>(next))};
}

}  // namespace headway
