// SPDX-License-Identifier: Apache-2.0
#include "headway/view/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "headway/config/assign.h"
#include "headway/observe/snapshots.h"
#include "headway/run/run.h"
#include "headway/spec/write_spec.h"
#include "headway/view/page_data.h"
#include "tests/support/point.h"

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
Viewed viewed() {
  const EventSpec spec = hot_spot();
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
