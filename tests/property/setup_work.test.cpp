// SPDX-License-Identifier: Apache-2.0
// What a run costs before its first packet, as counts: links that routings follow, entries of their tables.
// Trees by formula need nothing; other routes at most the switches for every destination, or for every leaf
// where its nodes share them. Points of a sweep share it, runs do not repeat checks, and mistakes come first.
#include <gtest/gtest.h>

#include <string>

#include "headway/base/error.h"
#include "headway/base/work_scope.h"
#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/run/run.h"
#include "headway/topology/distances.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

Graph tree_of(std::int64_t per_leaf, std::int64_t leaves) {
  return choose(topologies(), "pgft",
                {{"children", Numbers{per_leaf, 4, leaves / 4}}, {"parents", Numbers{1, per_leaf, 4}}})
      ->build({});
}

// The same network as if it came from a file.
Graph without_shape(const Graph& graph) {
  std::vector<std::uint32_t> radix;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) radix.push_back(graph.radix(sw));
  Graph plain(graph.nodes(), radix, IrregularShape{});
  for (PortId port = 0; port < graph.ports(); ++port)
    if (graph.peer_of(port) != kNone) plain.connect_directed(port, graph.peer_of(port), {});
  return plain;
}

struct Work {
  double steps = 0;
  double bytes = 0;
};
Work work_of(const Graph& graph, std::string_view routing) {
  const WorkScope scope;
  const Routes routes = choose(routings(), routing)->build(graph);
  return {static_cast<double>(scope.steps()), static_cast<double>(routes.bytes())};
}

TEST(SetupWork, TreesByFormulaFollowNoLink) {
  for (const char* routing : {"det", "random-up", "turnaround", "adaptive", "ecmp", "spray"})
    for (const std::int64_t leaves : {16, 64, 256}) {
      const Graph graph = tree_of(16, leaves);
      const Work work = work_of(graph, routing);
      EXPECT_EQ(work.steps, 0) << routing;
      EXPECT_LE(work.bytes, (1 << 19) + 16.0 * graph.switches()) << routing;  // or a table for the caches
    }
}

// Per leaf: all ports once for a search, once more for the sets of ports, and for the ways to the leaf.
TEST(SetupWork, EqualPathsSearchOnceForEveryLeaf) {
  for (const char* routing : {"ecmp", "spray"})
    for (const std::int64_t leaves : {16, 64, 256}) {
      const Graph graph = without_shape(tree_of(16, leaves));
      const Work work = work_of(graph, routing);
      EXPECT_LE(work.steps, 4.0 * graph.ports() * leaves) << routing << ' ' << leaves;
      const double entries = std::max(1.0 * (1 << 17), 1.0 * graph.switches() * leaves);
      EXPECT_LE(work.bytes, 4 * entries + 16.0 * graph.nodes()) << routing << ' ' << leaves;
    }
}

// Nodes of a leaf share the search for links, but each has paths of its own: one entry for every switch.
TEST(SetupWork, BalancedPathsLookAtLinksOnShortestPathsForEveryNode) {
  for (const char* routing : {"up-down", "dfsssp"})
    for (const std::int64_t leaves : {16, 64}) {
      const Graph graph = without_shape(tree_of(16, leaves));
      const Work work = work_of(graph, routing);
      double between = 0;  // links upwards, which are half of those between switches, and one down per switch
      for (SwitchId sw = 0; sw < graph.switches(); ++sw)
        for_each_link_from(graph, sw, [&](PortId, SwitchId) { between += 0.5; });
      EXPECT_LE(work.steps, graph.nodes() * (between + 4.0 * graph.switches()) + 6.0 * graph.ports() * leaves)
          << routing << ' ' << leaves;
      EXPECT_LE(work.bytes, 4.0 * graph.switches() * graph.nodes() + 16.0 * graph.nodes()) << routing;
    }
}

TEST(SetupWork, LashFollowsAPathForEveryPairOfSwitches) {
  for (const std::int64_t leaves : {16, 64}) {
    const Graph graph = without_shape(tree_of(16, leaves));
    EXPECT_LE(work_of(graph, "lash").steps, 1.0 * graph.switches() * graph.ports() + 8.0 * leaves * leaves)
        << leaves;
  }
}

// 1024 nodes, up-down: a table.
constexpr std::string_view kTable =
    "network = { topology = \"pgft\", children = [16, 8, 8], parents = [1, 16, 8] }\n"
    "routing = { algorithm = \"up-down\" }\n"
    "measure = { warmup = \"0 us\", duration = \"1 us\" }\n"
    "traffic.flow = [{ load = 0.01 }]\n";

Experiment loaded(const std::string& more) {
  return load_experiment(parse_toml(std::string(kTable) + more, "x"), {});
}

TEST(SetupWork, PointsOfASweepShareIt) {
  const WorkScope once;
  loaded("");
  const std::uint64_t of_one = once.steps();
  EXPECT_GT(of_one, 100'000U);
  const WorkScope all;
  const Experiment experiment = loaded("sweep.\"traffic.flow.load\" = [0.01, 0.02, 0.03, 0.04]\n");
  EXPECT_EQ(experiment.points.size(), 4U);
  EXPECT_EQ(all.steps(), of_one);
  // and a run makes nothing again
  run(experiment.points[2].spec(), {.memo = experiment.memo.get()});
  EXPECT_EQ(all.steps(), of_one);
}

std::string mistakes_of(std::string text, std::uint64_t& steps) {
  const WorkScope scope;
  try {
    check_experiment(parse_toml(text, "x"), {});
  } catch (const SpecError& error) {
    steps = scope.steps();
    return error.what();
  }
  steps = scope.steps();
  return "";
}

// Mistakes that need no routes are told together. Those of routes that take long come when the others are
// corrected; those of small networks, whose routes take no time, come with them.
TEST(SetupWork, AMistakeCostsNoRoutes) {
  const std::string large =
      "network = { topology = \"pgft\", children = [16, 16, 16], parents = [1, 16, 16] }\n";
  const std::string small = "network = { topology = \"k-ary-n-tree\", k = 4, n = 2 }\n";
  const std::string no_root = "routing = { algorithm = \"up-down\", root = [\"top\"] }\n";
  const std::string typo = "measre = { duration = \"1 us\" }\n";
  const std::string no_job = "traffic = { job = [{ program = \"goal\", file = \"none.goal\" }] }\n";
  std::uint64_t steps = 0;

  const std::string of_small = mistakes_of(small + no_root + typo + no_job, steps);
  for (const char* part : {"measre", "top", "none.goal"})
    EXPECT_NE(of_small.find(part), std::string::npos) << part << " in " << of_small;

  const std::string of_large = mistakes_of(large + no_root + typo + no_job, steps);
  EXPECT_EQ(steps, 0U);
  for (const char* part : {"measre", "none.goal"})
    EXPECT_NE(of_large.find(part), std::string::npos) << part << " in " << of_large;
  EXPECT_EQ(of_large.find("top"), std::string::npos) << of_large;
  EXPECT_NE(mistakes_of(large + no_root, steps).find("top"), std::string::npos);

  // what no table is needed for
  const std::string unfit = mistakes_of(large + "routing = { algorithm = \"dor\" }\n" + typo, steps);
  EXPECT_NE(unfit.find("cannot route a tree"), std::string::npos) << unfit;
  EXPECT_NE(unfit.find("measre"), std::string::npos) << unfit;
  EXPECT_EQ(steps, 0U);

  // a mistake of one part, or of another point
  EXPECT_NE(mistakes_of(large + "routing = { algorithm = \"dfsssp\" }\n" + no_job, steps).find("none.goal"),
            std::string::npos);
  EXPECT_EQ(steps, 0U);
  EXPECT_NE(
      mistakes_of(large + "routing = { algorithm = \"dfsssp\" }\nsweep = { \"traffic.flow.lod\" = [0.1] }\n",
                  steps)
          .find("lod"),
      std::string::npos);
  EXPECT_EQ(steps, 0U);
}

}  // namespace
}  // namespace headway
