// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/plot.h"

#include <gmock/gmock.h>

#include <limits>

#include "headway/base/error.h"
#include "headway/metrics/units.h"
#include "headway/pictures/figure.h"

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
  const Plot plot = make_plot(four(), {.x = "time_ns"}, "");
  ASSERT_EQ(plot.curves.size(), 4U);
  EXPECT_EQ(plot.curves[3].label, "obqa, load 0.9");
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
  const Plot plot = make_plot({point_with_trees()}, {.x = "", .table = "tree_series"}, "");
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[0].label, "switch 1 port 3 → node 3");
  EXPECT_THAT(plot.curves[0].columns.front().values, ElementsAre(1, 2, 3));
  EXPECT_THAT(find_column(plot.curves[0].columns, "packets")->values, ElementsAre(10, 0, 30));
  EXPECT_EQ(plot.curves[1].label, "switch 0 port 2 → switch 1");
  EXPECT_EQ(plot.figure().y.label, "packets (packets)");
  PointResult named = point_with_trees();
  named.names = {{"leaf", "spine"}, {"a", "b", "c", "d"}};
  EXPECT_EQ(make_plot({named}, {.x = "", .table = "tree_series"}, "").curves[0].label,
            "switch spine port 3 → node d");
}

TEST(Plot, RefusesTablesOverTimeThatItCannotDraw) {
  const auto refused = [](std::vector<PointResult> results, const PlotAxes& axes) {
    return refusal(results, axes);
  };
  EXPECT_THAT(refused({point_with_trees()}, {.table = "tree_serie"}),
              HasSubstr("no table 'tree_serie'; did you mean \"tree_series\"?"));
  EXPECT_THAT(refused({point_with_trees()}, {.table = "roots"}),
              HasSubstr("the results have no roots; runs have it with: `observe.waiting`"));
  EXPECT_THAT(refused({point_with_trees()}, {.x = "", .y = {"size"}, .table = "tree_series"}),
              HasSubstr("no 'size'; valid: "));
  EXPECT_THAT(refused({point_with_trees(), point_with_trees()}, {.x = "", .table = "tree_series"}),
              HasSubstr("2 points"));
  EXPECT_THAT(refused({point("1q", "1", 1)}, {.x = "", .table = "tree_series"}),
              HasSubstr("observe.waiting"));
  PointResult several = point_with_trees();
  several.result.intervals = {{"accepted_load", 0.1}};
  EXPECT_THAT(refused({several}, {.x = "", .table = "tree_series"}), HasSubstr("several seeds"));
}

TEST(Plot, DrawsBarsOverNames) {
  const Plot plot = make_plot(four(), {.x = "switch.scheme", .y = {"latency_mean_ns"}}, "");
  EXPECT_EQ(plot.figure().drawing, Drawing::bars);
  EXPECT_THAT(plot.figure().x.names, ElementsAre("1q", "obqa"));
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[0].label, "load 0.9");
  EXPECT_THAT(plot.curves[0].columns.front().values, ElementsAre(0, 1));
  EXPECT_THAT(find_column(plot.curves[0].columns, "accepted_load")->values, ElementsAre(0.6, 0.9));
  EXPECT_THAT(figure_data(plot.figure(), plot.curves), HasSubstr("\n0.9,obqa,"));
  EXPECT_THAT(figure_script(plot.set, plot.figure(), plot.curves),
              HasSubstr("set xtics (\"1q\" 0, \"obqa\" 1)"));
  // without numbers, names are the default
  std::vector<PointResult> schemes = {point("1q", "0.5", 0.5), point("obqa", "0.5", 0.6)};
  for (PointResult& each : schemes) each.params.pop_back();
  EXPECT_EQ(make_plot(schemes, {}, "").figure().x.column, "switch.scheme");
}

TEST(Plot, DrawsOneMetricOverAnother) {
  const Plot plot = make_plot(four(), {.x = "accepted_load", .y = {"latency_mean_ns"}}, "");
  ASSERT_EQ(plot.curves.size(), 2U);
  EXPECT_EQ(plot.curves[1].label, "obqa");  // the load varies along the curve
  EXPECT_THAT(plot.curves[1].columns.front().values, ElementsAre(0.5, 0.9));
  EXPECT_EQ(plot.figure().x.label, "accepted load (fraction of link rate)");
}

// A saturated point is far above the others: an arrow at the edge shows where the curve goes.
TEST(Plot, FollowsTheSteadyPoints) {
  std::vector<PointResult> results = four();
  results[0].result.status = Status::saturated;
  results[0].result.metrics[1].second = 90'000;
  const Plot plot = make_plot(results, {.y = {"latency_mean_ns"}}, "");
  const Axis& y = plot.figure().y;
  EXPECT_FALSE(y.logarithmic);
  EXPECT_EQ(y.to, 200 * 1.25);  // of load 0.5
  EXPECT_THAT(figure_script(plot.set, plot.figure(), plot.curves), HasSubstr("with vectors"));
  EXPECT_THAT(figure_script(plot.set, plot.figure(), plot.curves), HasSubstr("arrow: above the axis"));
  EXPECT_EQ(make_plot(results, {.y = {"latency_mean_ns"}, .y_max = 150}, "").figure().y.to, 150);
  EXPECT_TRUE(make_plot(results, {.y = {"latency_mean_ns"}, .log_y = true}, "").figure().y.logarithmic);
  for (PointResult& each : results) each.result.status = Status::saturated;  // nothing to follow
  const Plot all = make_plot(results, {.y = {"latency_mean_ns"}}, "");
  EXPECT_FALSE(all.figure().y.to);
  EXPECT_TRUE(all.figure().y.logarithmic) << "90000 is more than 20 times 111";
}

// The axis of accepted loads has room for saturated points.
TEST(Plot, ShowsUnsteadyPointsThatAreNotFarAboveTheOthers) {
  std::vector<PointResult> results = four();
  results[3].result.status = Status::saturated;  // 0.9; the highest steady point is 0.6
  EXPECT_FALSE(make_plot(results, {.y = {"accepted_load"}}, "").figure().y.to);
}

TEST(Plot, NamesPointsByTheKeysThatTellThemApart) {
  std::vector<PointResult> results = four();
  for (PointResult& each : results)
    each.params.emplace_back("switch.queues", each.params[0].second == "1q" ? "1" : "4");  // sweep.zip
  EXPECT_EQ(make_plot(results, {}, "").curves[1].label, "obqa");
  EXPECT_EQ(make_plot(results, {.x = "time_ns"}, "").curves[3].label, "obqa, load 0.9");
}

TEST(Plot, SuggestsMetricsWithTheSameWords) {
  std::vector<PointResult> results = four();
  for (int i = 0; i < 20; ++i)
    results[0].result.metrics.emplace_back(std::string("other_") + char('a' + i), 1);
  results[0].result.metrics.emplace_back("storage.victim_packets", 1);
  results[0].result.metrics.emplace_back("storage.victim_wait_ns", 1);
  EXPECT_THAT(refusal(results, {.y = {"stalled_victims"}}),
              HasSubstr("did you mean \"storage.victim_packets\" or \"storage.victim_wait_ns\"?"));
  EXPECT_THAT(refusal(results, {.y = {"victims"}}),
              HasSubstr("only runs with \"fairness\" in measure.tables"));
  EXPECT_THAT(refusal(results, {.x = "storage_victims"}), HasSubstr("\"storage.victim_packets\""));
}

TEST(Plot, DrawsTheRowsOfTablesByTheirNames) {
  PointResult result;
  result.result.tables["flow_series"] = {{"time_ns", {1000, 1000, 2000, 2000}},
                                         {"flow", {}, {"a", "b", "a", "b"}},
                                         {"accepted_load", {0.1, 0.2, 0.3, 0.4}}};
  const Plot series = make_plot({result}, {.y = {"accepted_load"}, .table = "flow_series"}, "");
  ASSERT_EQ(series.curves.size(), 2U);
  EXPECT_EQ(series.curves[1].label, "b");
  EXPECT_THAT(series.curves[1].columns[0].values, ElementsAre(1, 2));  // us
  EXPECT_THAT(series.curves[1].columns[1].values, ElementsAre(0.2, 0.4));
  EXPECT_EQ(series.figure().drawing, Drawing::lines);

  result.result.tables["per_flow"] = {{"flow", {}, {"a", "b"}}, {"latency_mean_ns", {10, 30}}};
  const Plot flows = make_plot({result}, {.table = "per_flow"}, "");
  EXPECT_EQ(flows.figure().drawing, Drawing::bars);
  EXPECT_THAT(flows.figure().x.names, ElementsAre("a", "b"));
  EXPECT_THAT(flows.curves[0].columns[1].values, ElementsAre(10, 30));

  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  result.result.tables["per_link"] = {{"port", {0, 1}},           {"from_switch", {0, kNone}},
                                      {"from_node", {kNone, 0}},  {"from_port", {0, 0}},
                                      {"to_switch", {kNone, 0}},  {"to_node", {4, kNone}},
                                      {"utilisation", {0.5, 0.9}}};
  const Plot links = make_plot({result}, {.table = "per_link"}, "");
  EXPECT_THAT(links.figure().x.names, ElementsAre("node 0 → switch 0", "switch 0 port 0 → node 4"));
  EXPECT_THAT(links.curves[0].columns[1].values, ElementsAre(0.9, 0.5));
  EXPECT_THAT(refusal({result}, {.y = {"utilization"}, .table = "per_link"}),
              HasSubstr("did you mean \"utilisation\"?"));

  result.result.tables["distributions"] = {
      {"flow", {}, {"a", "a", "a"}}, {"share", {0, 0.5, 1}}, {"latency_ns", {10, 10, 900}}};
  const Plot shares =
      make_plot({result}, {.x = "latency_ns", .y = {"share"}, .table = "distributions", .y_max = 1}, "");
  EXPECT_EQ(shares.figure().drawing, Drawing::lines);
  EXPECT_TRUE(shares.figure().x.logarithmic);
  EXPECT_EQ(shares.figure().y.from, 0);
  EXPECT_EQ(shares.figure().y.to, 1);
}

TEST(Plot, WritesTheValuesOfAllPanelsUnderOneName) {
  // the swept key is the first metric, and intervals are those of the second one
  std::vector<PointResult> results = four();
  for (PointResult& each : results) each.result.intervals = {{"latency_mean_ns", 1}};
  const Plot plot = make_plot(results, {.x = "accepted_load", .y = {"accepted_load", "latency_mean_ns"}}, "");
  const std::string data = figure_data(plot.figure(), plot.curves);
  EXPECT_THAT(data, testing::StartsWith("metric,curve,accepted_load,value,interval_95,status\n"
                                        "accepted_load,1q,0.5,0.5,,ok\n"));
  EXPECT_THAT(data, HasSubstr("\nlatency_mean_ns,obqa,"));
  std::size_t commas = 0;
  for (const char c : data.substr(0, data.find('\n'))) commas += c == ',';
  for (std::size_t at = 0; at < data.size(); at = data.find('\n', at) + 1)
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(data.substr(at, data.find('\n', at) - at), ',')),
              commas);
}

TEST(Plot, NamesTheKeyOfBareNumbersInLegends) {
  std::vector<PointResult> results = four();
  for (PointResult& each : results) {
    each.params[0] = {"switch.queues", each.params[0].second == "1q" ? "1" : "2"};
    each.params.emplace_back("switch.input_memory", each.params[0].second + " KiB");
  }
  const Plot plot = make_plot(results, {}, "");
  EXPECT_EQ(plot.curves[0].label, "queues 1");
  EXPECT_EQ(plot.curves[0].name, "1") << "as claims name it";
  const std::string script = figure_script(plot.set, plot.figure(), plot.curves);
  EXPECT_THAT(script, HasSubstr("set label \"queues 2\" at"));
}

TEST(Plot, RefusesWhatHasNoValues) {
  PointResult result;
  result.result.tables["per_flow"] = {{"flow", {}, {}}, {"latency_mean_ns", {}}};
  EXPECT_THAT(refusal({result}, {.table = "per_flow"}), HasSubstr("--table: no row of per_flow has a value"));
  std::vector<PointResult> results = four();
  for (PointResult& each : results)
    for (auto& [name, value] : each.result.metrics)
      if (name == "latency_mean_ns") value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(results, {.y = {"accepted_load", "latency_mean_ns"}}),
              HasSubstr("--y: no point has a value of 'latency_mean_ns'"));
}

TEST(Plot, KeepsTheNumbersOfXApart) {
  std::vector<PointResult> results = four();
  constexpr double kLoads[] = {0.02, 0.1, 0.15, 0.2};
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i].params = {{"traffic.flow.load", std::to_string(kLoads[i])}};
  const auto script_of = [&] {
    const Plot plot = make_plot(results, {}, "");
    return figure_script(plot.set, plot.figure(), plot.curves);
  };
  EXPECT_THAT(script_of(), HasSubstr("set xtics 0.05\n")) << "0.02 would give ten numbers of four characters";
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i].params[0].second = std::to_string(0.1 + 0.3 * static_cast<double>(i));
  EXPECT_THAT(script_of(), Not(HasSubstr("set xtics 0."))) << "those of gnuplot fit";
}

TEST(Plot, DrawsSeveralMetricsAsPanels) {
  const Plot plot = make_plot(four(), {.y = {"accepted_load", "latency_mean_ns"}, .y_max = 1}, "");
  const std::vector<Panel> panels = panels_of(plot.figure(), plot.curves);
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(panels[0].figure.y.to, 1);
  EXPECT_EQ(panels[1].figure.y.label, "latency mean (ns)");
  EXPECT_EQ(panels[1].curves[0].y, "latency_mean_ns");
  const std::string script = figure_script(plot.set, plot.figure(), plot.curves);
  EXPECT_THAT(script, HasSubstr("$curve3 << END"));  // two curves in each of two panels
  EXPECT_THAT(script, HasSubstr("set multiplot"));
  EXPECT_LT(script.find("latency mean"), script.find("accepted load")) << "the first one is the highest";
  const std::string data = figure_data(plot.figure(), plot.curves);
  EXPECT_THAT(data, testing::StartsWith("metric,curve,traffic.flow[0].load,value,status\n"
                                        "accepted_load,1q,0.5,0.5,ok\n"));
  EXPECT_THAT(data, HasSubstr("\nlatency_mean_ns,obqa,0.5,200,ok\n"));
  EXPECT_THAT(refusal(four(), {.y = {"", "latency_mean"}}), HasSubstr("did you mean \"latency_mean_ns\"?"));
}

TEST(Plot, RefusesWhatTheResultsDoNotHave) {
  EXPECT_THAT(refusal({}, {}), HasSubstr("no finished point"));
  EXPECT_THAT(refusal(four(), {.x = "traffic.load"}),
              HasSubstr("'traffic.load' is neither a swept key nor a metric"));
  EXPECT_THAT(refusal(four(), {.x = "", .y = {"latency_mean"}}),
              HasSubstr("did you mean \"latency_mean_ns\"?"));
  EXPECT_THAT(refusal(four(), {.x = "destination"}), HasSubstr("measure.tables"));
}

}  // namespace
}  // namespace headway
