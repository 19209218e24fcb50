// SPDX-License-Identifier: Apache-2.0
#include "headway/run/steady_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "headway/base/statistics.h"

namespace headway {
namespace {

// Choice: with these limits, fewer than one in a hundred labelled runs of tools/verdicts.py gets a false
// verdict (docs/verdicts.md).
constexpr double kFewestMessages = 100;
constexpr double kLargestSpread = 0.02;     // a stationary process with relaxation time T has about T / (2 D)
constexpr double kDriftScore = 4;           // limit of slopes, in standard errors
constexpr double kDriftThatMatters = 0.05;  // change over the window, as a fraction of the mean
constexpr double kGrowthScore = 3.5;   // limit of saturation, in standard errors beyond the critical growth
constexpr double kCriticalShare = 1;   // fraction of the sources that are assumed to be critical at once
constexpr double kPlausibleScore = 2;  // standard errors of growth that can be saturation
constexpr double kGrowthThatMatters = 0.002;  // as a fraction of the generated traffic
constexpr double kFewestPerSource = 40;       // messages; in less time a network may still be filling
constexpr double kLeastLatest = 1.0 / 3;      // growth that decays is not saturation
constexpr double kLargestError = 0.02;        // of the mean delivered traffic of saturated sources
constexpr std::size_t kBatches = 10;
constexpr double kLongestAdvice = 1000;  // times the window; longer advice would be unreliable
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Increase of the variance of the outstanding traffic per interval, from increments over `step` intervals.
double variance_of_increments(const std::vector<Observation>& at, std::size_t step) {
  std::vector<double> increments;
  for (std::size_t i = step; i < at.size(); i += step)
    increments.push_back(at[i].outstanding - at[i - step].outstanding);
  return increments.size() < 2 ? 0 : variance_of(increments) / static_cast<double>(step);
}

struct Trend {
  double score = 0;  // change divided by its standard error
  double by = 0;     // relative change
};

bool drifts(const Trend& trend) {
  return std::abs(trend.score) > kDriftScore && std::abs(trend.by) > kDriftThatMatters;
}

// Over the whole window, relative to the mean of the values. Least squares through equally spaced values.
Trend slope_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (values.size() < 4) return {};
  const double mean = mean_of(values), middle = (n - 1) / 2;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle, y = values[i] - mean;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const double slope = xy / xx;
  const double residual = std::max(0.0, yy - slope * xy) / (n - 2);
  // values on a line, up to rounding, have no residual
  const bool exact = residual <= 1e-18 * yy;
  const double score = slope == 0 ? 0
                       : exact    ? std::copysign(kInfinity, slope)
                                  : slope * std::sqrt(xx / residual);
  return {score, mean == 0 ? 0 : slope * n / mean};
}

// From the first to the last third, relative to the mean of the last. A start-up phase ends, so its end tells
// how much the values scatter: the error is that of the last two thirds.
Trend change_of(const std::vector<double>& values) {
  const std::size_t third = values.size() / 3;
  if (third < 2) return {};
  const std::span<const double> all(values), first = all.first(third), rest = all.subspan(third),
                                             last = all.last(third);
  const double change = mean_of(last) - mean_of(first);
  const double error = std::sqrt(2 * variance_of(rest) / static_cast<double>(third));
  return {change == 0 ? 0
          : error > 0 ? change / error
                      : std::copysign(kInfinity, change),
          mean_of(last) == 0 ? 0 : change / mean_of(last)};
}

// Means of the outstanding traffic and of the latencies in batches of intervals. A batch without deliveries
// has no latency and is omitted.
std::vector<double> outstanding_in_batches(const std::vector<Observation>& at) {
  std::vector<double> means;
  const std::size_t intervals = at.size() - 1;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    double sum = 0;
    const std::size_t from = intervals * batch / kBatches, to = intervals * (batch + 1) / kBatches;
    for (std::size_t i = from; i < to; ++i) sum += at[i + 1].outstanding;
    means.push_back(sum / static_cast<double>(to - from));
  }
  return means;
}
std::vector<double> latency_in_batches(const std::vector<Observation>& at) {
  std::vector<double> means;
  const std::size_t intervals = at.size() - 1;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    const Observation &from = at[intervals * batch / kBatches], &to = at[intervals * (batch + 1) / kBatches];
    const double packets = to.delivered - from.delivered;
    if (packets > 0) means.push_back((to.latency_ns - from.latency_ns) / packets);
  }
  return means;
}

std::vector<double> delivered_in_batches(const std::vector<Observation>& at) {
  std::vector<double> rates;  // per interval
  const std::size_t intervals = at.size() - 1;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    const std::size_t from = intervals * batch / kBatches, to = intervals * (batch + 1) / kBatches;
    rates.push_back((at[to].delivered_bytes - at[from].delivered_bytes) / static_cast<double>(to - from));
  }
  return rates;
}

double length_of(const Stretch& stretch) {
  return stretch.observations.empty()
             ? 0
             : stretch.observations.back().time_ns - stretch.observations.front().time_ns;
}

// The mean of a reflected random walk grows as sqrt(2 t / pi) standard deviations. The sum of n independent
// walks has sqrt(n) times the standard deviation of one, but n times its mean.
double critical_growth(const Stretch& stretch) {
  const double before = stretch.loaded_ns / length_of(stretch);
  return std::sqrt(2 / M_PI) * std::sqrt(kCriticalShare * static_cast<double>(stretch.sources)) *
         (std::sqrt(1 + before) - std::sqrt(before));
}

// The statistics of a window, as numbers without unit.
struct Evidence {
  double messages = 0;  // generated bytes divided by the bytes of the largest message
  // Mean square of the outstanding traffic about its mean, over the variance that a random walk with the same
  // increments gathers in the window: 1/6 for one that is critical.
  double spread = 0;
  double growth = 0;     // growth of the outstanding traffic, as a fraction of the generated traffic
  double growth_se = 0;  // its standard error if the traffic is a random walk, from batches of increments
  double critical = 0;   // growth of as many critical queues as there are sources, in standard errors
  double latest = 0;     // part of the growth that falls into the second half
  Trend outstanding;     // slope of the outstanding traffic, from batch means
  Trend latency;         // the same for the mean latency
};

double growth_score(const Evidence& e) {
  return e.growth_se > 0 ? e.growth / e.growth_se : e.growth > 0 ? kInfinity : 0;
}
double score_of_saturation(const Evidence& e) { return kGrowthScore + e.critical; }

std::string bytes_text(double bytes) {
  constexpr double kKi = 1024;
  if (bytes < 10 * kKi) return fmt::format("{:.0f} B", bytes);
  if (bytes < 10 * kKi * kKi) return fmt::format("{:.0f} KiB", bytes / kKi);
  return fmt::format("{:.0f} MiB", bytes / kKi / kKi);
}

// Two digits, rounded up.
std::string two_digits(double ns) {
  const double digit = std::pow(10, std::floor(std::log10(ns)) - 1);
  const double rounded = std::ceil(ns / digit) * digit;
  if (rounded < 1e3) return fmt::format("{:.3g} ns", rounded);
  if (rounded < 1e6) return fmt::format("{:.3g} us", rounded / 1e3);
  if (rounded < 1e9) return fmt::format("{:.3g} ms", rounded / 1e6);
  return fmt::format("{:.3g} s", rounded / 1e9);
}

std::string growth_text(const Stretch& stretch) {
  return fmt::format("outstanding traffic went from {} to {}",
                     bytes_text(stretch.observations.front().outstanding),
                     bytes_text(stretch.observations.back().outstanding));
}

Evidence evidence_of(const Stretch& stretch) {
  const std::vector<Observation>& at = stretch.observations;
  const auto intervals = static_cast<double>(at.size() - 1);
  Evidence e;
  e.messages = stretch.message > 0 ? stretch.generated / stretch.message : 0;

  std::vector<double> levels;
  for (const Observation& observation : at) levels.push_back(observation.outstanding);
  const double noise = variance_of_increments(at, 1);
  const double square = variance_of(levels) * intervals / (intervals + 1);
  e.spread = square == 0 ? 0 : noise > 0 ? square / (noise * intervals) : kInfinity;

  // Increments that are correlated over several intervals, as with bursts, have a larger variance in longer
  // batches.
  double most = noise;
  for (const std::size_t step : {2, 5, 10}) most = std::max(most, variance_of_increments(at, step));
  const double growth = levels.back() - levels.front();
  if (stretch.generated > 0) {
    e.growth = growth / stretch.generated;
    e.growth_se = std::sqrt(most * intervals) / stretch.generated;
  }
  e.critical = critical_growth(stretch);
  e.latest = growth > 0 ? (levels.back() - levels[levels.size() / 2]) / growth : 0;

  e.outstanding = slope_of(outstanding_in_batches(at));
  e.latency = slope_of(latency_in_batches(at));
  return e;
}

Verdict too_short(const Stretch& stretch, double enough, const std::string& why) {
  const std::string advice =
      enough > kLongestAdvice
          ? fmt::format("the window would have to be more than {:.0f} times as long", kLongestAdvice)
          : fmt::format("a window of about {} is probably long enough",
                        two_digits(enough * length_of(stretch)));
  return {Status::too_short, enough, why, advice};
}

// For sources that keep a backlog: what the window delivers must be steady.
Verdict judge_delivery(const Stretch& stretch) {
  const std::vector<Observation>& at = stretch.observations;
  const double messages =
      stretch.message > 0 ? (at.back().delivered_bytes - at.front().delivered_bytes) / stretch.message : 0;
  if (messages < kFewestMessages)
    return too_short(stretch, 2 * kFewestMessages / std::max(messages, 0.1),
                     fmt::format("{:.0f} delivered messages in the window are too few", messages));
  const std::vector<double> delivered = delivered_in_batches(at), latency = latency_in_batches(at);
  const Trend throughput = change_of(delivered), delay = change_of(latency);
  if (drifts(throughput) || drifts(delay))
    return too_short(
        stretch, 2,
        fmt::format("from the first to the last third of the window, the delivered traffic changes "
                    "by {:.2g} % and the latency by {:.2g} %, as in the start-up phase",
                    100 * throughput.by, 100 * delay.by));
  const double error = standard_error_of(delivered) / mean_of(delivered);
  if (error <= kLargestError) return {};
  return too_short(stretch, std::max(2.0, std::pow(error / kLargestError, 2)),
                   fmt::format("the delivered traffic fluctuated: the standard error of its mean is {:.2g} %",
                               100 * error));
}

Verdict judge_outstanding(const Stretch& stretch) {
  const Evidence e = evidence_of(stretch);
  if (e.messages < kFewestMessages) {
    const double expected =
        std::max(e.messages, stretch.message > 0 ? stretch.expected / stretch.message : 0);
    return too_short(
        stretch, 2 * kFewestMessages / expected,
        fmt::format("the bytes generated in the window are those of {:.3g} messages of {:.0f} B, "
                    "which are too few",
                    e.messages, stretch.message));
  }

  const double score = growth_score(e);
  if (score > score_of_saturation(e) && e.growth > kGrowthThatMatters && e.latest > kLeastLatest &&
      e.messages > kFewestPerSource * static_cast<double>(stretch.sources))
    return {Status::saturated, 1,
            fmt::format("{}, which is {:.2g} % of the generated traffic: the latency from generation depends "
                        "on the length of the window",
                        growth_text(stretch), 100 * e.growth)};

  const bool moves = drifts(e.outstanding) || drifts(e.latency);
  if (e.spread <= kLargestSpread && !moves) return {};
  // The ratio of a walk's growth to its error increases with the square root of the time; the spread of a
  // process that settles decreases with time.
  const double enough = std::max(
      2.0, score > kPlausibleScore ? std::pow(score_of_saturation(e) / score, 2) : e.spread / kLargestSpread);
  return too_short(stretch, enough,
                   moves ? growth_text(stretch) + ", which can be the start-up phase or saturation"
                         : growth_text(stretch) + " and fluctuated, as in a network close to saturation");
}

}  // namespace

std::optional<std::size_t> warmup_length(const std::vector<double>& observations) {
  const std::size_t n = observations.size();
  if (n < kFewestObservations) return std::nullopt;
  // from the last observation to the first: mean and sum of squared deviations, by Welford's recurrence
  double mean = 0, squares = 0, least = 0;
  std::size_t best = n;
  for (std::size_t cut = n; cut-- > 0;) {
    const auto rest = static_cast<double>(n - cut);
    const double deviation = observations[cut] - mean;
    mean += deviation / rest;
    squares += deviation * (observations[cut] - mean);
    const double score = squares / (rest * rest);
    // a few last observations are too few to estimate the spread
    if (n - cut < kFewestObservations / 4) continue;
    if (best == n || score <= least) {
      least = score;
      best = cut;
    }
  }
  if (best > n / 2) return std::nullopt;
  return best;
}

Verdict judge(const Stretch& stretch) {
  if (stretch.observations.size() <= kFewestObservations)
    return too_short(stretch, 2.0 * kFewestObservations, "the window is only a few ticks long");
  if (stretch.sending == Sending::by_delivery) return judge_delivery(stretch);
  Verdict verdict = judge_outstanding(stretch);
  if (stretch.sending == Sending::by_load || verdict.status == Status::saturated) return verdict;
  const Verdict delivery = judge_delivery(stretch);
  return delivery.status == Status::ok || verdict.enough > delivery.enough ? verdict : delivery;
}

}  // namespace headway
