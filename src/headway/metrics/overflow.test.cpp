// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/overflow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headway/config/assign.h"
#include "headway/run/run.h"

namespace headway {
namespace {

EventSpec hot_spot(std::string_view replacement, std::string_view restoration) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.switches.scheme = choose(
      schemes(), "dbbm-unshared",
      {{"queues", 2}, {"replacement", std::string(replacement)}, {"restoration", std::string(restoration)}});
  spec.traffic.flows.front().load.points.front().load = 0.6;
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{40'000};
  spec.measure.bin = Duration{10'000};
  return spec;
}

TEST(OverflowMetrics, AreThoseOfTheWindowAndOfItsBins) {
  const Result result = run(hot_spot("shortest", "first"));
  for (const OverflowMetric& metric : overflow_metrics()) {
    const Column* bins = find_column(result.table("series"), metric.metric.name);
    ASSERT_NE(bins, nullptr) << metric.metric.name;
    ASSERT_EQ(bins->values.size(), 5U);
    EXPECT_GT(result.metric(metric.metric.name), 0) << metric.metric.name;
    EXPECT_EQ(std::accumulate(bins->values.begin() + 1, bins->values.end(), 0.0),
              result.metric(metric.metric.name))
        << metric.metric.name;
  }
}

TEST(OverflowMetrics, CountWhatTheFunctionsDo) {
  const Result neither = run(hot_spot("none", "none"));
  EXPECT_GT(neither.metric("overflows"), 0);
  EXPECT_EQ(neither.metric("queue_replacements"), 0);
  EXPECT_EQ(neither.metric("queue_restorations"), 0);
  EXPECT_EQ(neither.metric("overflow_moves"), 0);
  EXPECT_GT(run(hot_spot("none", "most")).metric("queue_restorations"), 0);
  EXPECT_GT(run(hot_spot("lru", "none")).metric("queue_replacements"), 0);
}

TEST(OverflowMetrics, AreOfNetworksWithOwnedQueuesOnly) {
  EventSpec spec = hot_spot("none", "none");
  spec.switches.scheme = choose(schemes(), "dbbm");
  EXPECT_TRUE(std::isnan(run(spec).metric("overflows")));
}

}  // namespace
}  // namespace headway
