// SPDX-License-Identifier: Apache-2.0
#include "headway/run/results.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "headway/base/version.h"
#include "tests/support/point.h"
#include "tests/support/texts.h"

namespace headway {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

Result sample(double latency = 1.0 / 3) {
  Result result;
  result.status = Status::saturated;
  result.detail = "backlog \"grew\",\nfast";
  result.metrics = {{"latency_mean_ns", latency}, {"accepted_load", 0.1}};
  result.tables["series"] = {{"time_ns", {5, 10}}, {"latency_mean_ns", {kNoValue, 2.5e-300}}};
  result.cpu_s = 0.25;
  result.trace_hash = 0xffff'ffff'ffff'fffeULL;
  return result;
}

PointResult point_of(std::vector<Result> runs) {
  EventSpec spec;
  spec.seed = 7;
  const Params params = {{"switch.scheme", "obqa"}, {"traffic.load", "0.5"}, {"note", "a,\"b\""}};
  return make_point_result(make_point(params, spec), std::move(runs));
}

TEST(Results, AResultSurvivesWritingAndReading) {
  const Result result = sample();
  const Result read = read_result(write_result(result));
  EXPECT_EQ(read.status, result.status);
  EXPECT_EQ(read.detail, result.detail);
  EXPECT_EQ(read.metrics, result.metrics);
  EXPECT_EQ(read.cpu_s, result.cpu_s);
  EXPECT_EQ(read.trace_hash, result.trace_hash);
  EXPECT_TRUE(std::isnan(read.table("series")[1].values[0]));
  EXPECT_EQ(read.table("series")[1].values[1], 2.5e-300);
  EXPECT_EQ(write_result(read), write_result(result));
  EXPECT_TRUE(read.table("per_link").empty());
}

TEST(Results, NamesSurviveWritingAndReading) {
  Result result = sample();
  result.tables["roots"] = {{"kind", {}, {"link", "cycle"}}, {"port", {3, 4}}};
  const std::string written = write_result(result);
  const Result read = read_result(written);
  EXPECT_THAT(read.table("roots")[0].words, testing::ElementsAre("link", "cycle"));
  EXPECT_EQ(write_result(read), written);
  EXPECT_EQ(word_at(read.table("roots"), "kind", 1), "cycle");
  EXPECT_EQ(word_at(read.table("roots"), "port", 1), "");
  EXPECT_TRUE(std::isnan(number_at(read.table("roots"), "kind", 1)));
  EXPECT_EQ(number_at(read.table("roots"), "port", 1), 4);
  EXPECT_THAT(test::table_of({point_of({result})}, "roots"),
              testing::HasSubstr("kind,port\nobqa,0.5,\"a,\"\"b\"\"\",7,link,3\n"));
  // an earlier version wrote numbers
  const std::string earlier = std::string(written).replace(written.find("\"link\""), 6, "0");
  EXPECT_THROW(read_result(earlier), NoResult);
}

// Other programs read these bytes, and a sweep that is continued by a later version must end with the same.
TEST(Results, TheBytesStay) {
  Result result = sample(0.1);
  result.metrics.emplace_back("packets_generated", 1e6);
  result.tables["roots"] = {{"kind", {}, {"link", "cycle"}}, {"port", {3, 1e-5}}};
  const std::string summary =
      R"("status":"saturated","detail":"backlog \"grew\",\nfast",)"
      R"("metrics":{"latency_mean_ns":0.1,"accepted_load":0.1,"packets_generated":1000000.0})";
  const std::string tables = R"("roots":{"kind":["link","cycle"],"port":[3.0,1e-05]},)"
                             R"("series":{"time_ns":[5.0,10.0],"latency_mean_ns":[null,2.5e-300]})";
  const std::string hash = R"("trace_hash":"fffffffffffffffe")";
  EXPECT_EQ(write_result(result), "{" + summary + "," + tables + R"(,"cpu_s":0.25,)" + hash + "}");
  PointResult point = point_of({result});
  const std::string params =
      R"({"params":{"switch.scheme":"obqa","traffic.load":0.5,"note":"a,\"b\""},"seed":7,)";
  const std::string start =
      "{\"headway\": \"" + std::string(version()) + "\",\n\"spec\": {},\n\"points\": [\n";
  EXPECT_EQ(test::json_of("{}", {point}), start + params + summary + "," + tables + "," + hash + "}\n]}\n");
  point.runs.push_back(point.runs.front());
  point.narrow_enough = true;
  point.names = {.switches = {"s\x1b"}, .nodes = {"n\xff", "µ"}};
  point.result.intervals = {{"latency_mean_ns", kNoValue}};
  const std::string runs =
      R"("runs":[{"seed":7,)" + summary + "," + hash + R"(},{"seed":8,)" + summary + "," + hash + "}]}";
  const std::string whole =
      params + R"("seeds":2,"narrow_enough":true,)" + summary + R"(,"intervals":{"latency_mean_ns":null},)" +
      tables + R"(,"names":{"nodes":["n\ufffd","µ"],"switches":["s\u001b"]},)" + hash + "," + runs;
  const std::string replaced = std::string(whole).replace(whole.find("\\ufffd"), 6, "\uFFFD");
  EXPECT_EQ(test::json_of("{}", {point, point}), start + replaced + ",\n" + replaced + "\n]}\n");
}

TEST(Results, AResultOfALaterVersionIsRefused) {
  std::string json = test::json_of("{}", {point_of({sample()})});
  json.replace(json.find(version()), version().size(), "99.0");
  EXPECT_THAT([&] { read_results(json); },
              testing::ThrowsMessage<NoResult>(testing::HasSubstr("Headway 99.0 wrote it")));
}

TEST(Results, WhatIsNoResultIsRefused) {
  const std::string good = write_result(sample());
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1]"), good.substr(0, good.size() / 2),
        std::string(R"({"status": "fine", "metrics": {}, "cpu_s": 0, "trace_hash": "0"})")})
    EXPECT_THROW(read_result(text), NoResult) << text;
}

TEST(Results, JsonHasTheDocumentedShape) {
  const auto json = nlohmann::json::parse(test::json_of(R"({"seed": 7})", {point_of({sample()})}));
  EXPECT_EQ(json["headway"], version());
  EXPECT_EQ(json["spec"]["seed"], 7);
  const auto& point = json["points"].at(0);
  EXPECT_EQ(point["params"]["switch.scheme"], "obqa");
  EXPECT_EQ(point["params"]["traffic.load"], 0.5);
  EXPECT_EQ(point["seed"], 7);
  EXPECT_EQ(point["status"], "saturated");
  EXPECT_EQ(point["metrics"]["accepted_load"], 0.1);
  EXPECT_TRUE(point["series"]["latency_mean_ns"][0].is_null());
  EXPECT_EQ(point["trace_hash"], "fffffffffffffffe");
  EXPECT_FALSE(point.contains("runs"));
  EXPECT_FALSE(point.contains("intervals"));
}

TEST(Results, SeveralSeedsAddIntervalsAndRuns) {
  const auto json = nlohmann::json::parse(test::json_of("{}", {point_of({sample(1), sample(3)})}));
  const auto& point = json["points"].at(0);
  EXPECT_EQ(point["metrics"]["latency_mean_ns"], 2);
  EXPECT_GT(point["intervals"]["latency_mean_ns"], 0);
  EXPECT_EQ(point["runs"].size(), 2U);
  EXPECT_EQ(point["runs"][1]["seed"], 8);
  EXPECT_EQ(point["runs"][1]["metrics"]["latency_mean_ns"], 3);
}

TEST(Results, NoPointsIsStillADocument) {
  EXPECT_TRUE(nlohmann::json::parse(test::json_of("{}", {}))["points"].empty());
}

TEST(Results, TheCostOfARunIsNoResult) {
  Result slow = sample();
  slow.cpu_s = 99;
  EXPECT_EQ(test::json_of("{}", {point_of({sample()})}), test::json_of("{}", {point_of({slow})}));
  EXPECT_EQ(test::csv_of({point_of({sample()})}), test::csv_of({point_of({slow})}));
}

TEST(Results, SeedsKeepAllDigits) {
  PointResult point = point_of({sample()});
  point.seed = 9'007'199'254'740'993;  // a double has 9007199254740992
  const std::vector<PointResult> read = read_results(test::json_of("{}", {point}));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].seed, point.seed);
}

TEST(Results, CsvHasOneRowPerPoint) {
  EXPECT_EQ(test::csv_of({point_of({sample(0.25)}), point_of({sample(kNoValue)})}),
            "switch.scheme,traffic.load,note,seed,status,latency_mean_ns,accepted_load\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,saturated,0.25,0.1\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,saturated,,0.1\n");
  EXPECT_EQ(test::csv_of({}), "");
}

// Schemes can differ in metrics and columns.
TEST(Results, PointsWithDifferentColumnsShareATable) {
  Result more = sample(1);
  more.metrics.emplace_back("cfqs_max", 3);
  more.tables["series"].push_back({"cfqs", {1, 2}});
  const std::vector<PointResult> points = {point_of({sample(1)}), point_of({more})};
  EXPECT_EQ(test::csv_of(points),
            "switch.scheme,traffic.load,note,seed,status,latency_mean_ns,accepted_load,cfqs_max\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,saturated,1,0.1,\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,saturated,1,0.1,3\n");
  EXPECT_EQ(test::table_of(points, "series"),
            "switch.scheme,traffic.load,note,seed,time_ns,latency_mean_ns,cfqs\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,5,,\nobqa,0.5,\"a,\"\"b\"\"\",7,10,2.5e-300,\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,5,,1\nobqa,0.5,\"a,\"\"b\"\"\",7,10,2.5e-300,2\n");
}

TEST(Results, CsvOfSeveralSeedsHasIntervals) {
  EXPECT_THAT(
      test::csv_of({point_of({sample(2), sample(2)})}),
      ::testing::HasSubstr("latency_mean_ns,latency_mean_ns_ci95,accepted_load,accepted_load_ci95\n"));
}

TEST(Results, TablesOfAllPointsStandBelowEachOther) {
  EXPECT_EQ(test::table_of({point_of({sample()}), point_of({sample()})}, "series"),
            "switch.scheme,traffic.load,note,seed,time_ns,latency_mean_ns\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,5,\nobqa,0.5,\"a,\"\"b\"\"\",7,10,2.5e-300\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,5,\nobqa,0.5,\"a,\"\"b\"\"\",7,10,2.5e-300\n");
  EXPECT_EQ(test::table_of({point_of({sample()})}, "per_link"), "");
}

// The rows of trees are those of every run.
TEST(Results, ListedRowsSayTheirOwnSeed) {
  Result first = sample(), second = sample();
  first.tables["trees"] = {{"tree", {0, 1}}, {"packets", {5, 6}}};
  second.tables["trees"] = {{"tree", {0}}, {"packets", {7}}};
  EXPECT_EQ(test::table_of({point_of({first, second})}, "trees"),
            "switch.scheme,traffic.load,note,seed,tree,packets\n"
            "obqa,0.5,\"a,\"\"b\"\"\",7,0,5\nobqa,0.5,\"a,\"\"b\"\"\",7,1,6\n"
            "obqa,0.5,\"a,\"\"b\"\"\",8,0,7\n");
}

}  // namespace
}  // namespace headway
