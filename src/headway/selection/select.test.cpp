// SPDX-License-Identifier: Apache-2.0
// What each selection function prefers, as worked out by hand: switch 5 of the second stage of a 4-ary
// 3-tree, with four candidates.
#include "headway/selection/select.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "headway/selection/selection.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

constexpr std::uint32_t kCandidates = 4;
constexpr NodeId kSource = 0b10'11'01, kDestination = 0b01'10'11;  // digits to the base 4: 2 3 1, 1 2 3
constexpr std::uint64_t kThreeQuarters = 0xc000'0000;              // of all draws

class Selecting : public testing::Test {
 protected:
  auto ask(std::uint32_t turn = 0) const {
    const auto room = [this](std::uint32_t candidate) { return credits_[candidate]; };
    const auto draw = [] { return kThreeQuarters; };
    const SwitchId here = graph_.switches() / 3 + 5;
    return Ask{rule_.addresses, here, kSource, kDestination, kCandidates, turn, room, draw};
  }
  template <class Own>
  std::uint32_t preferred_by(Own own, std::uint32_t turn = 0) {
    rule_.own = own;
    return preferred(rule_, ask(turn));
  }

  const Graph graph_ = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}})->build(Link{});
  SelectionRule rule_ = choose(selections(), "sadp")->build(graph_);
  std::array<std::uint32_t, kCandidates> credits_ = {1, 2, 2, 0};
};

TEST_F(Selecting, PrefersDigitsOfAddresses) {
  EXPECT_EQ(preferred_by(Sadp()), 2U) << "the second digit of the destination";
  EXPECT_EQ(preferred_by(Sdp()), 3U) << "the lowest digit of the destination";
  EXPECT_EQ(preferred_by(Sop()), 1U) << "the lowest digit of the source";
  EXPECT_EQ(preferred_by(Ssp()), 1U) << "5 / 4 of the switch";
}

TEST_F(Selecting, PrefersTheFirstOrARandomPort) {
  EXPECT_EQ(preferred_by(FirstFree(), 3), 0U);
  EXPECT_EQ(preferred_by(RandomPort()), 3U);
}

TEST_F(Selecting, CyclicPriorityCountsPackets) {
  EXPECT_EQ(preferred_by(Cyclic(), 6), 2U);
  EXPECT_EQ(next_turn(rule_, 6, 3), 7U) << "whatever was taken";
}

TEST_F(Selecting, OnlyTheCounterOfCyclicPriorityCanCountAllPackets) {
  rule_.own = Cyclic();
  EXPECT_FALSE(rule_.counts_all());
  rule_.cp_counts = CpCounts::routed;
  EXPECT_TRUE(rule_.counts_all());
  rule_.own = MostCredits();
  EXPECT_FALSE(rule_.counts_all()) << "its turn is the place of an output";
}

TEST_F(Selecting, MostCreditsBreaksTiesFromThePointerOrAtRandom) {
  EXPECT_EQ(preferred_by(MostCredits(), 0), 1U);
  EXPECT_EQ(preferred_by(MostCredits(), 2), 2U);
  EXPECT_EQ(next_turn(rule_, 2, 1), 2U) << "behind the last one";
  EXPECT_EQ(preferred_by(MostCredits{.ties = MostCredits::Ties::random}, 2), 1U)
      << "the first from port 3 on";
  credits_ = {3, 3, 3, 3};
  EXPECT_EQ(preferred_by(MostCredits{.ties = MostCredits::Ties::random}, 2), 3U);
}

TEST_F(Selecting, TakesTheNextFreePortInRotatingOrder) {
  rule_.own = Sadp();  // prefers 2
  const auto taken = [&](std::uint32_t free) {
    return select(rule_, ask(), [&](std::uint32_t candidate) { return (free >> candidate & 1) != 0; });
  };
  EXPECT_EQ(taken(0b1111), 2U);
  EXPECT_EQ(taken(0b1011), 3U);
  EXPECT_EQ(taken(0b0011), 0U);
  EXPECT_EQ(taken(0b0000), kNone);
}

TEST(SelectionFamily, AddressesNeedATree) {
  const Graph ring = choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{4}}})->build(Link{});
  try {
    choose(selections(), "sop")->build(ring);
    FAIL();
  } catch (const SpecError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("ff, cp, mc"), std::string::npos) << text;
    EXPECT_NE(text.find("work in all topologies"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace headway
