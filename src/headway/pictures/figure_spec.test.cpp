// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/figure_spec.h"
#include "tests/support/point.h"

#include <gmock/gmock.h>

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Point point(std::vector<std::pair<std::string, std::string>> params) {
  return make_point(std::move(params), {});
}

Result result(double accepted, Status status = Status::ok) {
  Result made;
  made.status = status;
  made.metrics = {{"accepted_load", accepted}, {"latency_mean_ns", 1000 * accepted}};
  made.intervals = {{"latency_mean_ns", 10}};
  made.tables["series"] = {{"time_ns", {5000, 10000}}, {"network_efficiency", {accepted, 0.5}}};
  return made;
}

FigureSpec figure_of_loads() {
  FigureSpec figure;
  figure.id = "4a";
  figure.x.column = "load";
  figure.y = {.column = "latency_mean_ns", .label = "", .unit = "us", .from = {}, .to = {}};
  figure.curves = {{"b", "B", {{"scheme", "b"}}}, {"a4", "A", {{"scheme", "a"}, {"queues", "4"}}}};
  return figure;
}

std::vector<std::string> messages(const Mistakes& mistakes) {
  std::vector<std::string> all;
  for (const Mistake& mistake : mistakes.list()) all.push_back(mistake.message);
  return all;
}

TEST(FigureSpecs, PointsBecomeCurvesInTheOrderOfTheLegendAndRowsInTheOrderOfX) {
  const std::vector<Point> points = {point({{"scheme", "a"}, {"queues", "4"}, {"load", "0.5"}}),
                                     point({{"scheme", "a"}, {"queues", "4"}, {"load", "0.25"}}),
                                     point({{"scheme", "b"}, {"load", "0.5"}})};
  Mistakes mistakes;
  const auto points_of = points_of_curves(figure_of_loads(), points, mistakes);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_THAT(points_of, ElementsAre(ElementsAre(2), ElementsAre(0, 1)));

  const auto curves = make_curves(figure_of_loads(), points, points_of,
                                  {result(0.4, Status::saturated), result(0.25), result(0.5)});
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].name, "b");
  EXPECT_EQ(curves[1].label, "A");
  EXPECT_EQ(curves[1].y, "latency_mean_us");
  EXPECT_THAT(curves[1].columns.front().values, ElementsAre(0.25, 0.5));
  EXPECT_THAT(curves[1].status, ElementsAre(Status::ok, Status::saturated));
  EXPECT_THAT(find_column(curves[1].columns, "accepted_load")->values, ElementsAre(0.25, 0.4));
  EXPECT_THAT(find_column(curves[1].columns, "latency_mean_us")->values, ElementsAre(0.25, 0.4));
  EXPECT_THAT(find_column(curves[1].intervals, "latency_mean_us")->values, ElementsAre(0.01, 0.01));
}

TEST(FigureSpecs, ATimeSeriesIsACurve) {
  FigureSpec figure = figure_of_loads();
  figure.rows = Rows::series;
  figure.x = {.column = "time_ns", .label = "", .unit = "us", .from = {}, .to = {}};
  figure.y = {.column = "network_efficiency", .label = "", .unit = "", .from = {}, .to = {}};
  figure.curves = {{"b", "B", {}}};
  const std::vector<Point> points = {point({})};
  Mistakes mistakes;
  const auto curves = make_curves(figure, points, points_of_curves(figure, points, mistakes), {result(0.25)});
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(curves[0].columns.front().name, "time_us");
  EXPECT_DOUBLE_EQ(at(curves[0], 7.5), 0.375);
}

FigureSpec over_trees() {
  FigureSpec figure;
  figure.rows = Rows::tree_series;
  figure.x = {.column = "time_ns", .label = "", .unit = "us"};
  figure.y = {.column = "packets", .label = ""};
  return figure;
}

// Trees at ports 1 to 4 in two bins of three.
Result with_trees() {
  Result made = result(0.5);
  made.tables["series"] = {{"time_ns", {1000, 2000, 3000}}, {"cfqs", {7, 8, 9}}};
  made.tables["tree_series"] = {{"time_ns", {1000, 1000, 1000, 1000, 3000, 3000}},
                                {"tree", {0, 1, 2, 3, 3, 4}},
                                {"port", {1, 2, 3, 4, 4, 4}},
                                {"packets", {40, 20, 6, 8, 10, 20}},
                                {"ports", {4, 2, 1, 1, 1, 2}}};
  return made;
}

std::vector<Curve> curves_of(const FigureSpec& figure, const std::vector<Origin>& origins = {}) {
  const std::vector<Point> points = {point({})};
  Mistakes mistakes;
  const auto points_of = points_of_curves(figure, points, mistakes);
  EXPECT_TRUE(mistakes.empty());
  return make_curves(figure, points, points_of, {with_trees()}, origins);
}

// A row belongs to the first curve that selects it. Each of the largest other groups is a curve; the rest is
// one curve.
TEST(FigureSpecs, RowsOfASparseTableAreDividedAmongCurves) {
  FigureSpec figure = over_trees();
  figure.curves = {{.name = "two", .label = "Two", .where = {}, .only = {{"port", "2"}}},
                   {.name = "root", .label = "Rest", .where = {}, .each = {"port"}, .most = 2}};
  const auto curves = curves_of(figure);
  ASSERT_EQ(curves.size(), 4U);
  EXPECT_EQ(curves[0].columns.front().name, "time_us");
  EXPECT_THAT(find_column(curves[0].columns, "packets")->values, ElementsAre(20, 0, 0));
  EXPECT_THAT(find_column(curves[0].columns, "ports")->values, ElementsAre(2, 0, 0));
  EXPECT_EQ(curves[1].name, "root-1");
  EXPECT_EQ(curves[1].label, "port 1");
  EXPECT_THAT(find_column(curves[1].columns, "packets")->values, ElementsAre(40, 0, 0));
  EXPECT_EQ(curves[2].name, "root-4");
  EXPECT_THAT(find_column(curves[2].columns, "packets")->values, ElementsAre(8, 0, 30));
  EXPECT_EQ(curves[3].name, "root");
  EXPECT_EQ(curves[3].label, "Rest");
  EXPECT_THAT(find_column(curves[3].columns, "packets")->values, ElementsAre(6, 0, 0));
}

TEST(FigureSpecs, ACurveMayBeOneFlowOverTime) {
  Result made = result(0.5);
  made.tables["series"] = {{"time_ns", {1000, 2000}}};
  made.tables["flow_series"] = {{"time_ns", {1000, 1000, 2000, 2000}},
                                {"flow", {}, {"hot", "victims", "hot", "victims"}},
                                {"accepted_load", {0.1, 0.5, 0.2, 0.4}}};
  FigureSpec figure = over_trees();
  figure.rows = Rows::flow_series;
  figure.y = {.column = "accepted_load", .label = ""};
  figure.curves = {{.name = "victims", .label = "", .where = {}, .only = {{"flow", "victims"}}}};
  Mistakes mistakes;
  const auto curves =
      make_curves(figure, {point({})}, points_of_curves(figure, {point({})}, mistakes), {made});
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_THAT(find_column(curves[0].columns, "accepted_load")->values, ElementsAre(0.5, 0.4));
}

// Trees are listed for every run, so their sum is divided by the number of runs.
TEST(FigureSpecs, TreesOfSeveralRunsAreTheirMean) {
  FigureSpec figure = over_trees();
  figure.curves = {{.name = "all", .label = "All", .where = {}}};
  EXPECT_THAT(find_column(curves_of(figure, {{.runs = 2}})[0].columns, "packets")->values,
              ElementsAre(37, 0, 15));
}

TEST(FigureSpecs, ACurveMayHaveRowsOfItsOwn) {
  FigureSpec figure = over_trees();
  figure.curves = {{.name = "all", .label = "All", .where = {}},
                   {.name = "lines", .label = "Lines", .where = {}, .column = "cfqs", .rows = Rows::series}};
  const auto curves = curves_of(figure);
  EXPECT_THAT(find_column(curves[0].columns, "packets")->values, ElementsAre(74, 0, 30));
  EXPECT_EQ(curves[1].y, "cfqs");
  EXPECT_THAT(find_column(curves[1].columns, "cfqs")->values, ElementsAre(7, 8, 9));
}

TEST(FigureSpecs, ACurveMayBeAnExpressionOverOthers) {
  FigureSpec figure = figure_of_loads();
  figure.y.unit = "";
  figure.curves = {
      {.name = "ratio", .label = "R", .where = {}, .measure = Expression("at('a', x) / at('b', x)", true)},
      {.name = "b", .label = "B", .where = {{"scheme", "b"}}, .hidden = true},
      {.name = "a", .label = "A", .where = {{"scheme", "a"}}}};
  const std::vector<Point> points = {
      point({{"scheme", "a"}, {"load", "0.25"}}), point({{"scheme", "b"}, {"load", "0.25"}}),
      point({{"scheme", "a"}, {"load", "0.5"}}), point({{"scheme", "b"}, {"load", "0.5"}})};
  Mistakes mistakes;
  const auto points_of = points_of_curves(figure, points, mistakes);
  EXPECT_TRUE(mistakes.empty());
  const auto curves = make_curves(figure, points, points_of,
                                  {result(0.3), result(0.2), result(0.4), result(0.1, Status::saturated)});
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[0].name, "ratio");
  EXPECT_EQ(curves[1].name, "a");
  EXPECT_TRUE(curves[2].hidden);  // hidden ones come last
  EXPECT_THAT(find_column(curves[0].columns, "latency_mean_ns")->values, ElementsAre(1.5, 4));
  EXPECT_THAT(curves[0].status, ElementsAre(Status::ok, Status::saturated));
}

// x can be a metric: cost against latency.
TEST(FigureSpecs, AMetricCanBeX) {
  FigureSpec figure = figure_of_loads();
  figure.x.column = "accepted_load";
  const std::vector<Point> points = {point({{"scheme", "a"}, {"queues", "4"}}), point({{"scheme", "b"}})};
  Mistakes mistakes;
  const auto points_of = points_of_curves(figure, points, mistakes);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_THAT(make_curves(figure, points, points_of, {result(0.4), result(0.5)})[1].columns.front().values,
              ElementsAre(0.4));
}

TEST(FigureSpecs, SaysWhichPointsAndCurvesDoNotFit) {
  FigureSpec figure = figure_of_loads();
  figure.curves.push_back({"again", "B again", {{"scheme", "b"}}});
  figure.curves.push_back({"none", "None", {{"scheme", "c"}}});
  Mistakes mistakes;
  points_of_curves(figure,
                   {point({{"scheme", "b"}, {"load", "1"}}), point({{"scheme", "a"}, {"load", "1"}}),
                    point({{"scheme", "a"}, {"queues", "4"}, {"load", "high"}})},
                   mistakes);
  EXPECT_THAT(messages(mistakes),
              ElementsAre("the point scheme = b, load = 1 belongs to 2 curves instead of one",
                          "the point scheme = a, load = 1 belongs to 0 curves instead of one",
                          "x = 'load' has no number at the point scheme = a, queues = 4, load = high",
                          "the curve 'again' has 0 points", "the curve 'none' has 0 points"));
}

TEST(FigureSpecs, CurvesOfDifferentColumnsShareTheirPoints) {
  FigureSpec figure = figure_of_loads();
  figure.curves = {{"latency", "Latency", {}, "latency_mean_ns"}, {"load", "Load", {}, "accepted_load"}};
  const std::vector<Point> points = {point({{"load", "0.5"}})};
  Mistakes mistakes;
  const auto curves = make_curves(figure, points, points_of_curves(figure, points, mistakes), {result(0.5)});
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(curves[0].y, "latency_mean_ns");
  EXPECT_EQ(at(curves[1], 0.5), 0.5);
}

TEST(FigureSpecs, ATimeSeriesNeedsOnePointPerCurve) {
  FigureSpec figure = figure_of_loads();
  figure.rows = Rows::series;
  figure.curves = {{"b", "B", {{"scheme", "b"}}}};
  Mistakes mistakes;
  points_of_curves(figure, {point({{"scheme", "b"}, {"load", "1"}}), point({{"scheme", "b"}, {"load", "2"}})},
                   mistakes);
  EXPECT_THAT(messages(mistakes), ElementsAre("the curve 'b' has 2 points"));
}

}  // namespace
}  // namespace headway
