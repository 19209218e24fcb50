// SPDX-License-Identifier: Apache-2.0
// Plans share what they are made from, and make nothing twice.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "headway/compile/build.h"
#include "headway/compile/memory.h"
#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "headway/run/sweep.h"
#include "headway/spec/write_spec.h"
#include "tests/support/point.h"

namespace headway {
namespace {

Plan plan_in(Memo& memo, const EventSpec& spec) { return plan(spec, resolved(spec), {.memo = memo}); }

TEST(SharedParts, AreMadeForWhatDiffersAndNotTwice) {
  Memo memo;
  EventSpec spec;
  const Plan first = plan_in(memo, spec);
  ASSERT_TRUE(first.mistakes.empty());

  EventSpec another = spec;  // differs like the points of a sweep
  another.seed = 7;
  another.traffic.flows[0].load.points[0].load = 0.5;
  another.switches.scheme = choose(schemes(), "voqnet");
  EXPECT_EQ(plan_in(memo, another).graph, first.graph);
  EXPECT_EQ(plan_in(memo, another).bottlenecks, first.bottlenecks);
  another.routing.algorithm = choose(routings(), "random-up");
  EXPECT_NE(plan_in(memo, another).bottlenecks, first.bottlenecks);
  another.network.link.delay = Duration{8};
  EXPECT_NE(plan_in(memo, another).graph, first.graph);
}

// Only the whole file of a CSV program tells the number of its ranks.
TEST(SharedParts, OfAProgramAreReadOnce) {
  const std::string path = testing::TempDir() + "shared_program.csv";
  std::ofstream(path) << "rank,kind,peer,bytes\n0,send,5,8\n5,receive,0,8\n";
  EventSpec spec;
  JobSpec& job = spec.traffic.jobs.emplace_back();
  job.program = choose(programs(), "csv", {{"file", path}});
  spec.measure.warmup = Duration{0};
  Memo memo;
  const Plan first = plan_in(memo, spec);
  ASSERT_EQ(first.jobs.size(), 1U);
  EXPECT_EQ(first.jobs[0].nodes.size(), 6U);
  EXPECT_EQ(plan_in(memo, spec).jobs[0].program, first.jobs[0].program);
  std::filesystem::remove(path);
  job.iterations = 7;  // as in a sweep; the ranks are known, but the program is another one
  EXPECT_EQ(plan_in(memo, spec).jobs[0].program, nullptr);
}

TEST(SharedParts, SelectionsShareTheRoutesThatTheySelectFrom) {
  Memo memo;
  EventSpec spec;
  spec.routing.algorithm = choose(routings(), "adaptive");
  const Plan first = plan_in(memo, spec);
  EXPECT_TRUE(std::holds_alternative<Sadp>(first.options.selection->own));
  spec.routing.selection = choose(selections(), "mc");
  spec.routing.free_output = FreeOutput::now;
  const Plan second = plan_in(memo, spec);
  EXPECT_EQ(second.bottlenecks, first.bottlenecks);
  EXPECT_TRUE(std::holds_alternative<MostCredits>(second.options.selection->own));
  EXPECT_EQ(second.options.selection->free, FreeOutput::now);

  // routes with different parameters are not shared
  spec.network.topology = choose(topologies(), "mesh", {});
  spec.routing.algorithm = choose(routings(), "dor", {{"order", std::vector<std::int64_t>{0, 1}}});
  const Plan in_order = plan_in(memo, spec);
  spec.routing.algorithm = choose(routings(), "dor", {{"order", std::vector<std::int64_t>{1, 0}}});
  EXPECT_NE(plan_in(memo, spec).bottlenecks, in_order.bottlenecks);
}

TEST(SharedParts, FollowAFileThatChanges) {
  const std::string path = testing::TempDir() + "shared_parts_test.toml";
  const auto spec_with_nodes = [&](int nodes) {
    std::ofstream file(path);
    file << "[[switch]]\n";
    for (int node = 0; node < nodes; ++node) file << "[[node]]\nat = \"0\"\n";
    file.close();
    EventSpec spec;
    spec.network.topology = choose(topologies(), "file", {{"file", path}});
    return spec;
  };
  Memo memo;
  EXPECT_EQ(plan_in(memo, spec_with_nodes(3)).nodes, 3U);
  EXPECT_EQ(plan_in(memo, spec_with_nodes(5)).nodes, 5U);
}

TEST(SharedParts, ServeManyThreads) {
  Memo memo;
  std::vector<std::shared_ptr<const Graph>> graphs(8);
  {
    std::vector<std::jthread> threads;
    for (auto& graph : graphs) threads.emplace_back([&] { graph = plan_in(memo, {}).graph; });
  }
  EXPECT_EQ(graphs, std::vector(8, graphs[0]));
}

TEST(SharedParts, ServeTheRunsOfASweep) {
  EventSpec spec;
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{1000};
  Experiment experiment;
  experiment.memo = std::make_shared<Memo>();
  experiment.seeds = 3;
  const Plan before = plan_in(*experiment.memo, spec);
  for (const double load : {0.1, 0.2}) {
    spec.traffic.flows[0].load.points[0].load = load;
    experiment.points.push_back(make_point({}, spec));
  }
  SweepOptions options;
  options.jobs = 2;
  const TakeResult take = [](const Task&, const Result&) { return std::vector<Task>(); };
  EXPECT_TRUE(run_sweep(experiment, all_tasks(experiment), take, options));
  EXPECT_EQ(plan_in(*experiment.memo, spec).graph, before.graph);
}

TEST(SharedParts, ChooseSenders) {
  Memo memo;
  EventSpec spec;
  spec.traffic.flows[0].sources = {.kind = NodeSet::Kind::fraction, .fraction = 0.25};
  const Plan plan = plan_in(memo, spec);
  ASSERT_EQ(plan.senders->size(), 1U);
  EXPECT_EQ(plan.senders->front().size(), plan.nodes / 4);
  EXPECT_TRUE(plan.mistakes.empty());
  spec.traffic.flows[0].sources = {.kind = NodeSet::Kind::first, .first = 1'000'000};
  const Plan none = plan_in(memo, spec);
  ASSERT_EQ(none.mistakes.list().size(), 1U);
  EXPECT_EQ(none.mistakes.list()[0].key, "traffic.flow[0].sources");
}

TEST(SharedParts, AreForgottenBeforeTheyFillTheMemory) {
  Memo memo(32 << 20);
  std::weak_ptr<const Graph> first;
  for (int delay = 1; delay <= 20; ++delay) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 4}});
    spec.network.link.delay = Duration{delay};
    const Plan plan = plan_in(memo, spec);
    EXPECT_TRUE(plan.graph);
    EXPECT_LE(memo.bytes(), 128U << 20);
    if (delay == 1) first = plan.graph;
  }
  EXPECT_TRUE(first.expired());
}

TEST(SharedParts, AreNoLargerThanTheyMayBe) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 8}, {"n", 4}});
  Memo memo;
  std::uint64_t left = graph_memory(*spec.network.topology) * 3 / 2;
  const auto planned = [&] { return plan(spec, resolved(spec), {.memo = memo, .graphs_left = &left}); };
  EXPECT_TRUE(planned().graph);
  spec.network.link.delay = Duration{8};
  const Plan second = planned();
  EXPECT_FALSE(second.graph);
  EXPECT_EQ(second.nodes, 4096U);
  EXPECT_TRUE(second.mistakes.empty());
}

}  // namespace
}  // namespace headway
