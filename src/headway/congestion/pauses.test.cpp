// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/pauses.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

using enum Pauses::Joined;

TEST(Pauses, ALanePausesAtXoffAndResumesAtXon) {
  const PauseRules rules{.xoff = 3, .gap = 2, .headroom = 2};
  Pauses pauses(rules, {5}, {0}, 1, 1);
  EXPECT_EQ(pauses.join(0, 1, 1), stored);
  EXPECT_EQ(pauses.join(0, 1, 2), stored);
  EXPECT_EQ(pauses.join(0, 1, 3), Pauses::Joined::pauses) << "three packets";
  EXPECT_EQ(pauses.join(0, 1, 4), stored) << "told already";
  EXPECT_EQ(pauses.join(0, 1, 5), stored);
  EXPECT_EQ(pauses.join(0, 1, 6), lost) << "no room";
  EXPECT_FALSE(pauses.leave(0, 1, 7));
  EXPECT_FALSE(pauses.leave(0, 1, 8));
  EXPECT_FALSE(pauses.leave(0, 1, 9)) << "two packets: above XON";
  EXPECT_TRUE(pauses.leave(0, 1, 10)) << "one packet";
  EXPECT_FALSE(pauses.leave(0, 1, 11)) << "it had not paused its sender";
}

TEST(Pauses, TheLaneOfANodePausesWhenOnlyItsHeadroomIsLeft) {
  const PauseRules rules{.xoff = 1, .gap = 1, .headroom = 2};
  Pauses pauses(rules, {5}, {kNone}, 1, 1);
  EXPECT_EQ(pauses.join(0, 2, 1), stored);
  EXPECT_EQ(pauses.join(0, 1, 2), Pauses::Joined::pauses) << "5 - 2";
  EXPECT_TRUE(pauses.leave(0, 1, 3));
}

// Two lanes of a switch share 2 * (10 - 2) credits. At most two can arrive in a tick.
TEST(Pauses, AThresholdOfSharedMemoryFollowsTheFreeMemory) {
  const PauseRules rules{.gap = 1, .headroom = 2, .alpha = PauseRules::kAlphaUnit / 2};
  Pauses pauses(rules, {10, 10}, {0, 0}, 1, 1);
  Tick now = 0;
  for (int packet = 1; packet <= 5; ++packet)  // the fifth joins 4, with 12 free
    EXPECT_EQ(pauses.join(0, 1, ++now), stored) << packet;
  EXPECT_EQ(pauses.join(0, 1, ++now), Pauses::Joined::pauses) << "6 > 11 / 2";
  EXPECT_EQ(pauses.lane(0).beyond, 1U);
  for (int packet = 1; packet <= 3; ++packet)  // the third joins 2, with 9 free
    EXPECT_EQ(pauses.join(1, 1, ++now), stored) << packet;
  EXPECT_EQ(pauses.join(1, 1, ++now), stored) << "4 <= 8 / 2";
  EXPECT_EQ(pauses.join(1, 1, ++now), Pauses::Joined::pauses) << "5 > 7 / 2";
  EXPECT_FALSE(pauses.leave(0, 1, ++now)) << "out of its headroom, but 5 + 1 > 7 / 2";
  EXPECT_FALSE(pauses.leave(0, 1, ++now)) << "4 + 1 > 7 / 2";
  EXPECT_TRUE(pauses.leave(0, 1, ++now)) << "3 + 1 = 8 / 2";
}

TEST(Pauses, WhatHappensInATickIsDecidedByTheMemoryBeforeIt) {
  const PauseRules rules{.gap = 1, .headroom = 1, .alpha = PauseRules::kAlphaUnit};
  Pauses first(rules, {4, 4}, {0, 0}, 1, 1), second = first;
  for (Tick tick = 1; tick <= 2; ++tick) {
    const auto a = first.join(0, 1, tick), b = first.join(1, 1, tick);
    const auto c = second.join(1, 1, tick), d = second.join(0, 1, tick);
    EXPECT_EQ(a, d) << tick;
    EXPECT_EQ(b, c) << tick;
  }
}

TEST(Pauses, TheTimeOfAPauseIsCountedWhileItLasts) {
  const PauseRules rules{.xoff = 1, .gap = 1, .headroom = 1};
  Pauses pauses(rules, {2}, {0}, 1, 1);
  EXPECT_TRUE(pauses.hold_sender(0, true, 10));
  EXPECT_FALSE(pauses.hold_sender(0, true, 12)) << "it obeys already";
  EXPECT_EQ(pauses.paused_ticks(0, 15), 5U);
  EXPECT_TRUE(pauses.hold_sender(0, false, 30));
  EXPECT_EQ(pauses.paused_ticks(0, 50), 20U);
  EXPECT_EQ(pauses.lane(0).pauses, 1U);
}

}  // namespace
}  // namespace headway
