// SPDX-License-Identifier: Apache-2.0
// Rates and gates of limited flows, as worked out by hand.
#include "headway/congestion/limited_flows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "headway/config/assign.h"
#include "headway/congestion/reaction.h"

namespace headway {
namespace {

constexpr FlowKey kFlow = FlowKey{1} << 32 | 5, kOther = FlowKey{1} << 32 | 6;
constexpr std::uint32_t kNodesOfFlows = 3;
constexpr Tick kTransfer = 100;

// The flows whose gates open up to `end`, with the ticks.
std::vector<std::pair<Tick, FlowKey>> opened(LimitedFlows& flows, Tick end) {
  std::vector<std::pair<Tick, FlowKey>> opens;
  while (flows.next() <= end) {
    const Tick now = flows.next();
    flows.act(now, [&](FlowKey flow) { opens.emplace_back(now, flow); });
  }
  return opens;
}

ReactionRules infiniband(std::uint32_t most) {
  InfiniBandReaction own{.most_index = most, .recovery_timer = 1000};
  for (std::uint32_t index = 0; index <= most; ++index) own.multipliers.push_back(index);
  return {.own = own, .notification_delay = 10};
}

TEST(LimitedFlows, OnlyNotifiedFlowsAreLimited) {
  const ReactionRules rules = infiniband(127);
  LimitedFlows flows(rules, kNodesOfFlows);
  EXPECT_FALSE(flows.is_closed(kFlow, 64, 0));
  flows.deliver(kFlow, 64, 0, 0);
  EXPECT_EQ(flows.next(), 10) << "when the notification arrives";
  opened(flows, 10);
  EXPECT_EQ(flows.limited(), 1U);
  EXPECT_FALSE(flows.is_closed(kFlow, 64, 10)) << "its last packet is unknown";
  flows.admit(kFlow, 64, kTransfer, 20);
  flows.admit(kOther, 64, kTransfer, 20);
  EXPECT_TRUE(flows.is_closed(kFlow, 64, 144)) << "100 ticks, and a quarter of this";
  EXPECT_FALSE(flows.is_closed(kFlow, 64, 145));
  EXPECT_FALSE(flows.is_closed(kOther, 64, 21));
}

// Rate 1 / (1 + index / 4); the timer takes away one step at a time.
TEST(LimitedFlows, InfiniBandsIndexRisesByNotificationsAndFallsByATimer) {
  const ReactionRules rules = infiniband(6);
  LimitedFlows flows(rules, kNodesOfFlows);
  for (Tick tick = 0; tick < 8; ++tick) flows.deliver(kFlow, 64, 0, tick);
  opened(flows, 20);
  EXPECT_EQ(flows.notifications(), 8U);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 1 / (1 + 6 / 4.0)) << "the limit";
  opened(flows, 10 + 5 * 1000);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 1 / (1 + 1 / 4.0));
  EXPECT_EQ(flows.limited(), 1U);
  opened(flows, 10 + 6 * 1000);
  EXPECT_EQ(flows.limited(), 0U) << "six steps after the first notification";
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 1);
}

TEST(LimitedFlows, AGateMovesWithTheRate) {
  const ReactionRules rules = infiniband(127);
  LimitedFlows flows(rules, kNodesOfFlows);
  for (Tick tick = 0; tick < 80; ++tick) flows.deliver(kFlow, 64, 0, tick);
  opened(flows, 100);
  flows.admit(kFlow, 64, kTransfer, 200);  // the next one at 200 + 100 + 80 * 25 = 2300
  flows.wait(kFlow, 64);
  using Opens = std::vector<std::pair<Tick, FlowKey>>;
  // the timer lowers the index at 1010 and 2010: 2 * 25 ticks earlier
  EXPECT_EQ(opened(flows, 3000), (Opens{{2250, kFlow}}));
}

TEST(LimitedFlows, FractionsOfTicksAreNotLost) {
  const ReactionRules rules{.own = Dcqcn{.gain = 0,
                                         .alpha_timer = 1 << 20,
                                         .rate_timer = 1 << 20,
                                         .byte_counter = 1 << 30,
                                         .least_rate = kFullRate / 3}};
  LimitedFlows flows(rules, kNodesOfFlows);
  for (int i = 0; i < 4; ++i) flows.deliver(kFlow, 64, 0, 0);
  opened(flows, 1);
  Tick now = 10;  // at a third of the rate, packets of 100 ticks take 300
  for (int packet = 0; packet < 10; ++packet) {
    flows.admit(kFlow, 64, 10, now);
    while (flows.is_closed(kFlow, 64, now)) ++now;
    EXPECT_LE(now, 10 + 30 * (packet + 1) + 1);
    EXPECT_GE(now, 10 + 30 * (packet + 1));
  }
}

// alpha is 1 at the first notification, so the rate is halved; then alpha decays by the gain.
TEST(LimitedFlows, DcqcnCutsByAlphaAndRecoversHalfTheWay) {
  const ReactionRules rules{.own = Dcqcn{.gain = kFullRate / 2,
                                         .alpha_timer = 100,
                                         .rate_timer = 150,
                                         .byte_counter = 1'000'000,
                                         .fast_recovery = 2,
                                         .additive = kFullRate / 16,
                                         .least_rate = 1},
                            .notification_delay = 1};
  LimitedFlows flows(rules, kNodesOfFlows);
  flows.deliver(kFlow, 64, 0, 0);
  opened(flows, 1);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.5);
  opened(flows, 101);  // alpha: 1/2
  flows.deliver(kFlow, 64, 0, 119);
  opened(flows, 120);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.375) << "1/2 (1 - 1/4)";
  opened(flows, 270);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.4375) << "half the way to 1/2";
  opened(flows, 420);  // the second step raises the target by 1/16
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.5);
  opened(flows, 570);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.5625);
}

TEST(LimitedFlows, DestinationsNotifyAtMostOnceInAnInterval) {
  const ReactionRules rules{.own = Dcqcn{.alpha_timer = 1000, .rate_timer = 1000, .byte_counter = 1'000'000},
                            .notification_delay = 1,
                            .notification_interval = 50};
  LimitedFlows flows(rules, kNodesOfFlows);
  for (Tick tick = 0; tick < 120; ++tick) flows.deliver(kFlow, 64, 0, tick);
  opened(flows, 200);
  EXPECT_EQ(flows.notifications(), 3U) << "at 0, 50 and 100";
}

ReactionRules timely() {
  return {.own = Timely{.additive = kFullRate / 16,
                        .least_rate = kFullRate / 64,
                        .round_trip_gain = kFullRate / 2,
                        .decrease = kFullRate / 2,
                        .low_round_trip = 100,
                        .high_round_trip = 400,
                        .least_round_trip = 64,
                        .segment = 128},
          .notification_delay = 10};
}

TEST(LimitedFlows, TimelyLimitsNoFlowWithShortRoundTrips) {
  const ReactionRules rules = timely();
  LimitedFlows flows(rules, kNodesOfFlows);
  for (Tick tick = 0; tick < 500; tick += 50) flows.deliver(kFlow, 64, 89, tick);
  opened(flows, 1000);
  EXPECT_EQ(flows.limited(), 0U);
  EXPECT_EQ(flows.notifications(), 10U) << "every packet is acknowledged";
}

TEST(LimitedFlows, TimelyWeighsTheExcessOfRoundTripsByTheirChange) {
  const ReactionRules rules = timely();
  LimitedFlows flows(rules, kNodesOfFlows);
  flows.deliver(kFlow, 64, 140, 0);
  opened(flows, 10);  // 150: half over the target, and no change, so a weight of 1/2
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 1 - 0.5 * 0.5 * 0.5 + 0.5 / 16);
  flows.deliver(kFlow, 64, 140, 100);
  opened(flows, 110);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.90625) << "less than a segment since then";
  flows.deliver(kFlow, 64, 156, 200);
  opened(flows, 210);  // 166: a mean change of 8 in 64 adds 2/8 to the weight
  EXPECT_NEAR(flows.rate(kFlow, kTransfer), 0.90625 * (1 - 0.75 * 0.5 * 0.66) + 0.25 / 16, 1e-9);
}

TEST(LimitedFlows, TimelyRisesAndFallsOutsideItsLimits) {
  const ReactionRules rules = timely();
  LimitedFlows flows(rules, kNodesOfFlows);
  flows.deliver(kFlow, 64, 790, 0);
  opened(flows, 10);
  EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.75) << "half of 400 / 800";
  for (int update = 1; update <= 3; ++update) {
    flows.deliver(kFlow, 128, 80, 100 * update);
    opened(flows, 100 * update + 10);
    EXPECT_EQ(flows.rate(kFlow, kTransfer), 0.75 + update / 16.0);
  }
  flows.deliver(kFlow, 128, 80, 400);
  opened(flows, 410);
  EXPECT_EQ(flows.limited(), 0U) << "at full rate";
}

ReactionRules window(std::uint64_t bytes) {
  return {.own = CongestionWindow{.bytes = bytes}, .notification_delay = 10};
}

TEST(LimitedFlows, AWindowOpensWhenEnoughHasBeenAcknowledged) {
  const ReactionRules rules = window(150);
  LimitedFlows flows(rules, kNodesOfFlows);
  flows.admit(kFlow, 64, kTransfer, 0);
  EXPECT_FALSE(flows.is_closed(kFlow, 64, 0));
  flows.admit(kFlow, 64, kTransfer, 0);
  EXPECT_TRUE(flows.is_closed(kFlow, 64, 0));
  EXPECT_FALSE(flows.is_closed(kFlow, 22, 0));
  EXPECT_FALSE(flows.is_closed(kOther, 64, 0));
  EXPECT_EQ(flows.limited(), 0U);
  flows.wait(kFlow, 64);
  EXPECT_EQ(flows.limited(), 1U);
  EXPECT_TRUE(flows.is_closed(kFlow, 22, 0)) << "a packet of the flow waits already";
  flows.deliver(kFlow, 64, 100, 100);
  using Opens = std::vector<std::pair<Tick, FlowKey>>;
  EXPECT_EQ(opened(flows, 1000), (Opens{{110, kFlow}}));
  EXPECT_EQ(flows.limited(), 0U);
}

TEST(LimitedFlows, AWindowLetsOnePacketPassHoweverLarge) {
  const ReactionRules rules = window(10);
  LimitedFlows flows(rules, kNodesOfFlows);
  EXPECT_FALSE(flows.is_closed(kFlow, 64, 0));
  flows.admit(kFlow, 64, kTransfer, 0);
  EXPECT_TRUE(flows.is_closed(kFlow, 1, 0));
  flows.deliver(kFlow, 64, 100, 100);
  opened(flows, 110);
  EXPECT_FALSE(flows.is_closed(kFlow, 64, 110));
}

// Checks that look for other mistakes build the rules, too.
TEST(InfiniBandReaction, ReadsNoEntryBehindATableThatIsTooShort) {
  const auto reaction = choose(reactions(), "infiniband",
                               {{"ccti_limit", std::int64_t{3}}, {"cct", std::vector<std::int64_t>{9, 9}}});
  Mistakes mistakes;
  reaction->check(mistakes);
  EXPECT_FALSE(mistakes.empty());
  EXPECT_THAT(std::get<InfiniBandReaction>(reaction->build({})->own).multipliers,
              testing::ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace headway
