// SPDX-License-Identifier: Apache-2.0
// The turns of classes at an output, packet by packet, as worked out by hand.
#include "headway/arbitration/output_turns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headway {
namespace {

constexpr std::uint32_t kOutputs = 3, kOutput = 1;

// The classes that send `packets` packets, as letters: all levels are asked in each round, and every class of
// `waiting` always has a packet of bytes_of[class] bytes.
std::string order(const LaneTurns& rules, std::size_t packets, const std::vector<std::uint32_t>& bytes_of,
                  std::uint32_t waiting = ~0U) {
  OutputTurns turns(rules, kOutputs);
  std::string served;
  while (served.size() < packets)
    for (std::uint32_t pass = 0; pass < turns.levels(); ++pass) {
      const std::uint32_t level = turns.level(kOutput, pass);
      const std::uint32_t entry = turns.next(kOutput, level, waiting & ((1U << rules.classes) - 1));
      if (entry == kNone) continue;
      const std::uint32_t of_class = turns.class_of(level, entry);
      turns.charge(kOutput, level, entry, bytes_of[of_class]);
      served += static_cast<char>('a' + of_class);
      break;
    }
  return served;
}

LaneTurns two_classes(std::int64_t a, std::int64_t b) {
  return {.classes = 2, .class_of = {0, 1}, .levels = {{{0, a}, {1, b}}}};
}

TEST(OutputTurns, ATurnEndsWithTheFirstPacketThatUsesItUp) {
  EXPECT_EQ(order(two_classes(100, 100), 6, {100, 100}), "ababab");
  EXPECT_EQ(order(two_classes(300, 100), 8, {100, 100}), "aaabaaab");
  EXPECT_EQ(order(two_classes(101, 100), 6, {100, 100}), "aabaab");
}

TEST(OutputTurns, WhatExceedsATurnIsTakenFromTheNext) {
  LaneTurns rules = two_classes(150, 100);
  rules.carries = true;
  EXPECT_EQ(order(rules, 10, {100, 100}), "aababaabab") << "3 to 2";
  rules = two_classes(300, 200);  // in halves of bytes
  rules.carries = true;
  rules.units_per_byte = 2;
  EXPECT_EQ(order(rules, 10, {100, 100}), "aababaabab");
}

TEST(OutputTurns, AClassWithoutPacketsLosesItsTurn) {
  EXPECT_EQ(order(two_classes(300, 100), 5, {100, 100}, 0b10), "bbbbb");
  EXPECT_EQ(order(two_classes(300, 100), 5, {100, 100}, 0b01), "aaaaa");
}

TEST(OutputTurns, LevelsAreServedInOrder) {
  const LaneTurns rules{
      .classes = 2, .class_of = {0, 1}, .levels = {{{1, LaneTurns::kNoEnd}}, {{0, LaneTurns::kNoEnd}}}};
  EXPECT_EQ(order(rules, 4, {100, 100}), "bbbb");
  EXPECT_EQ(order(rules, 4, {100, 100}, 0b01), "aaaa");
}

TEST(OutputTurns, ALimitGivesTheSecondLevelOnePacket) {
  LaneTurns rules{.classes = 2, .class_of = {0, 1}, .levels = {{{0, 100}}, {{1, 100}}}, .limit = 250};
  EXPECT_EQ(order(rules, 9, {100, 100}), "aaabaaaba");
  rules.limit = 1;
  EXPECT_EQ(order(rules, 6, {100, 100}), "ababab");
  EXPECT_EQ(order(rules, 3, {100, 100}, 0b01), "aaa") << "without packets of the second level";
}

TEST(OutputTurns, AreCompleteIfEveryClassHasATurn) {
  EXPECT_TRUE(two_classes(1, 1).is_complete());
  EXPECT_FALSE(two_classes(1, 0).is_complete());
  LaneTurns rules = two_classes(1, 1);
  rules.class_of = {0, 2};
  EXPECT_FALSE(rules.is_complete());
  rules = two_classes(1, 1);
  rules.limit = 1;
  EXPECT_FALSE(rules.is_complete()) << "a limit of the only level";
  EXPECT_FALSE(LaneTurns{}.is_complete());
}

}  // namespace
}  // namespace headway
