// SPDX-License-Identifier: Apache-2.0
// Metrics of handmade counts: the paper's shares, its equations, and intervals of width 0 without spread.
#include "headway/slotted/zones.h"

#include <gtest/gtest.h>

#include <cmath>

#include "headway/base/statistics.h"
#include "tests/support/layered_design.h"

namespace headway {
namespace {

using slotted::kReplications;
using slotted::ReplicationCounts;

struct ZonedRun {
  slotted::Design design = slotted::layered_design(64, 1, 2, 1);
  slotted::Traffic traffic;
  slotted::Plan plan;
  slotted::Outcome outcome;

  ZonedRun() {
    traffic.hotspot_fraction = 0.05;
    plan = slotted::compile(design, traffic);
    outcome.zones = 7;
    outcome.classes = 2;
    outcome.slots = 100;
    outcome.delivered.assign(14, ReplicationCounts{});
    outcome.delays.assign(14, ReplicationCounts{});
    outcome.offered.assign(2, ReplicationCounts{});
    outcome.blocked.assign(2, ReplicationCounts{});
  }
};

TEST(ZoneMetrics, SharesAreThoseOfThePaper) {
  const ZonedRun c;
  EXPECT_NEAR(zone_curve(c.design, c.traffic, 0).share, 64 * 0.05 + 0.8 * 0.95, 1e-12);  // (5)
  EXPECT_NEAR(class_curve(c.design, c.traffic, {{}, 0}).share, 0.2 * 0.95, 1e-12);       // (6)
  EXPECT_NEAR(class_curve(c.design, c.traffic, {6, 1}).share, 0.8 * 0.95, 1e-12);        // (7)
  EXPECT_NEAR(class_curve(c.design, c.traffic, {{}, {}}).share, 1.0, 1e-12);
}

TEST(ZoneMetrics, FollowTheEquations) {
  ZonedRun c;
  c.outcome.delivered[6 * 2 + 1].fill(1'216);   // Cold-5 has 32 outputs: 0.38 per output and slot
  c.outcome.delays[6 * 2 + 1].fill(1'216 * 9);  // 9 slots each, six stages
  const ZoneMetrics cold = evaluate(c.outcome, c.plan, class_curve(c.design, c.traffic, {6, 1}));
  EXPECT_DOUBLE_EQ(cold.throughput.value, 12.16);
  EXPECT_DOUBLE_EQ(cold.normalised_throughput.value, 0.38);
  EXPECT_NEAR(cold.relative_throughput.value, 0.5, 1e-12);
  EXPECT_DOUBLE_EQ(cold.normalised_delay.value, 1.5);
  EXPECT_NEAR(cold.universal.value, std::sqrt(0.5 * 0.5 + 1.0 * 1.0), 1e-12);  // (10)
  EXPECT_NEAR(cold.universal.half_width, 0, 1e-9);
  const ZoneMetrics weighted =
      evaluate(c.outcome, c.plan, class_curve(c.design, c.traffic, {6, 1}), {.delay = 4, .throughput = 0});
  EXPECT_NEAR(weighted.universal.value, 1.0, 1e-12);
}

TEST(ZoneMetrics, AZoneCountsTheHotSpotsClassAndDelaysEvery) {
  ZonedRun c;
  c.outcome.delivered[0].fill(10);
  c.outcome.delivered[1].fill(89);
  c.outcome.delays[0].fill(60);
  c.outcome.delays[1].fill(89 * 12);
  const ZoneMetrics hot = evaluate(c.outcome, c.plan, zone_curve(c.design, c.traffic, 0));
  EXPECT_NEAR(hot.relative_throughput.value, 0.89 / 3.96, 1e-12);
  EXPECT_DOUBLE_EQ(hot.normalised_delay.value, (60.0 + 89 * 12) / 99 / 6);
}

// The half width of a mean is Student's t times its standard error; the jackknife gives exactly that.
TEST(ZoneMetrics, IntervalOfAMean) {
  ZonedRun c;
  for (std::uint32_t replication = 0; replication < kReplications; ++replication)
    c.outcome.delivered[0][replication] = replication % 2 == 0 ? 40 : 60;
  const ZoneEstimate mean = evaluate(c.outcome, c.plan, class_curve(c.design, c.traffic, {0, 0})).throughput;
  EXPECT_NEAR(mean.value, 0.5, 1e-12);
  EXPECT_NEAR(mean.half_width, student_t(63) * 0.1 / std::sqrt(63.0), 1e-9);
}

}  // namespace
}  // namespace headway
