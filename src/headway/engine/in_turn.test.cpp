// SPDX-License-Identifier: Apache-2.0
#include "headway/engine/in_turn.h"

#include <gtest/gtest.h>

#include <vector>

namespace headway {
namespace {

TEST(InTurn, HandlesEachOnceInOrderAfterItsPreparations) {
  constexpr std::uint32_t kAhead = 3;
  for (const std::uint32_t turns : {0U, 1U, kManyTurns - 1, kManyTurns, kManyTurns + 1, 1000U}) {
    std::uint32_t handled = 0;
    std::vector<int> prepared(turns);  // how many steps
    in_turn<kAhead>(
        turns, kManyTurns,
        [&](std::uint32_t turn) {
          EXPECT_EQ(turn, handled++);
          EXPECT_EQ(prepared[turn], turns < kManyTurns ? 0 : 2) << turn << " of " << turns;
        },
        [&](std::uint32_t turn) {
          EXPECT_EQ(prepared.at(turn)++, 0);
          EXPECT_LE(turn, handled + 2 * kAhead);
        },
        [&](std::uint32_t turn) {
          EXPECT_EQ(prepared.at(turn)++, 1);
          EXPECT_LE(turn, handled + kAhead);
        });
    EXPECT_EQ(handled, turns);
  }
}

}  // namespace
}  // namespace headway
