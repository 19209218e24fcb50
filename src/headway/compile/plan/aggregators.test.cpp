// SPDX-License-Identifier: Apache-2.0
// Jobs whose data switches reduce: what is refused, and how results number and name aggregators.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/compile/plan.h"
#include "headway/config/toml.h"
#include "headway/metrics/root_name.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kSum = "[[traffic.job]]\nalgorithm = \"in-network\"\n";

EventSpec spec_with_aggregators(const std::string& network, const std::string& more = "") {
  return std::get<EventSpec>(
      load_experiment(parse_toml("network.topology = " + network + "\n" + std::string(kSum) + more, "x"), {})
          .points.front()
          .spec());
}
std::string refusal_of_aggregators(const std::string& network, const std::string& more = "") {
  try {
    spec_with_aggregators(network, more);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(PlanOfAggregators, RefusesWhatAggregatorsCannotBeUsedWith) {
  const std::string tree = "\"k-ary-n-tree\"\nnetwork.k = 2\nnetwork.n = 2";
  EXPECT_EQ(refusal_of_aggregators(tree), "");
  EXPECT_THAT(refusal_of_aggregators("\"dragonfly\""), HasSubstr("\"minimal\" has 2 lanes"));
  EXPECT_THAT(refusal_of_aggregators("\"omega\""), HasSubstr("need links in both directions"));
  EXPECT_THAT(refusal_of_aggregators(tree + "\nmeasure.tables = [\"per-pair\"]"),
              HasSubstr("\"per-pair\" cannot be used where switches reduce"));
  EXPECT_THAT(refusal_of_aggregators(tree, "exclusive = true\n"),
              HasSubstr("must be known before it gets its nodes"));
  EXPECT_THAT(refusal_of_aggregators(tree + "\nrouting.reroute_after = \"1 us\""),
              HasSubstr("keep their links when other routes change"));
  EXPECT_THAT(
      refusal_of_aggregators(tree + "\nnetwork.failures = { links = 0.1, unreachable = \"reported\" }"),
      HasSubstr("\"reported\" cannot be used where switches reduce"));
  EXPECT_THAT(refusal_of_aggregators(tree, "[[traffic.job]]\nalgorithm = \"ring\"\nsegment = \"4 KiB\"\n"),
              HasSubstr("the algorithm \"ring\" has no segments"));
  EXPECT_THAT(refusal_of_aggregators("\"rails\"\nnetwork.spines = 0\nnetwork.scale_up_switches = 0"),
              HasSubstr("no switch reaches all ranks"));
}

// The number of an aggregator is that of its switch after the nodes.
TEST(PlanOfAggregators, ResultsNumberAggregatorsAfterNodes) {
  const Result result = run(spec_with_aggregators("\"k-ary-n-tree\"\nnetwork.k = 2\nnetwork.n = 2"));
  const std::vector<double>& nodes = find_column(result.tables.at("per_rank"), "at_node")->values;
  EXPECT_THAT(nodes, ElementsAre(0, 1, 2, 3, 4 + 2, 4 + 0, 4 + 1)) << "the root first, then the leaves";
  EXPECT_THAT(find_column(result.tables.at("per_rank"), "overhead_ns")->values, Each(0));
  const NetworkNames names{.switches = {}, .nodes = {}, .node_count = 4};
  EXPECT_EQ(node_text(3, names), "node 3");
  EXPECT_EQ(node_text(6, names), "the aggregator of switch 2");
}

// Aggregators send and receive without the time that CPUs of ranks take.
TEST(PlanOfAggregators, AggregatorsHaveNoOverhead) {
  const std::string tree = "\"k-ary-n-tree\"\nnetwork.k = 2\nnetwork.n = 2";
  const auto makespan = [&](const char* overhead) {
    return run(spec_with_aggregators(tree,
                                     "size = \"1 KiB\"\noverhead = \"" + std::string(overhead) + "\"\n"))
        .metric("makespan_ns");
  };
  EXPECT_EQ(makespan("50 ns"), makespan("0 ns") + 2 * 50) << "a send and a receive of a rank";
}

// What is about the network is the same whatever runs on it.
TEST(PlanOfAggregators, TheNetworkAloneHasNone) {
  const EventSpec spec = spec_with_aggregators("\"k-ary-n-tree\"\nnetwork.k = 2\nnetwork.n = 2");
  EXPECT_EQ(plan_of(spec).graph->max_radix(), 4U + 3U);
  const Plan alone = plan_of_network_alone(spec);
  EXPECT_EQ(alone.graph->max_radix(), 4U);
  EXPECT_TRUE(alone.graph->hosts().none());
}

// The names of nodes are those of their file, also where aggregators are hosts.
TEST(PlanOfAggregators, EventsNameNodesAsTheFileDoes) {
  const InputFile file =
      InputFile::in_memory("two", "net.toml",
                           "[[switch]]\nname = \"s\"\nports = 2\n[[node]]\nname = \"alice\"\nat = "
                           "\"s\"\n[[node]]\nname = \"bob\"\nat = \"s\"\n");
  const auto mistake = [&](const std::string& node) {
    const std::string text = fmt::format(
        "network = {{ topology = \"file\", file = \"{}\" }}\n{}[[event]]\nnode = \"{}\"\nat = \"1 "
        "us\"\nlasts = \"1 us\"\n",
        file.path(), kSum, node);
    try {
      load_experiment(parse_toml(text, "x"), {}, {.files = {{file.path(), file}}});
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(mistake("bob"), "");
  EXPECT_THAT(mistake("carol"), HasSubstr("carol"));
}

}  // namespace
}  // namespace headway
