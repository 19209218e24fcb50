// SPDX-License-Identifier: Apache-2.0
#include "headway/why/waiting_course.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "headway/metrics/metric.h"
#include "headway/metrics/metric_names.h"
#include "headway/metrics/units.h"
#include "headway/why/waiting_classes.h"

namespace headway {
namespace {

constexpr std::size_t kFewest = 8;       // bins with photographs
constexpr std::size_t kFirst = 2;        // of these, bins that give the level before
constexpr double kOnset = 2;             // times the level before: it has begun,
constexpr double kLeast = 0.005;         // if it is at least this part of the peak
constexpr double kHalf = 0.5;            // of the rise: it is certainly there
constexpr double kOver = 0.1;            // of the rise: it is over
constexpr std::size_t kFewestAfter = 2;  // bins with photographs that show that it is over

struct Sample {
  double begin_ns, end_ns, packets;
};

double packets_in(const BinRow& bin, bool counts_victims) {
  if (counts_victims) return bin.victim_packets;
  double sum = 0;
  for (const WaitingClass& one : kWaitingClasses)
    if (one.waiting != Waiting::transit) sum += bin.*one.packets;
  return sum;
}

// The bins that all runs have: means over some of them would change with the runs that go on.
std::vector<BinRow> bins_of_all(const Result& result) {
  std::vector<BinRow> bins = rows_in<BinRow>(result);
  double most = 0;  // NaN of a bin means that all have it
  for (const BinRow& bin : bins) most = std::fmax(most, bin.seeds);
  std::erase_if(bins, [&](const BinRow& bin) { return bin.seeds < most; });
  return bins;
}

// Those of them that have photographs.
std::vector<Sample> samples_of(const Result& result, bool counts_victims) {
  std::vector<Sample> samples;
  double begin_ns = 0;
  for (const BinRow& bin : bins_of_all(result)) {
    if (const double packets = packets_in(bin, counts_victims); packets >= 0)
      samples.push_back({begin_ns, bin.time_ns, packets});
    begin_ns = bin.time_ns;
  }
  return samples;
}

double mean_between(const std::vector<Sample>& samples, double from_ns, double to_ns) {
  double sum = 0, count = 0;
  for (const Sample& sample : samples)
    if (sample.end_ns > from_ns && sample.end_ns <= to_ns) {
      sum += sample.packets;
      ++count;
    }
  return count == 0 ? kNaN : sum / count;
}

}  // namespace

std::optional<WaitingCourse> course_of(const Result& result, bool counts_victims) {
  const std::vector<Sample> samples = samples_of(result, counts_victims);
  if (samples.size() < kFewest) return std::nullopt;
  WaitingCourse course{.counts_victims = counts_victims};
  const double peak = std::ranges::max(samples, {}, &Sample::packets).packets;
  double before = 0;
  for (std::size_t i = 0; i < kFirst; ++i) before += samples[i].packets / kFirst;
  const bool rises = before < kHalf * peak;
  if (!rises) before = 0;
  const auto above = [&](double share) {
    return [=](const Sample& sample) { return sample.packets > before + share * (peak - before); };
  };
  if (rises) {
    const auto there = std::ranges::find_if(samples, above(kHalf));
    for (auto sample = samples.begin(); sample != there; ++sample)
      if (sample->packets <= std::max(kOnset * before, kLeast * peak)) course.since_ns = sample->end_ns;
  }
  const auto after_last = std::find_if(samples.rbegin(), samples.rend(), above(kOver)).base();
  if (samples.end() - after_last >= static_cast<std::ptrdiff_t>(kFewestAfter))
    course.until_ns = after_last->begin_ns;
  const double end = samples.back().end_ns;
  double window = result.metric(metrics::duration_ns);
  if (find_column(table_in<BinRow>(result), kSeeds) != nullptr) {
    course.shortest_ns = end;
    window = std::min(window, end - result.metric(metrics::warmup_ns));
  }
  const double quarter = window / 4;
  course.at_end = mean_between(samples, end - quarter, end);
  course.growth = course.at_end / mean_between(samples, end - 2 * quarter, end - quarter);
  return course;
}

}  // namespace headway
