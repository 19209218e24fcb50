// SPDX-License-Identifier: Apache-2.0
// Whole runs of random specs with observe.waiting, over everything that the event-driven kernel runs. The
// sources stop and the window ends when the last packet has been delivered, so no packet is in the network at
// either end. Photographs in every tick then have no error. With drawn instants there is only the sampling
// error. It is known exactly from the instants, which are those of the seed, and so is its variance: one
// instant is drawn uniformly from each interval, so it is the sum of the variances of the number of packets
// within the intervals. A second run without photographs counts these packets tick by tick.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "headway/base/rng.h"
#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "tests/support/hand_made.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

constexpr std::int64_t kStop = 300;  // ns: when sources stop
constexpr Tick kMostTicks = 60'000;  // until the last packet is delivered
constexpr Tick kFewTicks = 1'500;    // few enough for a photograph in every tick
constexpr Tick kIntervals = 40;

// Every fourth one has slow nodes.
test::RandomSpec random_spec(std::uint64_t number) {
  return number % 4 == 3 ? test::random_spec_with_slow_nodes(number) : test::random_spec(number);
}

// The spec with this number, but its sources stop and its messages have full packets.
EventSpec drained_spec(std::uint64_t number) {
  EventSpec spec = random_spec(number).spec;
  test::drain(spec, Duration{kStop});
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{10'000'000};
  return spec;
}

// A run without photographs.
struct Course {
  std::vector<double> packets;  // [tick] packets not yet delivered at the start of the tick, from tick 1 on
  std::vector<Delivery> deliveries;
};

// None if the last packet is not delivered in time: cyclic routes can deadlock.
std::optional<Course> course_of(const Model& model, const EventSpec& spec) {
  Course course;
  const auto simulation = make_simulation(model.network, model.workload,
                                          {.seed = spec.seed, .deliveries = append_to(course.deliveries)});
  const Tick stop = static_cast<Tick>(kStop / model.network.tick.ns.to_double()) + 1;
  for (Tick tick = 1; tick <= kMostTicks; ++tick) {
    simulation->run_until(tick);
    const Record& record = simulation->record();
    course.packets.push_back(static_cast<double>(record.waiting_packets + record.packets_in_network));
    if (tick > stop && course.packets.back() == 0) return course;
  }
  return std::nullopt;
}

// The error of the estimated sum of `packets` over all ticks, from the instants that a run with this seed
// draws.
double error_of_drawing(const std::vector<double>& packets, Tick interval, std::uint64_t seed) {
  Rng instants(seed, StreamKind::photograph, 0);
  const auto length = static_cast<std::uint64_t>(interval);
  double error = 0;
  for (std::uint64_t first = 0; first < packets.size(); first += length)
    if (const std::uint64_t instant = first + instants.below_long(length); instant < packets.size())
      error += static_cast<double>(length) * packets[instant];
  for (const double count : packets) error -= count;
  return error;
}

// The variance of the estimated sum of `packets` over all ticks, where one tick of each interval is drawn.
double variance_of_drawing(const std::vector<double>& packets, Tick interval) {
  double variance = 0;
  for (std::size_t first = 0; first < packets.size(); first += static_cast<std::size_t>(interval)) {
    double sum = 0, squares = 0;
    for (std::size_t t = first; t < first + static_cast<std::size_t>(interval) && t < packets.size(); ++t) {
      sum += packets[t];
      squares += packets[t] * packets[t];
    }
    const auto n = static_cast<double>(interval);
    variance += n * n * (squares / n - sum / n * sum / n);
  }
  return variance;
}

EventSpec observed(EventSpec spec, const Model& model, Tick ticks, Tick interval) {
  const Rational tick = model.network.tick.ns;
  spec.measure.duration = Duration{tick * Rational((ticks + interval - 1) / interval * interval)};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{tick * Rational(interval)};
  return spec;
}

// The sum of the latencies of all deliveries if each packet were alone in the network.
double zero_load_ticks(const Network& network, const std::vector<Delivery>& deliveries) {
  std::vector<double> of(std::size_t{network.nodes()} * network.nodes(), -1);
  double sum = 0;
  for (const Delivery& d : deliveries) {
    double& latency = of[std::size_t{d.source} * network.nodes() + d.destination];
    if (latency < 0) {
      const Workload alone =
          test::scripted({{d.source, d.destination, 0}}, network.packet_bytes, network.packet_bytes);
      std::vector<Delivery> one;
      const auto simulation = make_simulation(network, alone, {.seed = 1, .deliveries = append_to(one)});
      for (Tick tick = 64; one.empty() && tick < kMostTicks; tick *= 2) simulation->run_until(tick);
      latency = one.empty() ? 0 : static_cast<double>(one.front().tick);
    }
    sum += latency;
  }
  return sum;
}

void expect_shares_add_up(const Result& result) {
  const std::size_t shares = result.table("per_link").size() - 8;
  ASSERT_EQ(result.table("per_link")[shares].name, "busy");
  for (std::size_t row = 0; row < result.table("per_link").front().values.size(); ++row) {
    double sum = 0;
    for (std::size_t c = shares; c < result.table("per_link").size(); ++c)
      sum += result.table("per_link")[c].values[row];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

// The features of a spec's network. The random specs together must cover all features.
std::set<std::string> features_of(const EventSpec& spec, const Network& network) {
  std::set<std::string> features = {network.store_and_forward ? "store and forward" : "cut through",
                                    spec.routing.algorithm->single_path() ? "one path" : "several paths"};
  if (network.has_output_units()) features.insert("output queues");
  if (network.selection) features.insert("adaptive");
  if (network.lanes > 1) features.insert("lanes");
  if (network.routes.choices) features.insert("escapes");
  if (network.routes.detours) features.insert("detours");
  if (network.isolation) features.insert("isolation");
  if (network.overflow) features.insert("overflow queues");
  if (network.has_rings) features.insert("rings");
  if (network.has_slow_nodes()) features.insert("slow nodes");
  if (network.queue_map.channels > 1) features.insert("channels");
  if (spec.switches.credit_packet.count > 0) features.insert("credits on links");
  if (network.admittance == Admittance::fifo) features.insert("one admittance queue");
  return features;
}

// Errors in units of their standard deviations.
struct Scores {
  double number = 0, sum = 0, squares = 0;
  void add(double score) {
    ++number;
    sum += score;
    squares += score * score;
  }
};

TEST(WaitingRuns, AddUp) {
  Scores scores;
  std::uint32_t in_every_tick = 0;
  std::set<std::string> shown;
  for (std::uint64_t number = 0; number < 300 && !HasFailure(); ++number) {
    const EventSpec spec = drained_spec(number);
    SCOPED_TRACE("random_spec(" + std::to_string(number) + "): " + random_spec(number).description);
    const Model model = build(spec);
    const std::optional<Course> course = course_of(model, spec);
    if (!course || course->deliveries.empty()) continue;
    const auto ticks = static_cast<Tick>(course->packets.size());
    const double packets_per_ns = static_cast<double>(course->deliveries.size()) / model.network.ns(1);
    shown.merge(features_of(spec, model.network));

    const Tick interval = std::max<Tick>(ticks / kIntervals, 2);
    const Result some = run(observed(spec, model, ticks, interval));
    expect_shares_add_up(some);
    const double error = some.metric("photograph_error_ns") * packets_per_ns;
    EXPECT_NEAR(error, error_of_drawing(course->packets, interval, spec.seed), 1e-9 * (1 + std::abs(error)));
    scores.add(error / std::sqrt(variance_of_drawing(course->packets, interval)));

    if (ticks > kFewTicks) continue;
    ++in_every_tick;
    const Result all = run(observed(spec, model, ticks, 1));
    expect_shares_add_up(all);
    EXPECT_NEAR(all.metric("photograph_error_ns"), 0, 1e-9 * all.metric("latency_mean_ns"));
    if (model.network.routes.detours) continue;  // packets of a pair take paths of different lengths
    const double transit = all.metric("transit_ns") * packets_per_ns;
    EXPECT_NEAR(transit, zero_load_ticks(model.network, course->deliveries), 1e-9 * transit);
  }
  EXPECT_GT(in_every_tick, 100U);
  EXPECT_GT(scores.number, 250);
  EXPECT_LT(std::abs(scores.sum / scores.number), 3 / std::sqrt(scores.number));
  EXPECT_NEAR(scores.squares / scores.number, 1, 3 * std::sqrt(2 / scores.number));
  EXPECT_EQ(shown.size(), 16U) << testing::PrintToString(shown);
}

}  // namespace
}  // namespace headway
