// SPDX-License-Identifier: Apache-2.0
// A run on several threads has the results of a run on one thread, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "headway/compile/build.h"
#include "headway/compile/tick.h"
#include "headway/config/assign.h"
#include "headway/engine/backlog.h"
#include "headway/engine/cut.h"
#include "headway/engine/parts.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "tests/support/always_cut.h"
#include "tests/support/random_program.h"
#include "tests/support/random_spec.h"
#include "tests/support/same_results.h"

namespace headway {
namespace {

TEST(Threads, DoNotChangeResults) {
  const std::uint64_t cases = test::cases_of(10);
  std::map<std::string, int> in_parts;  // what the cases in parts have
  for (const auto& [name, make] : test::kRandomSpecs)
    for (std::uint64_t number = 0; number < cases; ++number) {
      const test::RandomSpec random = make(number);
      const EventSpec spec = test::short_spec(random, number);
      const Model model = build(spec);
      if (!why_one_thread(model.network, model.workload, {}).empty()) continue;
      const auto simulation =
          make_simulation(model.network, model.workload, {.threads = 2, .always_cut = true});
      if (simulation->threads() < 2) continue;  // all nodes at one switch, or links without a delay
      const Result one = run(spec);
      for (const std::uint32_t threads : {2U, 5U}) {
        const Result several = run(spec, {.threads = threads, .hooks = &test::kAlwaysCut});
        ASSERT_EQ(test::first_difference(one, several), "")
            << threads << " threads, " << name << '(' << number << "): " << random.description;
      }
      ++in_parts[name];
      if (spec.observe.waiting) ++in_parts["observed"];
      if (model.network.has_output_units()) ++in_parts["output units"];
      if (model.network.feedback_shares_links()) ++in_parts["feedback"];
      if (model.network.isolation) ++in_parts["isolation"];
      if (model.network.overflow) ++in_parts["overflow"];
      if (model.network.reaction && !model.workload.notifies) ++in_parts["notifications"];
      if (model.workload.notifies) ++in_parts["notices"];
      if (model.network.has_lanes()) ++in_parts["lanes"];
      if (model.network.selection) ++in_parts["adaptive"];
    }
  if (cases < 10) return;  // under a sanitizer
  for (const char* const what :
       {"random_spec", "random_spec_with_service_levels", "random_spec_with_lane_turns", "isolation",
        "overflow", "random_spec_with_slow_nodes", "random_spec_with_pauses", "random_spec_with_cells",
        "random_spec_with_degraded_links", "random_spec_with_lane_credits",
        "random_spec_with_choices_on_arrival", "random_spec_with_events", "observed", "output units",
        "feedback", "lanes", "adaptive"})
    EXPECT_GE(in_parts[what], 2) << what;
}

// 256 nodes, as users run them: in as many parts as pay.
TEST(Threads, ShareALargeRun) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}});
  spec.network.link.delay = Duration{40};
  spec.traffic.flows[0].load.points[0].load = 0.8;
  spec.measure.warmup = Duration{1000};
  spec.measure.duration = Duration{3000};
  const Result one = run(spec);
  RunGauge gauge;
  EXPECT_EQ(test::first_difference(one, run(spec, {.threads = 3}, RunProgress(gauge))), "");
  EXPECT_EQ(gauge.threads, 3U);
  // a node generates a packet in 6400 ns, and a window has 40
  spec.traffic.flows[0].load.points[0].load = 0.01;
  const Result idle = run(spec, {.threads = 3}, RunProgress(gauge));
  EXPECT_EQ(gauge.threads, 1U);
  EXPECT_NE(idle.one_thread, "");
}

// When little happens, one thread simulates all parts in turn.
TEST(Threads, TakeTurnsWhenLittleHappens) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}});
  spec.network.link.delay = Duration{40};
  spec.traffic.flows[0].load.points = {{Duration{0}, 0.8}, {Duration{20'000}, 0.01}, {Duration{60'000}, 0.8}};
  spec.measure.warmup = Duration{1000};
  spec.measure.duration = Duration{80'000};
  const Result one = run(spec);
  RunGauge gauge;
  EXPECT_EQ(test::first_difference(one, run(spec, {.threads = 3}, RunProgress(gauge))), "");
  EXPECT_EQ(gauge.threads, 3U);
}

// Messages of several packets are complete when the last part of them has been delivered.
TEST(Threads, MeasureMessages) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}});
  spec.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{640}}});
  spec.traffic.flows[0].load.points[0].load = 0.6;
  spec.measure.warmup = Duration{1000};
  spec.measure.duration = Duration{20'000};
  const Result one = run(spec);
  EXPECT_GT(one.metric("messages_completed"), 900);
  EXPECT_EQ(test::first_difference(one, run(spec, {.threads = 4, .hooks = &test::kAlwaysCut})), "");
}

// A part has at least 16 packets in a window, on average.
TEST(Threads, AreAsManyAsHaveEnoughToDo) {
  for (const std::int64_t delay : {4, 20, 100}) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}});
    spec.network.link.delay = Duration{delay};
    spec.traffic.flows.front().load = {.points = {{Duration{0}, 0.9}}};
    const Model model = build(spec);
    const NetworkCut cut = cut_of(model.network, model.workload, 8);
    const auto enough = static_cast<std::uint32_t>(std::min(8.0, cut.packets_in_epoch / kPacketsWorthAPart));
    EXPECT_EQ(make_simulation(model.network, model.workload, {.threads = 8})->threads(), std::max(1U, enough))
        << delay << ": " << cut.packets_in_epoch << " packets";
  }
}

TEST(Threads, AreOneForWhatIsDecidedForTheWholeNetwork) {
  const auto reason = [](EventSpec spec, const SimulationOptions& options = {}) {
    const Model model = build(spec);
    return why_one_thread(model.network, model.workload, options);
  };
  EventSpec spec;
  EXPECT_EQ(reason(spec), "");
  EXPECT_NE(reason(spec, {.check = true}), "");
  spec.switches.credit_packet = Bytes{8};
  EXPECT_EQ(reason(spec), "");
  spec.switches.scheme = choose(schemes(), "fbicm", {{"notification_packet", Bytes{8}}});
  EXPECT_NE(reason(spec), "");
  EventSpec of_jobs;
  of_jobs.traffic.jobs.emplace_back().exclusive = true;
  EXPECT_EQ(reason(of_jobs), "jobs wait for nodes");
}

// A backlog beyond its limit ends a run on several threads as it ends one on one.
TEST(Threads, StopIfTheBacklogIsTooLarge) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  const Model model = build(spec);
  const KeptMessages everything{.of_queue = UINT32_MAX};
  const auto simulation = make_simulation(
      model.network, model.workload,
      {.backlog_limit = 1 << 18, .kept_messages = everything, .threads = 4, .always_cut = true});
  ASSERT_EQ(simulation->threads(), 4U);
  EXPECT_THROW(simulation->run_until(ticks(Duration{20'000'000}, model.network.tick)), BacklogTooLarge);
}

}  // namespace
}  // namespace headway
