// SPDX-License-Identifier: Apache-2.0
// The integer logarithm against libm, and the generator's streams and bounds.
#include "headway/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace headway {
namespace {

TEST(MinusLog, AgreesWithLibmWithinItsBound) {
  Rng rng(1, 0);
  std::vector<std::uint64_t> inputs = {
      1, 2, 3, 1ULL << 63, ~0ULL, (1ULL << 63) - 1, 0x8020'0000'0000'0000ULL};
  for (int i = 0; i < 20000; ++i) inputs.push_back((rng.next() >> rng.below(64)) | 1);
  for (const std::uint64_t u : inputs) {
    const double expected = 64 * std::log(2.0) - std::log(static_cast<double>(u));
    EXPECT_NEAR(std::ldexp(static_cast<double>(minus_log_q32(u)), -32), expected, std::ldexp(1.0, -28)) << u;
  }
}

TEST(Rng, ExponentialHasMeanAndVarianceOne) {
  Rng rng(7, 3);
  const int draws = 200000;
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = std::ldexp(static_cast<double>(rng.exponential_q32()), -32);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / draws, 1.0, 0.01);
  EXPECT_NEAR(squares / draws, 2.0, 0.05);
}

TEST(Rng, BelowIsUniformForAnyBound) {
  for (const std::uint32_t bound : {1U, 3U, 10U, 64U}) {
    Rng rng(11, bound);
    std::vector<int> count(bound);
    const int draws = 64000;
    for (int i = 0; i < draws; ++i) ++count[rng.below(bound)];
    const double expected = static_cast<double>(draws) / bound;
    for (const int c : count) EXPECT_NEAR(c, expected, 5 * std::sqrt(expected));
  }
}

TEST(Rng, BelowLongIsUniformForAnyBound) {
  Rng short_one(3, 1), long_one(3, 1);
  for (const std::uint32_t bound : {1U, 7U, 0xffff'ffffU})
    for (int i = 0; i < 100; ++i) EXPECT_EQ(short_one.below(bound), long_one.below_long(bound));
  for (const std::uint64_t bound : {1ULL << 32, 3ULL << 40, (1ULL << 63) + 5}) {
    Rng rng(5, bound);
    std::vector<int> count(10);
    const int draws = 64'000;
    for (int i = 0; i < draws; ++i) {
      const std::uint64_t drawn = rng.below_long(bound);
      ASSERT_LT(drawn, bound);
      ++count[static_cast<std::size_t>(static_cast<double>(drawn) / static_cast<double>(bound) * 10)];
    }
    for (const int c : count) EXPECT_NEAR(c, draws / 10, 5 * std::sqrt(draws / 10.0));
  }
}

TEST(Rng, StreamsAreReproducibleAndDistinct) {
  EXPECT_EQ(Rng(1, 2).next(), Rng(1, 2).next());
  EXPECT_NE(Rng(1, 2).next(), Rng(1, 3).next());
  EXPECT_NE(Rng(1, 2).next(), Rng(2, 2).next());
  EXPECT_NE(Rng(1, StreamKind::source, 0).next(), Rng(1, StreamKind::arbiter, 0).next());
}

}  // namespace
}  // namespace headway
