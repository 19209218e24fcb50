// SPDX-License-Identifier: Apache-2.0
// Searches in networks whose saturation load is known.
#include "headway/run/saturation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/run/sweep.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

EventSpec one_switch(std::int64_t nodes) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", nodes}});
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{100'000};
  return spec;
}

TEST(Saturation, OfOneHotDestinationIsItsShareOfTheLink) {
  EventSpec spec = one_switch(5);
  spec.traffic.flows.front().pattern = choose(patterns(), "hotspot", {{"destination", 4}});
  spec.traffic.flows.front().sources = {.kind = NodeSet::Kind::first, .first = 4};
  const Result result = find_saturation(spec, {.precision = 0.01, .times = 1000});
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_LE(result.metric("saturation_load"), 0.25);  // at higher loads, the link is overloaded
  EXPECT_GT(result.metric("saturation_load"), 0.2);   // close to it, the window is too short for a verdict
  EXPECT_LE(result.metric("saturation_load_high") - result.metric("saturation_load_low"), 0.01);
}

TEST(Saturation, WhatFillsTheMemoryIsNotSustained) {
  EventSpec spec = one_switch(40);
  spec.traffic.flows.front().pattern = choose(patterns(), "hotspot", {{"destination", 39}});
  spec.measure.duration = Duration{10'000'000};
  const SaturationSearch search{.precision = 0.01, .times = 1000, .lowest = 0.001};
  RunOptions options;
  options.memory = 64 << 20;
  const Result result = find_saturation(spec, search, options);
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_LE(result.metric("saturation_load"), 1.0 / 39);
}

TEST(Saturation, IsOneWhereTheFullLoadPasses) {
  EventSpec spec = one_switch(4);
  spec.traffic.flows.front().pattern = choose(patterns(), "neighbour", {{"radix", 4}});
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "periodic");
  const Result result = find_saturation(spec, {});
  EXPECT_EQ(result.metric("saturation_load_low"), 1);
  EXPECT_EQ(result.metric("saturation_load_high"), 1);
  EXPECT_EQ(result.metric("saturation_runs"), 3);  // one of them because the lowest load gives few messages
}

TEST(Saturation, WhereNoLoadIsSustainedNoneIsPrinted) {
  EventSpec spec = one_switch(40);
  spec.traffic.flows.front().pattern = choose(patterns(), "hotspot", {{"destination", 39}});
  spec.traffic.flows.front().sources = {.kind = NodeSet::Kind::first, .first = 39};
  const Result none = find_saturation(spec, {.times = 1000, .lowest = 0.05});  // 1/39 is less than 0.05
  EXPECT_EQ(none.status, Status::saturated);
  EXPECT_TRUE(std::isnan(none.metric("saturation_load")));
  EXPECT_TRUE(std::isnan(none.metric("saturation_load_low")));
  EXPECT_EQ(none.metric("saturation_load_high"), 0.05);
  EXPECT_THAT(none.detail,
              HasSubstr("no load was sustained, not even the lowest, 0.05: saturated: the demand of the "
                        "flows on the link to node 39 is 1.95 times its capacity"));
  const Result result = find_saturation(spec, {.precision = 0.001, .times = 1000});
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_NEAR(result.metric("saturation_load"), 1.0 / 39, 0.005);
}

// With few large messages, the lowest load can fail by chance; it is then repeated with a longer window.
TEST(Saturation, OfLargeMessagesIsNoMatterOfChance) {
  EventSpec spec = one_switch(4);
  spec.traffic.flows.front().sizes = choose(message_sizes(), "fixed", {{"message", Bytes{64 * 1024}}});
  spec.traffic.packet = Bytes{4 * 1024};
  spec.switches.input_memory = Bytes{64 * 1024};
  spec.measure.duration = Duration{10'000'000};
  for (spec.seed = 1; spec.seed <= 3; ++spec.seed) {
    const Result result = find_saturation(spec, {.precision = 0.2, .times = 100});
    EXPECT_EQ(result.status, Status::ok) << result.detail;
    EXPECT_GT(result.metric("saturation_load"), 0.1);
  }
}

TEST(Saturation, RefusesWhatCannotBeSearched) {
  const auto error_of = [](EventSpec spec, const SaturationSearch& search) -> std::string {
    try {
      find_saturation(spec, search);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of(one_switch(4), {.share = 2}),
              HasSubstr("share: must be above 0 and at most 1, not 2"));
  EXPECT_THAT(error_of(one_switch(4), {.precision = 0}),
              HasSubstr("precision: must be at least 1e-06 and below 1, not 0"));
  // a double cannot be halved to this, so the search would not end
  EXPECT_THAT(error_of(one_switch(4), {.precision = 1e-17}),
              HasSubstr("precision: must be at least 1e-06 and below 1, not 1e-17"));
  EXPECT_THAT(error_of(one_switch(4), {.times = 0.5}), HasSubstr("times: must be at least 1, not 0.5"));
  EXPECT_EQ(error_of(one_switch(4), {.times = 0.5, .latency = Duration{100'000}}), "");
  EXPECT_THAT(error_of(one_switch(4), {.lowest = 1}),
              HasSubstr("lowest: must be at least 1e-06 and below 1, not 1"));
  EXPECT_THROW(load_for_search(parse_toml("", "x"), {.precision = 1e-17}), SpecError);
  EventSpec silent = one_switch(4);
  silent.traffic.flows.front().load.points = {{Duration{0}, 0}};
  EXPECT_THAT(error_of(silent, {}), HasSubstr("no load is above 0"));
  EventSpec saturated = one_switch(4);
  saturated.traffic.flows.front().arrivals = choose(arrival_processes(), "saturated");
  EXPECT_THAT(error_of(saturated, {}), HasSubstr("saturated sources have no load that a search could vary"));
}

// A limit of latency is for networks that are slow at any load, such as FF on a deep tree: FF uses another
// link only when one is full.
TEST(Saturation, MayBeAgainstALatency) {
  EventSpec spec = one_switch(4);
  const double times = find_saturation(spec, {.times = 3}).metric("saturation_load");
  const double generous = find_saturation(spec, {.latency = Duration{100'000}}).metric("saturation_load");
  const double strict = find_saturation(spec, {.latency = Duration{60}}).metric("saturation_load_high");
  EXPECT_LT(times, generous);
  EXPECT_EQ(strict, 0.01);  // the packet alone takes 64 ns on its last link
}

TEST(Saturation, EndsWithTheFinestPrecision) {
  const Result result = find_saturation(one_switch(2), {.precision = kFinestLoad});
  EXPECT_LE(result.metric("saturation_load_high") - result.metric("saturation_load_low"), kFinestLoad);
}

TEST(Saturation, SaysWhatLimitsIt) {
  EventSpec spec = one_switch(4);
  const Result latency = find_saturation(spec, {.precision = 0.2, .times = 3});
  EXPECT_EQ(latency.limited_by, "latency");
  EXPECT_GT(latency.metric("saturation_limit"), 3 * 64);  // the packet alone takes 64 ns on its last link
  spec.traffic.flows.front().pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  const Result verdict = find_saturation(spec, {.precision = 0.2, .times = 1000});
  EXPECT_EQ(verdict.limited_by, "saturated");
  EXPECT_TRUE(std::isnan(verdict.metric("saturation_limit")));
  spec.traffic.flows.front().pattern = choose(patterns(), "neighbour", {{"radix", 4}});
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "periodic");
  EXPECT_EQ(find_saturation(spec, {}).limited_by, "full load");
}

// The comparison for which detours exist: a dragonfly under its worst traffic (Kim et al., ISCA 2008, section
// 4.2). Minimal routing carries 1/8.
TEST(Saturation, OfDetoursIsThatOfThePathsThatTheyTake) {
  const auto load_of = [](const char* routing) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "dragonfly", {{"p", 2}, {"a", 4}, {"h", 2}});
    spec.routing.algorithm = choose(routings(), routing);
    spec.traffic.flows.front().pattern = choose(patterns(), "next-group", {{"size", 8}});
    spec.measure.warmup = Duration{20'000};
    spec.measure.duration = Duration{100'000};
    return find_saturation(spec, {.precision = 0.06}).metric("saturation_load");
  };
  const double minimal = load_of("minimal"), valiant = load_of("valiant");
  EXPECT_LE(minimal, 0.125);
  EXPECT_GT(valiant, 0.2);
  EXPECT_LE(valiant, 7.0 / 16);
}

TEST(Saturation, TellsHowFarItIs) {
  RunGauge gauge;
  find_saturation(one_switch(4), {}, {}, RunProgress(gauge));
  EXPECT_EQ(gauge.fraction, 1);
}

// The runs of these loads are repeated, because they are too short.
TEST(Saturation, ItsProgressReachesItsEndWithItsLastRun) {
  EventSpec spec = one_switch(16);
  spec.measure.duration = Duration{5'000};
  Experiment experiment;
  experiment.search = SaturationSearch{.precision = 0.1};
  experiment.points.push_back(make_point({}, spec));
  SweepOptions options{.jobs = 1, .interval = std::chrono::milliseconds(0)};
  std::vector<double> before;
  std::atomic<bool> taken = false;  // the task is counted later, when the worker gets the lock
  options.on_progress = [&](const SweepProgress& now) {
    if (now.tasks_done == 0 && !taken) before.push_back(now.fraction);
  };
  double runs = 0;
  const TakeResult take = [&](const Task&, const Result& result) {
    taken = true;
    runs = result.metric("saturation_runs");
    return std::vector<Task>();
  };
  EXPECT_TRUE(run_sweep(experiment, all_tasks(experiment), take, options));
  EXPECT_GT(runs, 6);  // of 2 + 4 loads
  ASSERT_GT(before.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(before));
  // Only between the end of the search and the count of its task it is 1.
  EXPECT_LT(static_cast<double>(std::ranges::count(before, 1.0)), 0.5 * static_cast<double>(before.size()));
}

TEST(Saturation, LeavesASweepOverTheLoadOut) {
  const auto params = [](const std::string& sweep) {
    return load_for_search(parse_toml("[sweep]\nseed = [1, 2]\n" + sweep, "x"), {}).points.at(1).params;
  };
  using Params = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(params(""), (Params{{"seed", "2"}}));
  EXPECT_EQ(params("\"traffic.flow.load\" = [0.1, 0.2]\n"), (Params{{"seed", "2"}}));
  EXPECT_EQ(params("\"traffic.flow[0].load\" = [0.1, 0.2]\n"), (Params{{"seed", "2"}}));
  EXPECT_THROW(
      params("\"traffic.flow[0].load\" = [0.1, 0.2]\n[[traffic.flow]]\nsources = { fraction = 0.5 }\n"
             "[[traffic.flow]]\nsources = { rest = true }\n"),
      SpecError);
}

TEST(Saturation, KeepsTheProportionsOfFlows) {
  EventSpec spec = one_switch(4);
  spec.traffic.flows.resize(2);
  spec.traffic.flows[0].load.points = {{Duration{0}, 0.2}};
  spec.traffic.flows[1].load.points = {{Duration{0}, 0.8}};
  const EventSpec half = std::get<EventSpec>(at_load(spec, 0.4));
  EXPECT_DOUBLE_EQ(half.traffic.flows[0].load.points.front().load, 0.1);
  EXPECT_DOUBLE_EQ(half.traffic.flows[1].load.points.front().load, 0.4);
}

}  // namespace
}  // namespace headway
