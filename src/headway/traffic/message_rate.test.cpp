// SPDX-License-Identifier: Apache-2.0
// When messages are due under a rate that changes, worked out by hand.
#include "headway/traffic/message_rate.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

constexpr std::uint64_t kMessage = 1ULL << 32;

TEST(MessageRate, IntegratesOverPieces) {
  MessageRate rate;
  rate.add(0, 0);
  rate.add(instant_of(100), 0.5);
  rate.add(instant_of(110), 0);
  rate.add(instant_of(200), 0.25);
  const struct {
    Tick from;
    std::uint64_t messages;
    Tick due;
  } cases[] = {
      {0, kMessage, 102},       {0, kMessage / 2, 101},    {104, kMessage, 106},
      {100, 5 * kMessage, 200}, {100, 6 * kMessage, 204},  {109, kMessage, 202},
      {150, kMessage, 204},     {300, 10 * kMessage, 340}, {0, 0, 100},  // never in a silent piece
  };
  for (const auto& c : cases)
    EXPECT_EQ(rate.after(instant_of(c.from), c.messages), instant_of(c.due)) << c.from << ' ' << c.messages;
}

TEST(MessageRate, EndsWhenNothingFollows) {
  MessageRate rate;
  rate.add(0, 1);
  rate.add(instant_of(10), 0);
  EXPECT_EQ(rate.after(0, 9 * kMessage), instant_of(9));
  EXPECT_EQ(rate.after(0, 10 * kMessage), kNever);
  EXPECT_EQ(rate.after(instant_of(20), 1), kNever);
  EXPECT_EQ(MessageRate{}.after(0, 1), kNever);
}

TEST(MessageRate, HoldsExtremeGaps) {
  MessageRate slow;
  slow.add(0, 0x1p-38);
  EXPECT_EQ(slow.after(0, kMessage), instant_of(1LL << 38));
  EXPECT_EQ(slow.after(kNever - 10, kMessage), kNever);  // beyond the end of time
  MessageRate never;
  never.add(0, 0x1p-40);
  EXPECT_EQ(never.after(0, kMessage), kNever);
  MessageRate crowded;  // more than one message per tick
  crowded.add(0, 1000);
  EXPECT_EQ(tick_of(crowded.after(0, 5000 * kMessage)), 4);
}

}  // namespace
}  // namespace headway
