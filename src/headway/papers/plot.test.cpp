// SPDX-License-Identifier: Apache-2.0
#include "headway/papers/plot.h"

#include <gmock/gmock.h>

#include <limits>

#include "headway/base/error.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PointResult point(std::string scheme, std::string load, double accepted) {
  PointResult result;
  result.params = {{"switch.scheme", std::move(scheme)}, {"traffic.flow[0].load", std::move(load)}};
  result.result.metrics = {{"accepted_load", accepted}, {"latency_mean_ns", 100 / accepted}};
  result.result.tables["series"] = {{"time_ns", {1000, 2000}}, {"network_efficiency", {accepted, accepted}}};
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
  EXPECT_THAT(find_column(plot.curves[0].columns, "accepted_load")->values, ElementsAre(0.5, 0.6));
  EXPECT_THAT(find_column(plot.curves[1].columns, "accepted_load")->values, ElementsAre(0.5, 0.9));
  EXPECT_EQ(plot.figure().y.label, "accepted load (fraction of link rate)");
}

TEST(Plot, DrawsACurvePerPointOverTime) {
  const Plot plot = make_plot(four(), {.x = "time_ns", .y = ""}, "");
  ASSERT_EQ(plot.curves.size(), 4U);
  EXPECT_EQ(plot.curves[3].label, "obqa, 0.9");
  EXPECT_THAT(plot.curves[3].columns.front().values, ElementsAre(1, 2));
  EXPECT_THAT(find_column(plot.curves[3].columns, "network_efficiency")->values, ElementsAre(0.9, 0.9));
}

// A point with two trees: their roots are a switch's link to node 3 and a link between switches.
PointResult point_with_trees() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  PointResult point;
  point.result.tables["series"] = {{"time_ns", {1000, 2000, 3000}}};
  point.result.tables["tree_series"] = {{"time_ns", {1000, 3000, 3000}},
                                        {"tree", {0, 0, 1}},
                                        {"kind", {}, {"link", "link", "link"}},
                                        {"port", {7, 7, 2}},
                                        {"from_switch", {1, 1, 0}},
                                        {"from_node", {kNaN, kNaN, kNaN}},
                                        {"from_port", {3, 3, 2}},
                                        {"to_switch", {kNaN, kNaN, 1}},
                                        {"to_node", {3, 3, kNaN}},
                                        {"packets", {10, 30, 5}}};
  return point;
}

TEST(Plot, DrawsCongestionTreesByTheirRoots) {
  const Plot plot = make_plot({point_with_trees()}, {.x = "", .y = "", .table = "tree_series"}, "");
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[0].label, "switch 1 port 3 → node 3");
  EXPECT_THAT(plot.curves[0].columns.front().values, ElementsAre(1, 2, 3));
  EXPECT_THAT(find_column(plot.curves[0].columns, "packets")->values, ElementsAre(10, 0, 30));
  EXPECT_EQ(plot.curves[1].label, "switch 0 port 2 → switch 1");
  EXPECT_EQ(plot.figure().y.label, "packets (packets)");
  PointResult named = point_with_trees();
  named.names = {{"leaf", "spine"}, {"a", "b", "c", "d"}};
  EXPECT_EQ(make_plot({named}, {.x = "", .y = "", .table = "tree_series"}, "").curves[0].label,
            "switch spine port 3 → node d");
}

TEST(Plot, RefusesTablesOverTimeThatItCannotDraw) {
  const auto refused = [](std::vector<PointResult> results, const PlotAxes& axes) {
    return refusal(results, axes);
  };
  EXPECT_THAT(refused({point_with_trees()}, {.x = "", .y = "", .table = "roots"}),
              HasSubstr("valid: \"tree_series\" or \"pair_series\""));
  EXPECT_THAT(refused({point_with_trees()}, {.x = "", .y = "size", .table = "tree_series"}),
              HasSubstr("no 'size'; valid: "));
  EXPECT_THAT(refused({point_with_trees(), point_with_trees()}, {.x = "", .y = "", .table = "tree_series"}),
              HasSubstr("2 points"));
  EXPECT_THAT(refused({point("1q", "1", 1)}, {.x = "", .y = "", .table = "tree_series"}),
              HasSubstr("observe.waiting"));
  PointResult several = point_with_trees();
  several.result.intervals = {{"accepted_load", 0.1}};
  EXPECT_THAT(refused({several}, {.x = "", .y = "", .table = "tree_series"}), HasSubstr("several seeds"));
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
