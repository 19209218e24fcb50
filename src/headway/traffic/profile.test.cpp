// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/profile.h"

#include <gtest/gtest.h>

#include <utility>

namespace headway {
namespace {

using Pieces = std::vector<std::pair<Tick, double>>;

Pieces pieces_of(const LoadPlan& plan, std::int64_t message_ticks = 10) {
  Pieces result;
  for (const auto& piece : compile(plan, message_ticks).pieces)
    result.emplace_back(tick_of(piece.from), piece.load);
  return result;
}

LoadPlan plan(std::vector<LoadPoint> points, Tick start = 0, Tick stop = INT64_MAX) {
  return {std::move(points), false, start, stop};
}

TEST(Profile, CompilesWindowsAndSteps) {
  const std::pair<LoadPlan, Pieces> cases[] = {
      {plan({{0, 0.5}}), {{0, 0.5}}},
      {plan({{0, 0.5}}, 100, 200), {{0, 0}, {100, 0.5}, {200, 0}}},
      {plan({{0, 0.5}}, 200, 200), {{0, 0}}},
      {plan({{0, 0.1}, {50, 0.2}, {70, 0.3}}), {{0, 0.1}, {50, 0.2}, {70, 0.3}}},
      {plan({{20, 0.1}, {50, 0.2}}), {{0, 0.1}, {20, 0.1}, {50, 0.2}}},  // the first load holds before
      {plan({{0, 0.1}, {50, 0.2}, {70, 0.3}}, 60, 70), {{0, 0}, {60, 0.2}, {70, 0}}},
  };
  for (const auto& [given, pieces] : cases) EXPECT_EQ(pieces_of(given), pieces);
}

TEST(Profile, CutsARampIntoPiecesNoShorterThanAMessage) {
  EXPECT_EQ(pieces_of({.points = {{0, 0.0}, {40, 0.8}}, .ramp = true}),
            (Pieces{{0, 0.1}, {10, 0.1 + 0.2}, {20, 0.5}, {30, 0.1 + 0.2 * 3}, {40, 0.8}}));
  EXPECT_EQ(pieces_of({.points = {{0, 0.2}, {5, 0.8}}, .ramp = true}), (Pieces{{0, 0.5}, {5, 0.8}}));
}

TEST(Profile, KeepsTheIntegralOfALongRamp) {
  const LoadProfile profile = compile({.points = {{0, 0.0}, {1'000'003, 1.0}}, .ramp = true}, 10);
  ASSERT_EQ(profile.pieces.size(), 1001U);
  double integral = 0;
  for (std::size_t i = 0; i + 1 < profile.pieces.size(); ++i)
    integral += profile.pieces[i].load *
                static_cast<double>(tick_of(profile.pieces[i + 1].from - profile.pieces[i].from));
  EXPECT_NEAR(integral, 1'000'003 / 2.0, 1.0);
}

TEST(Profile, HasAMeanOverAWindow) {
  const LoadProfile steps = compile(plan({{0, 0.5}, {60, 1.0}}, 20, 100), 10);
  EXPECT_DOUBLE_EQ(mean_load(steps, 0, 20), 0.0);
  EXPECT_DOUBLE_EQ(mean_load(steps, 20, 40), 0.5);
  EXPECT_DOUBLE_EQ(mean_load(steps, 50, 70), 0.75);
  EXPECT_DOUBLE_EQ(mean_load(steps, 80, 120), 0.5);
  EXPECT_NEAR(mean_load(compile({.points = {{0, 0.0}, {1000, 1.0}}, .ramp = true}, 10), 0, 1000), 0.5, 1e-9);
}

}  // namespace
}  // namespace headway
