// SPDX-License-Identifier: Apache-2.0
#include "headway/run/seeds_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>

namespace headway {
namespace {

SeedsPlan plan(const std::vector<double>& values, SeedsUntil until) {
  until.metric = "accepted_load";
  std::deque<Result> runs;
  std::vector<const Result*> first;
  for (const double value : values) {
    runs.emplace_back().metrics = {{"accepted_load", value}};
    first.push_back(&runs.back());
  }
  return plan_seeds(first, until);
}

TEST(SeedsPlan, StopsAtTheFirstIntervalThatIsNarrowEnough) {
  const SeedsUntil until{.relative = 0.1, .at_least = 2, .at_most = 6};
  EXPECT_EQ(plan({}, until).runs, 2U);
  EXPECT_FALSE(plan({1}, until).settled);
  // 1 and 1.01: mean 1.005, standard error 0.005, t 12.71: 0.0635 of 0.1005
  EXPECT_TRUE(plan({1, 1.01}, until).narrow_enough);
  EXPECT_EQ(plan({1, 1.01}, until).runs, 2U);
  // 1 and 1.02: 0.127 of 0.101; then 1.01: 4.303 * 0.01 / sqrt 3 = 0.0248
  EXPECT_FALSE(plan({1, 1.02}, until).settled);
  EXPECT_GT(plan({1, 1.02}, until).runs, 2U);
  EXPECT_EQ(plan({1, 1.02, 1.01}, until).runs, 3U);
  // surplus runs change nothing
  EXPECT_EQ(plan({1, 1.02, 1.01, 7, 9}, until).runs, 3U);
}

TEST(SeedsPlan, EndsAtTheLimit) {
  const SeedsUntil until{.relative = 0.001, .at_least = 2, .at_most = 5};
  const std::vector<double> values = {1, 2, 1, 2, 1};
  for (std::size_t size = 2; size < 5; ++size) {
    const SeedsPlan next = plan({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size)}, until);
    EXPECT_FALSE(next.settled);
    EXPECT_GT(next.runs, size);
    EXPECT_LE(next.runs, 5U);
  }
  EXPECT_TRUE(plan(values, until).settled);
  EXPECT_FALSE(plan(values, until).narrow_enough);
}

TEST(SeedsPlan, AMetricWithoutAValue) {
  SeedsUntil until{.relative = 0.1, .at_least = 2, .at_most = 4};
  const double none = std::nan("");
  EXPECT_FALSE(plan({1, none}, until).settled);
  EXPECT_EQ(plan({1, none}, until).runs, 4U);
  EXPECT_TRUE(plan({1, none, 1, 1}, until).settled);
  EXPECT_FALSE(plan({1, none, 1, 1}, until).narrow_enough);
  EXPECT_TRUE(plan({0, 0}, until).narrow_enough);
  Result other;
  until.metric = "victims";
  EXPECT_TRUE(plan_seeds({&other, &other, &other}, until).settled);
  EXPECT_EQ(plan_seeds({&other, &other, &other}, until).runs, 2U);
}

}  // namespace
}  // namespace headway
