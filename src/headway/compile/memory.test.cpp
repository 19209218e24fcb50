// SPDX-License-Identifier: Apache-2.0
// The memory of a run is known before it starts, and a run whose backlog grows without limit is stopped in
// time.
#include "headway/compile/memory.h"
#include "headway/compile/machine.h"
#include "headway/compile/run_scope.h"

#include <gmock/gmock.h>

#include <mutex>

#include "headway/config/assign.h"
#include "headway/engine/backlog.h"
#include "headway/engine/packet.h"
#include "headway/run/run.h"
#include "headway/run/sweep.h"
#include "tests/support/memory_need.h"
#include "tests/support/point.h"

namespace headway {
namespace {

using test::memory_need;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// 16 nodes that all send to one node, far more than its link carries. Because of the admittance limit, all
// waiting messages are kept in memory.
EventSpec overloaded(double us = 1000) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 16}});
  spec.traffic.flows[0].pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  spec.node.admittance_limit = Bytes{1LL << 40};
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{static_cast<std::int64_t>(us * 1000)};
  return spec;
}

Experiment experiment_of(const std::vector<EventSpec>& specs) {
  Experiment experiment;
  for (const EventSpec& spec : specs) {
    experiment.need.include(memory_need(spec));
    experiment.points.push_back(
        make_point({{"load", std::to_string(spec.traffic.flows[0].load.points[0].load)}}, spec));
  }
  return experiment;
}

TEST(MemoryNeed, BoundsWhatABacklogTakes) {
  const EventSpec spec = overloaded();
  const MemoryNeed need = memory_need(spec);
  const double taken = static_cast<double>(run(spec).backlog_bytes);
  EXPECT_GT(taken, 6.5e6);  // 15 of 16 messages of 64 ns wait
  EXPECT_LT(taken, static_cast<double>(need.traffic));
  EXPECT_LT(static_cast<double>(need.traffic), 1.5 * taken);
}

// With cells, a memory holds more of the short packets.
TEST(MemoryNeed, CountsThePacketsThatFitIntoCells) {
  EventSpec spec = overloaded(1);
  spec.traffic.packet = Bytes{4096};
  spec.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{64}}});
  spec.traffic.flows[0].arrivals = choose(arrival_processes(), "saturated");
  const std::uint64_t slots = memory_need(spec).traffic;
  spec.switches.cell = Bytes{64};
  const std::uint64_t cells = memory_need(spec).traffic;
  // 16 ports and 16 nodes with a queue of 4 KiB each
  EXPECT_EQ(cells - slots, kBytesPerPacket * 32 * 63);
}

TEST(MemoryNeed, IsConstantIfNodesNeedNotWait) {
  for (const Admittance admittance : {Admittance::per_destination, Admittance::fifo}) {
    double taken[2];
    std::uint64_t needed[2];  // by runs that are much longer
    for (const int i : {0, 1}) {
      EventSpec spec = overloaded(1000 * (i + 1));
      spec.node.admittance = admittance;
      spec.node.admittance_limit.reset();
      taken[i] = static_cast<double>(run(spec).backlog_bytes);
      EXPECT_LE(taken[i], static_cast<double>(memory_need(spec).traffic));
      spec.measure.duration = Duration{1'000'000'000LL * (i + 1)};
      needed[i] = memory_need(spec).traffic;
    }
    EXPECT_LE(taken[0], 16 * (32 * 32 + 200));
    EXPECT_EQ(taken[0], taken[1]);
    EXPECT_EQ(needed[0], needed[1]);
  }
}

TEST(MemoryNeed, FollowsLoadTimeAndLimits) {
  const auto traffic = [](const EventSpec& spec) { return static_cast<double>(memory_need(spec).traffic); };
  const double all = traffic(overloaded());
  EXPECT_NEAR(traffic(overloaded(2000)) / all, 2, 0.07);
  EventSpec spec = overloaded();
  spec.traffic.flows[0].load.points[0].load = 0.5;
  EXPECT_NEAR(traffic(spec) / all, 0.5, 0.05);
  spec.traffic.flows[0].load.points = {{Duration{0}, 0.0}, {Duration{750'000}, 1.0}};
  EXPECT_NEAR(traffic(spec) / all, 0.25, 0.05);
  spec = overloaded();
  spec.traffic.flows[0].stop = Duration{100'000};
  EXPECT_NEAR(traffic(spec) / all, 0.1, 0.05);
  spec = overloaded();
  spec.traffic.flows[0].sizes = choose(message_sizes(), "fixed", {{"message", Bytes{6400}}});
  EXPECT_LT(traffic(spec) / all, 0.2);
  spec = overloaded();
  spec.node.admittance_limit = Bytes{1024};
  EXPECT_LT(traffic(spec) / all, 0.06);
  spec = overloaded();
  spec.traffic.flows[0].arrivals = choose(arrival_processes(), "saturated");
  EXPECT_LT(traffic(spec) / all, 0.06);
}

TEST(MemoryNeed, KnowsWhatCheckingAndSeriesTake) {
  EventSpec spec = overloaded();
  const MemoryNeed plain = memory_need(spec);
  EXPECT_GT(plain.checking, 0U);
  spec.measure.bin = Duration{1};
  EXPECT_GT(memory_need(spec).start, plain.start + 100'000'000);
}

TEST(MemoryNeed, KnowsTheNumbersOfResults) {
  EventSpec spec = overloaded(20);
  spec.measure.tables = {"per-pair", "pair-series", "destination-series"};
  for (const bool waiting : {false, true}) {
    spec.observe.waiting = waiting;
    const Result result = run(spec);
    double cells = static_cast<double>(result.metrics.size());
    for (const auto& [name, table] : result.tables)
      cells += static_cast<double>(table.size() * rows_of(table));
    const double links = 1000;
    TableBounds most = table_bounds(spec, links, most_pair_rows(spec, spec.network.link.rate));
    most.roots = links;
    EXPECT_LE(cells, most_numbers(scope_of(spec), most));
    EXPECT_GT(cells, 0.02 * most_numbers(scope_of(spec), most));
  }
}

TEST(Run, IsStoppedBeforeItsBacklogTakesMoreThanItMay) {
  RunOptions options;
  options.memory = memory_need(overloaded()).start + (5 << 20);
  try {
    run(overloaded(), options);
    FAIL() << "not stopped";
  } catch (const OutOfMemory& stopped) {
    EXPECT_THAT(stopped.what(), AllOf(HasSubstr("stopped at "), HasSubstr(" waiting messages use "),
                                      HasSubstr("node.admittance_limit")));
  }
  options.memory += 20 << 20;
  EXPECT_EQ(run(overloaded(), options).trace_hash, run(overloaded()).trace_hash);
}

TEST(Sweep, GoesOnWithoutTheRunsThatLackMemory) {
  EventSpec light = overloaded();
  light.traffic.flows[0].load.points[0].load = 0.01;
  const Experiment experiment = experiment_of({overloaded(), light});
  for (const unsigned jobs : {1U, 2U}) {
    SweepOptions options;
    options.jobs = jobs;
    options.memory = jobs * (experiment.need.start + (10 << 20));
    std::vector<std::size_t> finished;
    std::string warning;
    std::mutex mutex;
    const TakeResult take = [&](const Task& task, const Result&) {
      const std::scoped_lock lock(mutex);
      finished.push_back(task.point);
      return std::vector<Task>();
    };
    options.on_plan = [&](const SweepPlan& plan) {
      warning = plan.warning;
      EXPECT_EQ(plan.jobs, jobs);
    };
    try {
      run_sweep(experiment, all_tasks(experiment), take, options);
      FAIL() << "not stopped";
    } catch (const PointError& error) {
      EXPECT_THAT(error.what(), HasSubstr("at load = 1.000000, seed 1: stopped at "));
      const bool advises_fewer = std::string_view(error.what()).find("fewer jobs") != std::string_view::npos;
      EXPECT_EQ(advises_fewer, jobs > 1) << error.what();
    }
    EXPECT_EQ(finished, std::vector<std::size_t>{1});
    EXPECT_THAT(warning, HasSubstr("it is stopped before it uses more than"));
  }
}

TEST(Sweep, RunsNoMoreAtOnceThanMemoryIsThereFor) {
  Experiment experiment = experiment_of({overloaded(10), overloaded(10), overloaded(10)});
  experiment.need.start = 1 << 30;
  SweepOptions options;
  options.jobs = 3;
  options.memory = (5ULL << 29) + (128 << 20);
  const SweepPlan plan = plan_sweep(experiment, options, 3);
  EXPECT_EQ(plan.jobs, 2U);
  EXPECT_EQ(plan.memory_of_run, 5U << 28);
  EXPECT_EQ(plan.warning, "2 jobs instead of 3: a run needs 1.0 GiB of memory, and 2.6 GiB are free");
  options.check = true;
  experiment.need.checking = machine_memory();
  EXPECT_THROW(plan_sweep(experiment, options, 3), SpecError);
}

TEST(Machine, HasMemoryAndSaysHowMuchIsLeft) {
  EXPECT_GT(machine_memory(), 64U << 20);
  EXPECT_GT(available_memory(), 0U);
  EXPECT_LE(available_memory(), machine_memory());
  EXPECT_EQ(memory_text(5ULL << 30), "5.0 GiB");
  EXPECT_EQ(memory_text(300ULL << 20), "300 MiB");
}

}  // namespace
}  // namespace headway
