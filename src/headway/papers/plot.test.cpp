// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/plot.h"

#include <gmock/gmock.h>

#include "headway/base/error.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PointResult point(std::string scheme, std::string load, double accepted) {
  PointResult result;
  result.params = {{"switch.scheme", std::move(scheme)}, {"traffic.flow[0].load", std::move(load)}};
  result.result.metrics = {{"accepted_load", accepted}, {"latency_mean_ns", 100 / accepted}};
  result.result.series = {{"time_ns", {1000, 2000}}, {"network_efficiency", {accepted, accepted}}};
  return result;
}

std::vector<PointResult> four() {
  return {point("1q", "0.9", 0.6), point("1q", "0.5", 0.5), point("obqa", "0.5", 0.5),
          point("obqa", "0.9", 0.9)};
}

std::string refusal(const std::vector<PointResult>& results, const PlotAxes& axes) {
  try {
    make_plot(results, axes, "");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(Plot, DrawsACurvePerSchemeOverTheLoad) {
  const Plot plot = make_plot(four(), {}, "");
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[0].label, "1q");
  EXPECT_EQ(plot.figure().x.column, "traffic.flow[0].load");
  EXPECT_THAT(plot.curves[0].columns.front().values, ElementsAre(0.5, 0.9));
  EXPECT_THAT(find(plot.curves[0].columns, "accepted_load")->values, ElementsAre(0.5, 0.6));
  EXPECT_THAT(find(plot.curves[1].columns, "accepted_load")->values, ElementsAre(0.5, 0.9));
  EXPECT_EQ(plot.figure().y.label, "accepted load (fraction of link rate)");
}

TEST(Plot, DrawsACurvePerPointOverTime) {
  const Plot plot = make_plot(four(), {.x = "time_ns", .y = ""}, "");
  ASSERT_EQ(plot.curves.size(), 4U);
  EXPECT_EQ(plot.curves[3].label, "obqa, 0.9");
  EXPECT_THAT(plot.curves[3].columns.front().values, ElementsAre(1, 2));
  EXPECT_THAT(find(plot.curves[3].columns, "network_efficiency")->values, ElementsAre(0.9, 0.9));
}

TEST(Plot, RefusesWhatTheResultsDoNotHave) {
  EXPECT_THAT(refusal({}, {}), HasSubstr("no finished point"));
  EXPECT_THAT(refusal(four(), {.x = "traffic.load", .y = ""}),
              HasSubstr("no swept key 'traffic.load' with numbers"));
  EXPECT_THAT(refusal(four(), {.x = "", .y = "latency_mean"}),
              HasSubstr("did you mean \"latency_mean_ns\"?"));
  EXPECT_THAT(refusal(four(), {.x = "switch.scheme", .y = ""}), HasSubstr("--x"));
  EXPECT_THAT(refusal(four(), {.x = "destination", .y = ""}), HasSubstr("measure.tables"));
}

}  // namespace
}  // namespace headway
