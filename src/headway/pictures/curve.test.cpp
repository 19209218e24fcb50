// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headway {
namespace {

Curve sweep(std::vector<double> loads, std::vector<double> accepted, std::vector<double> latency) {
  return {
      "c",
      "C",
      "latency_mean_ns",
      {{"load", loads}, {"offered_load", loads}, {"accepted_load", accepted}, {"latency_mean_ns", latency}},
      {},
      {}};
}

TEST(Saturation, IsWhereAcceptedFallsBehindOffered) {
  // accepted over offered goes from 1 to 0.94 between 0.8 and 1.0: 0.97 is halfway
  EXPECT_NEAR(saturation(sweep({0.2, 0.8, 1.0}, {0.2, 0.8, 0.94}, {100, 120, 130})), 0.9, 1e-12);
}

TEST(Saturation, IsWhereLatencyPassesItsMultipleIfThatComesFirst) {
  // 500 ns are passed a quarter of the way from 0.5 to 0.9
  EXPECT_NEAR(saturation(sweep({0.1, 0.5, 0.9}, {0.1, 0.5, 0.8}, {100, 200, 1400})), 0.6, 1e-12);
  // 800 ns halfway, but accepted over offered passes 0.97 before: 1 - 0.27 / 9 = 0.97
  EXPECT_NEAR(saturation(sweep({0.1, 0.5, 0.9}, {0.1, 0.5, 0.8}, {100, 200, 1400}), 8), 0.608, 1e-12);
}

TEST(Saturation, IsTheLastLoadIfNothingSaturatesAndNothingIfTheFirstDoes) {
  EXPECT_EQ(saturation(sweep({0.1, 1.0}, {0.1, 0.99}, {100, 200})), 1.0);
  EXPECT_TRUE(std::isnan(saturation(sweep({0.8, 1.0}, {0.5, 0.5}, {100, 200}))));
}

TEST(Curve, InterpolatesBetweenRowsOnly) {
  const Curve curve = sweep({0.2, 0.4}, {0.2, 0.4}, {100, 200});
  EXPECT_DOUBLE_EQ(at(curve, 0.3), 150);
  EXPECT_DOUBLE_EQ(at(curve, 0.4), 200);
  EXPECT_TRUE(std::isnan(at(curve, 0.1)));
  EXPECT_TRUE(std::isnan(at(curve, 0.5)));
}

}  // namespace
}  // namespace headway
