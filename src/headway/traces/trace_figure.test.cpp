// SPDX-License-Identifier: Apache-2.0
#include "headway/traces/trace_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headway {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(TraceFigure, DrawsAllNodesAndTheBusiestLink) {
  TraceSummary summary(2);  // node 0 sends 800 bytes in the first microsecond and 400 in the second
  for (const auto& [time, bytes] : {std::pair<TraceTime, std::uint64_t>{0, 800}, {kMicrosecond, 400}}) {
    summary.out[0] += bytes;
    summary.bytes_out.add(0, time, bytes);
    summary.in[bytes == 800 ? 0 : 1] += bytes;
    summary.bytes_in.add(bytes == 800 ? 0 : 1, time, bytes);
  }
  const std::vector<Curve> curves = trace_curves(summary, Rate{Rational(1)});
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].label, "all nodes");
  EXPECT_EQ(curves[1].label, "node 0, out");
  for (const Curve& curve : curves) {
    EXPECT_EQ(curve.columns[0].name, "time_ms");
    EXPECT_THAT(curve.columns[0].values, ElementsAre(DoubleEq(0.001), DoubleEq(0.002)));
    EXPECT_EQ(curve.columns[1].name, curve.y);
  }
  EXPECT_THAT(curves[0].columns[1].values, ElementsAre(DoubleEq(0.4), DoubleEq(0.2)));
  EXPECT_THAT(curves[1].columns[1].values, ElementsAre(DoubleEq(0.8), DoubleEq(0.4)));
}

}  // namespace
}  // namespace headway
