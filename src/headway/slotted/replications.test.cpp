// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/replications.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headway::slotted {
namespace {

TEST(Replications, BernoulliHasItsProbabilityInEveryReplication) {
  Rng rng(1, 1);
  for (const double p : {0.05, 0.25, 1.0 / 3, 0.8, 0.999}) {
    ReplicationCounter counter;
    constexpr int kDraws = 20'000;
    for (int i = 0; i < kDraws; ++i) counter.add(bernoulli(rng, Probability::of(p)));
    for (const std::uint64_t count : counter.counts())
      EXPECT_NEAR(static_cast<double>(count), p * kDraws, 5 * std::sqrt(kDraws * p * (1 - p))) << p;
  }
}

TEST(Replications, CertainOutcomesDrawNothing) {
  Rng rng(1, 1), untouched(1, 1);
  EXPECT_EQ(bernoulli(rng, Probability::of(0)), Replications{0});
  EXPECT_EQ(bernoulli(rng, Probability::of(1)), kAll);
  EXPECT_EQ(rng.next(), untouched.next());
}

TEST(Replications, DigitsAreUniformAndInRange) {
  Rng rng(2, 1);
  for (const std::uint32_t base : {2U, 3U, 5U, 8U}) {
    const std::uint32_t bits = static_cast<std::uint32_t>(std::bit_width(base - 1));
    std::array<Replications, 3> planes{};
    std::vector<double> seen(base);
    constexpr int kDraws = 5'000;
    for (int i = 0; i < kDraws; ++i) {
      uniform_digit(rng, base, bits, planes.data());
      int all = 0;
      for (std::uint32_t digit = 0; digit < base; ++digit) {
        const int replications = std::popcount(equals(planes.data(), bits, digit));
        seen[digit] += replications;
        all += replications;
      }
      ASSERT_EQ(all, 64) << base;
    }
    const double expected = 64.0 * kDraws / base;
    for (const double count : seen) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << base;
  }
}

TEST(ReplicationCounter, CountsLikeIntegers) {
  Rng rng(3, 1);
  ReplicationCounter counter;
  std::array<std::uint64_t, kReplications> expected{};
  for (int i = 0; i < 3'000; ++i) {
    const Replications word = rng.next() & rng.next();
    const std::uint32_t weight = rng.below(4);
    counter.add(word, weight);
    for (std::uint32_t replication = 0; replication < kReplications; ++replication)
      expected[replication] += (word >> replication & 1) << weight;
    if (i % 500 == 0) {
      EXPECT_EQ(counter.counts(), expected);
    }
  }
  EXPECT_EQ(counter.counts(), expected);
}

}  // namespace
}  // namespace headway::slotted
