// SPDX-License-Identifier: Apache-2.0
// A network is built once for all specs that have it.
#include "headway/compile/seen_networks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "headway/compile/build.h"
#include "headway/compile/memory.h"
#include "headway/config/assign.h"
#include "headway/run/sweep.h"
#include "headway/spec/write_spec.h"
#include "tests/support/point.h"

namespace headway {
namespace {

std::shared_ptr<SeenNetwork> network_of(SeenNetworks& networks, const EventSpec& spec) {
  return networks.network(spec, resolved(spec));
}
std::shared_ptr<SeenRoutes> routes_of(SeenNetworks& networks, const EventSpec& spec) {
  return networks.routes(*network_of(networks, spec), spec, resolved(spec));
}

TEST(SeenNetworks, BuildsWhatDiffersAndNothingTwice) {
  SeenNetworks networks;
  EventSpec spec;
  const std::shared_ptr<SeenNetwork> first = network_of(networks, spec);
  const std::shared_ptr<SeenRoutes> routes = routes_of(networks, spec);
  ASSERT_TRUE(routes->routes);

  EventSpec another = spec;  // differs like the points of a sweep
  another.seed = 7;
  another.traffic.flows[0].load.points[0].load = 0.5;
  another.switches.scheme = choose(schemes(), "voqnet");
  EXPECT_EQ(network_of(networks, another), first);
  EXPECT_EQ(routes_of(networks, another), routes);
  another.routing.algorithm = choose(routings(), "random-up");
  EXPECT_NE(routes_of(networks, another), routes);
  another.network.link.delay = Duration{8};
  EXPECT_NE(network_of(networks, another), first);
  EXPECT_NE(routes_of(networks, another), routes);
}

// Only the whole file of a CSV program tells the number of its ranks.
TEST(SeenNetworks, CountTheRanksOfAFileOnce) {
  const std::string path = testing::TempDir() + "seen_ranks.csv";
  std::ofstream(path) << "rank,kind,peer,bytes\n0,send,5,8\n5,receive,0,8\n";
  EventSpec spec;
  JobSpec& job = spec.traffic.jobs.emplace_back();
  job.program = choose(programs(), "csv", {{"file", path}});
  SeenNetworks networks;
  const auto ranks = [&] { return networks.ranks(spec.traffic.jobs.front(), 0, resolved(spec)); };
  EXPECT_EQ(ranks(), 6U);
  std::filesystem::remove(path);
  EXPECT_EQ(ranks(), 6U);
  job.iterations = 7;  // as in a sweep
  EXPECT_EQ(ranks(), 6U);
  EXPECT_EQ(SeenNetworks().ranks(job, 0, resolved(spec)), std::nullopt);
}

TEST(SeenNetworks, SelectionsShareTheRoutesThatTheySelectFrom) {
  SeenNetworks networks;
  EventSpec spec;
  spec.routing.algorithm = choose(routings(), "adaptive");
  const auto selection_of = [&] { return network_of(networks, spec)->selection(spec, resolved(spec)).rule; };
  const std::shared_ptr<SeenRoutes> routes = routes_of(networks, spec);
  EXPECT_TRUE(std::holds_alternative<Sadp>(selection_of().own));
  spec.routing.selection = choose(selections(), "mc");
  spec.routing.free_output = FreeOutput::now;
  EXPECT_EQ(routes_of(networks, spec), routes);
  EXPECT_TRUE(std::holds_alternative<MostCredits>(selection_of().own));
  EXPECT_EQ(selection_of().free, FreeOutput::now);

  // routes with different parameters are not shared
  spec.network.topology = choose(topologies(), "mesh", {});
  spec.routing.algorithm = choose(routings(), "dor", {{"order", std::vector<std::int64_t>{0, 1}}});
  const std::shared_ptr<SeenRoutes> in_order = routes_of(networks, spec);
  spec.routing.algorithm = choose(routings(), "dor", {{"order", std::vector<std::int64_t>{1, 0}}});
  EXPECT_NE(routes_of(networks, spec), in_order);
}

TEST(SeenNetworks, KnowsThatAFileHasChanged) {
  const std::string path = testing::TempDir() + "seen_networks_test.toml";
  const auto spec_with_nodes = [&](int nodes) {
    std::ofstream file(path);
    file << "[[switch]]\n";
    for (int node = 0; node < nodes; ++node) file << "[[node]]\nat = \"0\"\n";
    file.close();
    EventSpec spec;
    spec.network.topology = choose(topologies(), "file", {{"file", path}});
    return spec;
  };
  SeenNetworks networks;
  EXPECT_EQ(network_of(networks, spec_with_nodes(3))->nodes, 3U);
  EXPECT_EQ(network_of(networks, spec_with_nodes(5))->nodes, 5U);
}

// Enough for so many graphs of the default network.
std::uint64_t bytes_of_graphs(std::uint64_t count) {
  return count * graph_memory(*EventSpec{}.network.topology);
}

TEST(SeenNetworks, ServesManyThreads) {
  SeenNetworks networks(bytes_of_graphs(1));
  std::vector<const Graph*> graphs(8);
  {
    std::vector<std::jthread> threads;
    for (const Graph*& graph : graphs)
      threads.emplace_back([&] { graph = build(EventSpec{}, networks).network.shared_graph.get(); });
  }
  EXPECT_EQ(graphs, std::vector(8, graphs[0]));
  EXPECT_FALSE(networks.left_out());
}

TEST(SeenNetworks, ServesACheckAndItsRun) {
  SeenNetworks networks(bytes_of_graphs(1));
  EventSpec spec;
  const Model model = build(spec, networks);
  EXPECT_EQ(model.network.shared_graph, network_of(networks, spec)->graph);
  EXPECT_FALSE(networks.left_out());
}

TEST(SeenNetworks, ServesTheRunsOfASweep) {
  EventSpec spec;
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{1000};
  Experiment experiment;
  experiment.networks = std::make_shared<SeenNetworks>(bytes_of_graphs(2));
  experiment.seeds = 3;
  for (const double load : {0.1, 0.2}) {
    spec.traffic.flows[0].load.points[0].load = load;
    experiment.points.push_back(make_point({}, spec));
  }
  spec.network.link.delay = Duration{8};
  experiment.points.push_back(make_point({}, spec));
  SweepOptions options;
  options.jobs = 2;
  const TakeResult take = [](const Task&, const Result&) { return std::vector<Task>(); };
  EXPECT_TRUE(run_sweep(experiment, all_tasks(experiment), take, options));
  EXPECT_FALSE(experiment.networks->left_out());
}

TEST(SeenNetworks, CountsSourcesOnce) {
  SeenNetworks networks;
  EventSpec spec;
  spec.traffic.flows[0].sources = {.kind = NodeSet::Kind::fraction, .fraction = 0.25};
  const std::shared_ptr<SeenNetwork> network = network_of(networks, spec);
  const SeenSources sources = network->sources(spec, resolved(spec));
  EXPECT_EQ(sources.count, std::vector<std::size_t>{network->nodes / 4});
  EXPECT_TRUE(sources.wrong.empty());
  spec.traffic.flows[0].sources = {.kind = NodeSet::Kind::first, .first = 1'000'000};
  const SeenSources none = network->sources(spec, resolved(spec));
  ASSERT_EQ(none.wrong.size(), 1U);
  EXPECT_EQ(none.wrong[0].key, "traffic.flow[0].sources");
}

TEST(SeenNetworks, ForgetsBeforeTheyFillTheMemory) {
  SeenNetworks networks;
  std::weak_ptr<SeenNetwork> first;
  for (int delay = 1; delay <= 20; ++delay) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 16}, {"n", 4}});
    spec.network.link.delay = Duration{delay};
    const std::shared_ptr<SeenNetwork> network = network_of(networks, spec);
    EXPECT_TRUE(network->graph);
    EXPECT_LE(networks.held(), 512U << 20);
    if (delay == 1) first = network;
  }
  EXPECT_TRUE(first.expired());
  networks.keep_at_most(32 << 20);
  EXPECT_LE(networks.held(), 32U << 20);
}

TEST(SeenNetworks, BuildsNoMoreThanItMay) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 8}, {"n", 4}});
  SeenNetworks networks(graph_memory(*spec.network.topology) * 3 / 2);
  EXPECT_TRUE(network_of(networks, spec)->graph);
  EXPECT_FALSE(networks.left_out());
  spec.network.link.delay = Duration{8};
  const std::shared_ptr<SeenNetwork> second = network_of(networks, spec);
  EXPECT_FALSE(second->graph);
  EXPECT_TRUE(networks.left_out());
  EXPECT_EQ(second->nodes, 4096U);
  EXPECT_TRUE(second->wrong.empty());
}

}  // namespace
}  // namespace headway
