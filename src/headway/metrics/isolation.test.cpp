// SPDX-License-Identifier: Apache-2.0
// The times of a hot spot from handmade readings: nodes 0 and 1 send only to node 2, from tick 1000 to 2000.
#include "headway/metrics/isolation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/hand_made.h"

namespace headway {
namespace {

double metric(const std::vector<std::uint32_t>& watched, std::string_view name) {
  NetworkOptions options;
  options.isolation.emplace();
  const Network network(test::star(4, 4), test::star_routes(4), QueueMap::single(), options);
  Workload workload = test::saturated({0, 1}, test::always(2), 64);
  workload.flows[0].start = 1000;
  workload.flows[0].stop = 2000;
  const IsolationWatch watch{2, false};
  std::vector<IsolationReading> readings;
  for (const std::uint32_t lines : watched) {
    readings.push_back({});
    readings.back().tick = 500 * static_cast<Tick>(readings.size() - 1);
    readings.back().watched = lines;
  }
  const auto found =
      std::ranges::find(isolation_metrics(), name, [](const auto& each) { return each.metric.name; });
  return found->value({network, workload, watch, readings});
}

TEST(IsolationMetrics, IsolatedWithNineTenthsOfWhatTheHotSpotAdds) {
  // at ticks 0, 500, ..., 4000: 2 before, at most 22, so isolated with 20 and released with 4
  const std::vector<std::uint32_t> watched = {0, 2, 2, 19, 21, 22, 9, 4, 2};
  EXPECT_EQ(metric(watched, "isolation_time_ns"), 1000);
  EXPECT_EQ(metric(watched, "release_time_ns"), 1500);
  EXPECT_EQ(metric(watched, "watched_cfqs_max"), 22);
}

TEST(IsolationMetrics, NoTimesWithoutATree) {
  EXPECT_TRUE(std::isnan(metric({0, 0, 0, 0, 0, 0}, "isolation_time_ns")));
  EXPECT_TRUE(std::isnan(metric({0, 0, 0, 9, 9, 9, 9}, "release_time_ns"))) << "not forgotten yet";
}

}  // namespace
}  // namespace headway
