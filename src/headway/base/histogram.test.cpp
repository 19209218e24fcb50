// SPDX-License-Identifier: Apache-2.0
#include "headway/base/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

TEST(Histogram, QuantilesAreWithinACellOfTheSortedValues) {
  Histogram histogram;
  SparseHistogram sparse;
  std::vector<std::uint64_t> values;
  Rng rng(1, 0);
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(rng.next() >> (24 + rng.below(40)));  // values of all orders of magnitude
    histogram.add(values.back());
    sparse.add(values.back());
  }
  std::sort(values.begin(), values.end());
  EXPECT_EQ(histogram.count(), values.size());
  EXPECT_EQ(histogram.max(), values.back());
  EXPECT_EQ(sparse.max(), values.back());
  EXPECT_EQ(SparseHistogram().quantile(0.5), 0);
  for (const double q : {0.0, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    const auto exact = static_cast<double>(values[std::max<std::size_t>(rank, 1) - 1]);
    EXPECT_NEAR(histogram.quantile(q), exact, exact / (1 << Histogram::kSubBits)) << q;
    EXPECT_EQ(sparse.quantile(q), histogram.quantile(q)) << q;
  }
}

TEST(Histogram, AddsProgressionsAsTheirValues) {
  Rng rng(3, 0);
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t first = rng.below(1U << rng.below(20)), step = 1 + rng.below(1U << rng.below(14));
    const std::uint64_t values = rng.below(400), times = 1 + rng.below(5);
    Histogram one, at_once;
    one.add(7);
    at_once.add(7);
    for (std::uint64_t v = 0; v < values; ++v) one.add(first + v * step);
    for (std::uint64_t t = 0; t < times; ++t) one.add(first);
    at_once.add_progression(first, step, values);
    at_once.add_times(first, times);
    ASSERT_EQ(one, at_once) << first << " + " << step << " * " << values;
  }
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  for (std::uint64_t value = 0; value < 100; ++value) histogram.add(value);
  EXPECT_EQ(histogram.quantile(0.5), 49);
  histogram.clear();
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.max(), 0U);
  histogram.add(7);
  EXPECT_EQ(histogram.quantile(1.0), 7);
}

}  // namespace
}  // namespace headway
