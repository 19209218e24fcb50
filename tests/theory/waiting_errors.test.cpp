// SPDX-License-Identifier: Apache-2.0
// The standard error that one run states for its photographs (batch means) against the spread of the value
// over many seeds, in networks with long and with short correlation times.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "headway/base/statistics.h"
#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

constexpr int kSeeds = 60;

EventSpec observed(const Choice<Topology>& topology, double load) {
  EventSpec spec;
  spec.network.topology = topology;
  spec.network.link = {Rate{1}, Duration{4}};
  spec.traffic.flows.front().load = {.points = {{Duration{0}, load}}};
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{100'000};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{1'000};
  return spec;
}

std::string error_of(const std::string& metric) {
  if (metric == "latency_mean_ns") return "latency_se_ns";
  return metric.ends_with("_ns") ? metric.substr(0, metric.size() - 3) + "_se_ns" : metric + "_se";
}

// Checks the ratio of a metric's spread over seeds to the error that one run states (root mean square).
void expect_ratio(const std::vector<Result>& results, const std::string& metric, double low, double high) {
  std::vector<double> values;
  double squares = 0;
  for (const Result& result : results) {
    values.push_back(result.metric(metric));
    squares += result.metric(error_of(metric)) * result.metric(error_of(metric));
  }
  const double ratio = standard_error_of(values) * kSeeds / std::sqrt(squares);
  EXPECT_GT(ratio, low) << metric;
  EXPECT_LT(ratio, high) << metric;
}

// The ratio itself is known to about 9 %, from 60 seeds.
void expect_spread_as_stated(EventSpec spec, double high) {
  std::vector<Result> results;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    spec.seed = static_cast<std::uint64_t>(seed);
    results.push_back(run(spec));
  }
  for (const char* metric : {"latency_mean_ns", "transit_ns", "wait_output_ns", "hol_blocking_ns",
                             "victim_wait_ns", "links_busy", "links_lost_hol"})
    expect_ratio(results, metric, 0.75, high);
  // Packets in transit between two batches count in both with opposite signs and cancel in the total.
  expect_ratio(results, "photograph_error_ns", 0.4, 1.3);
}

TEST(WaitingErrors, TheErrorOfOneRunIsTheSpreadOverSeeds) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  const Choice<Topology> one = choose(topologies(), "single-switch", {{"nodes", 16}});
  for (const Choice<Topology>& topology : {tree, one}) {
    SCOPED_TRACE(topology->nodes());
    expect_spread_as_stated(observed(topology, 0.2), 1.35);
  }
  expect_spread_as_stated(observed(tree, 0.5), 1.35);
  // Close to saturation (0.586), waiting lasts longer than a batch, so batch means understate the error.
  expect_spread_as_stated(observed(one, 0.5), 1.7);
}

// The error comes from batch means with one seed, and from the scatter with several.
TEST(WaitingErrors, SeveralSeedsHaveTheErrorOfTheirMean) {
  EventSpec spec = observed(choose(topologies(), "single-switch", {{"nodes", 16}}), 0.5);
  std::vector<Result> results;
  for (const std::uint64_t seed : {1, 2, 3}) {
    spec.seed = seed;
    results.push_back(run(spec));
  }
  const Result combined = combine(results, 1);
  for (const std::string metric : {"hol_blocking_ns", "links_lost_hol"}) {
    std::vector<double> values;
    for (const Result& result : results) values.push_back(result.metric(metric));
    EXPECT_DOUBLE_EQ(combined.metric(error_of(metric)), standard_error_of(values));
  }
}

}  // namespace
}  // namespace headway
