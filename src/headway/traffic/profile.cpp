// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/profile.h"

#include <algorithm>

namespace headway {
namespace {

// Choice: a ramp is a staircase whose steps have the load of their middle, so that its integral is exact.
// More steps would not be visible in the results, and a step shorter than a message would rarely contain one.
constexpr std::int64_t kMaxRampPieces = 1000;

void append_ramp(std::vector<LoadPoint>& steps, const LoadPoint& begin, const LoadPoint& end,
                 std::int64_t message_ticks) {
  const Tick length = end.at - begin.at;
  const std::int64_t pieces = std::clamp(length / message_ticks, std::int64_t{1}, kMaxRampPieces);
  const double rise = (end.load - begin.load) / static_cast<double>(pieces);
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const Tick offset = length / pieces * piece + length % pieces * piece / pieces;
    steps.push_back({begin.at + offset, begin.load + rise * (static_cast<double>(piece) + 0.5)});
  }
}

}  // namespace

double mean_load(const LoadProfile& profile, Tick from, Tick to) {
  double sum = 0;
  const auto clamped = [&](Instant instant) { return std::clamp(instant, instant_of(from), instant_of(to)); };
  for (std::size_t i = 0; i < profile.pieces.size(); ++i) {
    const Instant end = i + 1 < profile.pieces.size() ? profile.pieces[i + 1].from : kNever;
    sum += profile.pieces[i].load * static_cast<double>(clamped(end) - clamped(profile.pieces[i].from));
  }
  return sum / static_cast<double>(instant_of(to) - instant_of(from));
}

LoadProfile compile(const LoadPlan& plan, std::int64_t message_ticks) {
  std::vector<LoadPoint> steps = {{0, plan.points.front().load}};
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    if (plan.ramp && i > 0) append_ramp(steps, plan.points[i - 1], plan.points[i], message_ticks);
    steps.push_back(plan.points[i]);
  }

  // limited to the window [start, stop); if several steps have the same time, the last one counts
  LoadProfile profile;
  const auto append = [&](Tick from, double load) {
    auto& pieces = profile.pieces;
    if (!pieces.empty() && pieces.back().from == instant_of(from)) pieces.pop_back();
    pieces.push_back({instant_of(from), load});
  };
  append(0, 0);
  if (plan.start >= plan.stop) return profile;
  for (const LoadPoint& step : steps)
    if (step.at < plan.stop) append(std::max(step.at, plan.start), step.load);
  if (plan.stop < INT64_MAX) append(plan.stop, 0);
  return profile;
}

}  // namespace headway
