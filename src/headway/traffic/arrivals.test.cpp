// SPDX-License-Identifier: Apache-2.0
// Every arrival process keeps its load, is silent outside its window, follows a load that changes, and has
// the gaps of its distribution.
#include "headway/traffic/arrivals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "headway/config/assign.h"

namespace headway {
namespace {

std::unique_ptr<ArrivalProcess> process(std::string_view name, const LoadPlan& plan,
                                        std::int64_t message_ticks) {
  return choose(arrival_processes(), name)
      ->build({compile(plan, message_ticks), static_cast<double>(message_ticks)});
}

// Stops early if messages come twice as often as ticks; the tests then fail.
std::vector<Instant> arrivals(const ArrivalProcess& process, Tick until, std::uint64_t source = 0) {
  Rng rng(3, source);
  std::vector<Instant> result;
  Instant at = process.first(rng);
  for (; at < instant_of(until) && std::ssize(result) < 2 * until; at = process.next(at, rng))
    result.push_back(at);
  return result;
}

// All arrival processes; `saturated` has no process.
std::vector<std::string_view> processes() {
  std::vector<std::string_view> result;
  for (const auto& entry : arrival_processes())
    if (entry.make()->build({}) != nullptr) result.push_back(entry.name);
  return result;
}

// The variance of the number of messages, divided by that of a Poisson process. For a renewal process it is
// the variance of the gap divided by the square of its mean (Cox and Miller 1965, section 9.2). For bursts of
// 16 messages at low loads it is 31.
double variance_of(std::string_view name) { return name == "on-off" ? 31 : 1; }

TEST(Arrivals, KeepTheirLoad) {
  for (const auto name : processes()) {
    for (const std::int64_t message_ticks : {1, 64, 192}) {
      for (const double load : {0.003, 0.1, 1. / 3, 0.49, 0.51, 0.9, 1.0}) {
        constexpr double kMessages = 40000;
        const auto until = static_cast<Tick>(kMessages * static_cast<double>(message_ticks) / load);
        const auto times = arrivals(*process(name, {.points = {{0, load}}}, message_ticks), until);
        // the count varies less for Bernoulli than for Poisson arrivals, and hardly for periodic ones
        const double deviation = name == "periodic" ? 1.0 : std::sqrt(variance_of(name) * kMessages);
        EXPECT_NEAR(static_cast<double>(times.size()), kMessages, 4 * deviation)
            << name << ' ' << message_ticks << ' ' << load;
        EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
      }
    }
  }
}

TEST(Arrivals, AreSilentOutsideTheirWindow) {
  const LoadPlan plan{.points = {{0, 0.5}}, .ramp = false, .start = 100'000, .stop = 300'000};
  for (const auto name : processes()) {
    const auto times = arrivals(*process(name, plan, 64), 1'000'000);
    ASSERT_FALSE(times.empty());
    EXPECT_GE(tick_of(times.front()), 100'000);
    EXPECT_LT(tick_of(times.back()), 300'000);
    EXPECT_NEAR(static_cast<double>(times.size()), 200'000 * 0.5 / 64, 160 * std::sqrt(variance_of(name)))
        << name;
  }
}

TEST(Arrivals, FollowStepsAndRamps) {
  const LoadPlan steps{.points = {{0, 0.2}, {1'000'000, 0.0}, {2'000'000, 0.8}, {3'000'000, 1.0}}};
  const LoadPlan ramp{.points = {{0, 0.0}, {4'000'000, 1.0}}, .ramp = true};
  const double expected_steps[] = {0.2, 0, 0.8, 1.0}, expected_ramp[] = {0.125, 0.375, 0.625, 0.875};
  for (const auto name : processes()) {
    for (const auto& [plan, expected] : {std::pair{steps, expected_steps}, std::pair{ramp, expected_ramp}}) {
      std::vector<int> count(4, 0);
      for (const Instant at : arrivals(*process(name, plan, 64), 4'000'000))
        ++count[static_cast<std::size_t>(tick_of(at) / 1'000'000)];
      for (std::size_t piece = 0; piece < 4; ++piece) {
        const double messages = expected[piece] * 1e6 / 64;
        EXPECT_NEAR(count[piece], messages, 4 * std::sqrt(variance_of(name) * messages) + 1e-9)
            << name << ' ' << piece;
      }
    }
  }
}

// Messages of many sources in a window that is so short that most sources send nothing.
TEST(Arrivals, KeepTheirLoadInAWindowShorterThanAGap) {
  constexpr int kSources = 20000;
  for (const auto name : processes()) {
    const auto short_window =
        process(name, {.points = {{0, 0.1}}, .ramp = false, .start = 640, .stop = 704}, 64);
    std::size_t messages = 0;
    for (std::uint64_t source = 0; source < kSources; ++source)
      messages += arrivals(*short_window, 10'000, source).size();
    EXPECT_NEAR(static_cast<double>(messages), 0.1 * kSources, 4 * std::sqrt(0.1 * kSources)) << name;
  }
}

TEST(Poisson, HasExponentialGaps) {
  const auto times = arrivals(*process("poisson", {.points = {{0, 0.25}}}, 64), 25'600'000);
  double squares = 0;
  int long_gaps = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double gap = std::ldexp(static_cast<double>(times[i] - times[i - 1]), -kInstantBits) / 256;
    squares += gap * gap;
    long_gaps += gap > 1;
  }
  const auto gaps = static_cast<double>(times.size() - 1);
  EXPECT_NEAR(squares / gaps, 2.0, 0.06);
  EXPECT_NEAR(long_gaps / gaps, std::exp(-1.0), 0.01);
}

TEST(Bernoulli, TriesEverySlotOnce) {
  const auto times = arrivals(*process("bernoulli", {.points = {{0, 0.6}}}, 64), 6'400'000);
  int neighbours = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i] % instant_of(64), 0);
    if (i > 0) {
      EXPECT_GT(times[i], times[i - 1]);
      neighbours += times[i] - times[i - 1] == instant_of(64);
    }
  }
  EXPECT_NEAR(neighbours / static_cast<double>(times.size()), 0.6, 0.01);  // trials are independent
}

TEST(Bernoulli, FillsEverySlotAtFullLoad) {
  const auto times = arrivals(*process("bernoulli", {.points = {{0, 1.0}}}, 3), 30'000);
  ASSERT_EQ(times.size(), 10'000U);
  for (std::size_t slot = 0; slot < times.size(); ++slot)
    EXPECT_EQ(tick_of(times[slot]), 3 * static_cast<Tick>(slot));
}

TEST(OnOff, HasBurstsOfItsLengthAtItsPeak) {
  const auto bursts = choose(arrival_processes(), "on-off", {{"burst", 8.0}, {"peak", 0.5}})
                          ->build({compile({.points = {{0, 0.1}}}, 64), 64});
  const auto times = arrivals(*bursts, 64'000'000);
  std::vector<int> lengths(1, 1);
  double silence = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const Instant gap = times[i] - times[i - 1], within = instant_of(128);
    EXPECT_GE(gap, within - 1);
    if (gap <= within + 1) {
      ++lengths.back();
    } else {
      silence += std::ldexp(static_cast<double>(gap - within), -kInstantBits);
      lengths.push_back(1);
    }
  }
  const auto count = static_cast<double>(lengths.size());
  EXPECT_NEAR(static_cast<double>(times.size()) / count, 8, 4 * 8 / std::sqrt(count));
  // geometric: the rest of a burst does not depend on its past
  EXPECT_NEAR(static_cast<double>(std::ranges::count(lengths, 1)) / count, 1 / 8., 4 / std::sqrt(8 * count));
  // a burst of 8 messages takes 8 * 128 ticks; the silence takes 4 times as long
  EXPECT_NEAR(silence / count, 4096, 4 * 4096 / std::sqrt(count));
}

TEST(OnOff, IsPeriodicAtItsPeak) {
  const auto full = process("on-off", {.points = {{0, 1.0}}}, 64);
  const auto times = arrivals(*full, 64'000);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_EQ(times[i] - times[i - 1], instant_of(64));
  EXPECT_EQ(choose(arrival_processes(), "on-off", {{"peak", 0.5}})->max_load(), 0.5);
}

TEST(Periodic, HasConstantGapsAndPhasesThatDiffer) {
  const auto even = process("periodic", {.points = {{0, 1. / 3}}}, 64);
  double phases = 0;
  constexpr int kSources = 2000;
  for (std::uint64_t source = 0; source < kSources; ++source) {
    const auto times = arrivals(*even, 1000, source);
    for (std::size_t i = 1; i < times.size(); ++i) EXPECT_NEAR(times[i] - times[i - 1], instant_of(192), 1);
    phases += static_cast<double>(tick_of(times.front()));
  }
  EXPECT_NEAR(phases / kSources, 95.5, 4 * 192 / std::sqrt(12.0 * kSources));
}

TEST(Periodic, CarriesAPartOfAMessageOverAChangeOfLoad) {
  const auto changing = process("periodic", {.points = {{0, 1.0}, {1000, 0.0}, {5000, 0.5}}}, 64);
  const auto times = arrivals(*changing, 10'000);
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (tick_of(times[i - 1]) >= 1000 || times[i] < instant_of(1000)) continue;
    const Instant sent = instant_of(1000) - times[i - 1];
    EXPECT_NEAR(times[i], instant_of(5000) + 2 * (instant_of(64) - sent), 2);
  }
}

TEST(Saturated, KeepsABacklogInsteadOfAProcess) {
  const auto saturated = choose(arrival_processes(), "saturated", {{"backlog", 5}});
  EXPECT_EQ(saturated->build({}), nullptr);
  EXPECT_EQ(saturated->backlog(), 5U);
  for (const auto name : processes()) EXPECT_EQ(choose(arrival_processes(), name)->backlog(), 0U);
}

}  // namespace
}  // namespace headway
