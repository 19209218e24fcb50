// SPDX-License-Identifier: Apache-2.0
#include "headway/view/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "headway/config/assign.h"
#include "headway/observe/snapshots.h"
#include "headway/run/run.h"
#include "headway/run/timeline.h"
#include "headway/spec/write_spec.h"
#include "headway/view/page_data.h"
#include "tests/support/point.h"
#include "tests/support/remedy_rows.h"

namespace headway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

EventSpec hot_spot() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}});
  FlowSpec flow;
  flow.load.points = {{Duration{0}, 1.0}};
  spec.traffic.flows = {flow};
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{20'000};
  spec.observe = {.waiting = true, .interval = Duration{100}, .keep = true};
  return spec;
}

struct Viewed {
  Graph graph;
  ViewedRun run;
};
Viewed viewed(const EventSpec& spec = hot_spot()) {
  Result result = run(spec, {.keep = true});
  ViewedRun run{.name = "</script>\"'",
                .point = 0,
                .spec = resolved(spec),
                .result = {},
                .snapshots = result.snapshots};
  run.result = make_point_result(make_point({}, spec), {result});
  return {spec.network.topology->build({}), std::move(run)};
}

TEST(ViewPage, HasAllDataAndNothingOfTheOutside) {
  const Viewed seen = viewed();
  const std::string page = view_page(seen.graph, {&seen.run, 1});
  for (const char* part : {"default-src 'none'; script-src 'sha256-", "id=\"network\"", "id=\"metrics\"",
                           "id=\"run-0\"", "id=\"snapshots-0\""})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("id=\"run-1\"")), Not(HasSubstr("@data@")), Not(HasSubstr(" src=")),
                          Not(HasSubstr("</script>\"'"))));
  EXPECT_THAT(page, HasSubstr("aGVhZHdheSBzbmFwc2hvdHMgMQ"));  // headway snapshots 1
}

TEST(ViewPage, TellsWhatItsNumbersMeanAndWhatIsLeftOut) {
  const Viewed seen = viewed();
  const auto run = nlohmann::json::parse(run_data(seen.run, 3).dump());
  EXPECT_EQ(run["every"], 3);
  EXPECT_EQ(run["name"], "</script>\"'");
  EXPECT_EQ(run["scheme_help"], "a single queue per input port");
  const auto metrics = nlohmann::json::parse(metric_data().dump());
  for (const char* table : {"series", "per_destination", "trees", "roots", "culprits"})
    for (const auto& [name, values] : run[table].items()) {
      if (name == "time_ns") continue;
      EXPECT_NE(metrics[table][name]["help"], "") << table << ' ' << name;
    }
  EXPECT_EQ(metrics["series"]["hol_packets"]["unit"], "packets");
}

// The snapshots of a point are those of its first run.
TEST(ViewPage, HasTheTreesOfTheRunThatItsSnapshotsAreOf) {
  EventSpec spec = hot_spot();
  spec.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 1}, {"fraction", 0.8}});
  EventSpec other = spec;
  ++other.seed;
  Viewed seen = viewed(spec);
  const auto alone = nlohmann::json::parse(run_data(seen.run, 1).dump());
  seen.run.result = make_point_result(make_point({}, spec), {run(spec), run(other)});
  const auto run_of_two = nlohmann::json::parse(run_data(seen.run, 1).dump());
  EXPECT_GT(rows_of(seen.run.result.result.table("trees")), alone["trees"]["tree"].size());
  EXPECT_EQ(run_of_two["trees"], alone["trees"]);
  EXPECT_EQ(alone["seeds"], 1);
  EXPECT_EQ(run_of_two["seeds"], 2);
  EXPECT_NE(run_of_two["roots"], alone["roots"]) << "means over both seeds";
}

TEST(ViewPage, HasTheSeriesOfFlows) {
  Viewed seen = viewed();
  seen.run.result.result.tables["per_flow"] = {{"flow", {}, {"storage", "rest"}}};
  seen.run.result.result.tables["flow_series"] = {{"time_ns", {10, 10, 20, 20}},
                                                  {"flow", {}, {"storage", "rest", "storage", "rest"}},
                                                  {"accepted_load", {0.1, 0.2, 0.3, 0.4}}};
  const auto run = nlohmann::json::parse(run_data(seen.run, 1).dump());
  EXPECT_EQ(run["per_flow"]["flow"], nlohmann::json({"storage", "rest"}));
  EXPECT_EQ(run["series"]["storage.accepted_load"], nlohmann::json({0.1, 0.3}));
  EXPECT_EQ(run["series"]["rest.accepted_load"], nlohmann::json({0.2, 0.4}));
  EXPECT_FALSE(run["series"].contains("storage.time_ns"));
}

// A job with one rank, which computes `count` times with pauses, and a second one that never starts.
PointResult jobs_of(std::size_t count) {
  PointResult point;
  point.result.tables["per_job"] = {{"job", {}, {"sync", "idle"}}};
  Table& operations = point.result.tables["per_operation"];
  operations = {{"job"}, {"rank"}, {"kind"}, {"start_ns"}, {"finish_ns"}};
  for (std::size_t i = 0; i < count; ++i) {
    const double at = 10.0 * static_cast<double>(i);
    operations[0].words.emplace_back("sync");
    operations[1].values.push_back(0);
    operations[2].words.emplace_back("compute");
    operations[3].values.push_back(at);
    operations[4].values.push_back(i == 1 ? at + 9 : at + 4);
  }
  point.result.tables["critical_path"] = {{"job", {}, {"sync", "sync"}},
                                          {"step_kind", {}, {"compute", "message"}},
                                          {"rank", {0, 0}},
                                          {"peer", {NAN, 0}},
                                          {"start_ns", {0, 5}},
                                          {"length_ns", {5, 7}},
                                          {"wait_ns", {0, 3}},
                                          {"longest_wait_ns", {0, 2}},
                                          {"at_switch", {NAN, 1}},
                                          {"at_port", {NAN, 2}}};
  return point;
}

TEST(ViewPage, HasTimelinesOfJobs) {
  Viewed seen = viewed();
  EXPECT_FALSE(nlohmann::json::parse(run_data(seen.run, 1).dump()).contains("jobs"));
  PointResult jobs = jobs_of(2);
  seen.run.result.result.tables.merge(jobs.result.tables);
  const auto run = nlohmann::json::parse(run_data(seen.run, 1).dump());
  EXPECT_EQ(run["jobs_left_out"], 0);
  ASSERT_EQ(run["jobs"].size(), 2U);
  const auto& sync = run["jobs"][0]["timeline"];
  EXPECT_EQ(sync["ranks"], nlohmann::json::array({0}));
  EXPECT_EQ(sync["doings"].size(), kDoings);
  EXPECT_EQ(sync["from_ns"], 0);
  EXPECT_EQ(sync["to_ns"], 19);
  EXPECT_EQ(
      sync["stretches"],
      nlohmann::json::parse(R"({"row": [0, 0], "doing": [0, 0], "from_ns": [0, 10], "to_ns": [4, 19]})"));
  const auto& path = sync["path"];
  EXPECT_EQ(path["row"], nlohmann::json({0, 0}));
  EXPECT_EQ(path["to_ns"], nlohmann::json({5, 12}));
  EXPECT_EQ(path["waits_ns"], nlohmann::json({0, 3}));
  EXPECT_EQ(path["at_switch"], nlohmann::json({nullptr, 1}));
  EXPECT_EQ(path["at_port"], nlohmann::json({nullptr, 2}));
  EXPECT_EQ(run["jobs"][1]["job"], "idle");
  EXPECT_TRUE(run["jobs"][1]["timeline"].is_null());
  EXPECT_EQ(run["jobs"][1]["note"], "no operation of 'idle' takes time");
}

TEST(ViewPage, HasMeasuredRemedies) {
  Viewed seen = viewed();
  EXPECT_FALSE(nlohmann::json::parse(run_data(seen.run, 1).dump()).contains("remedies"));
  RemedyRow late = remedy_row("64 times the memory", "bound", "memory", NAN);
  late.status = "unfinished";
  RemedyRow skipped = remedy_row("routing table", "remedy", "routing", NAN);
  skipped.skipped = "no file is given";
  seen.run.result.result.tables.merge(
      with_remedies({remedy_row("without storage", "cause", "traffic", 4), late, skipped}).tables);
  const auto remedies = nlohmann::json::parse(run_data(seen.run, 1).dump())["remedies"];
  EXPECT_EQ(remedies["metric"], "train.completion_ns");
  EXPECT_EQ(remedies["better"], "faster");
  EXPECT_EQ(remedies["skipped"],
            nlohmann::json::array({"not run, because no file is given: routing table."}));
  ASSERT_EQ(remedies["bars"].size(), 2U);
  EXPECT_EQ(remedies["bars"][0]["text"], "4 times faster");
  EXPECT_EQ(remedies["bars"][0]["settings"], "--set a.b=1");
  EXPECT_EQ(remedies["bars"][1]["text"], "did not end in time");
  EXPECT_TRUE(remedies["bars"][1]["gain"].is_null());
}

// The timelines of all jobs together have a limit. A row with too many stretches shows what its rank does for
// most of each slot.
TEST(ViewPage, LargeTimelinesAreCut) {
  const auto timeline_of = [](const PointResult& point) {
    Json json;
    add_jobs(json, point);
    return nlohmann::json::parse(json.dump())["jobs"][0]["timeline"];
  };
  EXPECT_EQ(timeline_of(jobs_of(128'000))["slot_ns"], 0);
  // The rank computes for most of the second slot only.
  const auto cut = timeline_of(jobs_of(128'001));
  EXPECT_NEAR(cut["slot_ns"].get<double>(), 10, 1e-3);
  EXPECT_NEAR(cut["stretches"]["from_ns"][0].get<double>(), 10, 1e-3);
  EXPECT_NEAR(cut["stretches"]["to_ns"][0].get<double>(), 20, 1e-3);
  EXPECT_EQ(cut["stretches"]["row"].size(), 1U);
  EXPECT_EQ(cut["steps_left_out"], 0);

  PointResult many;
  Column names{"job"};
  for (int i = 0; i < 20; ++i) names.words.push_back(std::to_string(i));
  many.result.tables["per_job"] = {names};
  Json few;
  add_jobs(few, many);
  const auto told = nlohmann::json::parse(few.dump());
  EXPECT_EQ(told["jobs"].size(), 16U);
  EXPECT_EQ(told["jobs_left_out"], 4U);
  EXPECT_EQ(told["jobs"][0]["note"],
            "the results have no per_operation; runs have it with: jobs, and `\"per-operation\"` in "
            "`measure.tables`");
}

// A page with fewer snapshots is smaller, and keeps what nodes sent.
TEST(ViewPage, LongRunsAreThinned) {
  const Viewed seen = viewed();
  const std::size_t size = seen.run.snapshots.size();
  EXPECT_LT(view_page(seen.graph, {&seen.run, 1}, size / 4).size() + size,
            view_page(seen.graph, {&seen.run, 1}).size() + size / 3);
  const auto count = [](const std::string& file) {
    std::pair<std::size_t, std::uint64_t> counted;
    for (SnapshotReader reader(file); reader.next(); ++counted.first)
      for (const std::uint32_t bytes : reader.now()[Track::sent]) counted.second += bytes;
    return counted;
  };
  const auto [all, sent] = count(seen.run.snapshots);
  ASSERT_GT(all, 100U);
  const std::string fewer = every_kth(seen.run.snapshots, 3);
  const auto [kept, kept_sent] = count(fewer);
  EXPECT_EQ(kept, (all + 2) / 3);
  EXPECT_GT(kept_sent, sent * 97 / 100);
  EXPECT_EQ(every_kth(seen.run.snapshots, 1), seen.run.snapshots);
  SnapshotReader reader(seen.run.snapshots), thin(fewer);
  for (std::size_t i = 0; reader.next(); ++i) {
    if (i % 3 != 0) continue;
    ASSERT_TRUE(thin.next());
    EXPECT_EQ(thin.now().tick, reader.now().tick);
    for (const Track track : {Track::link, Track::packets, Track::root, Track::next, Track::victims})
      EXPECT_EQ(thin.now()[track], reader.now()[track]);
    EXPECT_EQ(thin.now().contents, reader.now().contents);
    EXPECT_EQ(thin.roots(), reader.roots());
  }
}

TEST(ViewPage, SnapshotsOfAnotherNetworkAreRefused) {
  const Viewed seen = viewed();
  const Graph other = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}})->build({});
  EXPECT_THAT([&] { view_page(other, {&seen.run, 1}); },
              ThrowsMessage<BadSnapshots>(HasSubstr("of a network with 4 nodes")));
}

}  // namespace
}  // namespace headway
