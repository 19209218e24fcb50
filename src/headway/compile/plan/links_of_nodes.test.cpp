// SPDX-License-Identifier: Apache-2.0
// Nodes with several links in a spec: what is refused, groups of programs by servers, and numbers of nodes in
// results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using testing::HasSubstr;

constexpr std::string_view kServers =
    "network.topology = \"rails\"\nnetwork.servers = 2\nnetwork.gpus = 2\nmeasure.duration = \"20 us\"\n";
constexpr std::string_view kFlowOfAll = "[[traffic.flow]]\npattern = \"uniform\"\nload = 0.2\n";

EventSpec spec_of_servers(const std::string& text) {
  return std::get<EventSpec>(
      load_experiment(parse_toml(std::string(kServers) + text, "x"), {}).points.front().spec());
}
std::string refusal_of_servers(const std::string& text) {
  try {
    spec_of_servers(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(LinksOfNodes, RefuseWhatNeedsNodesWithOneLink) {
  const std::string flow(kFlowOfAll);
  EXPECT_EQ(refusal_of_servers(flow), "");
  for (const char* const key : {"measure.watch_destination = 1\n", "measure.tables = [\"fairness\"]\n",
                                "measure.tables = [\"per-pair\"]\n", "measure.tables = [\"pair-series\"]\n",
                                "network.failures = { links = 0.1, unreachable = \"reported\" }\n"})
    EXPECT_THAT(refusal_of_servers(key + flow), HasSubstr("cannot be used where nodes have several links"))
        << key;
}

// Without spines, node 0 reaches node 1 in its server and node 2 on its rail, but not node 3.
TEST(LinksOfNodes, RefuseTrafficThatHasNoWay) {
  const std::string apart = "network.spines = 0\n";
  EXPECT_THAT(
      refusal_of_servers(apart + std::string(kFlowOfAll)),
      HasSubstr(
          "x:7:11: traffic.flow[0].pattern: node 0 sends to node 3, and no links of theirs are joined"));
  EXPECT_EQ(refusal_of_servers(apart + "[[traffic.flow]]\npattern = \"permutation\"\nlist = [1, 0, 3, 2]\n"),
            "")
      << "only some of the nodes have to reach each other";
  EXPECT_THAT(refusal_of_servers(apart + "[[traffic.job]]\nprogram = \"all-to-all\"\n"),
              HasSubstr("node 0 of rank 0 has no path to node 3 of rank 3: no links of theirs are joined"));
  EXPECT_EQ(
      refusal_of_servers(apart + "[[traffic.job]]\nprogram = \"all-to-all\"\nalgorithm = \"hierarchical\"\n"),
      "");
}

TEST(LinksOfNodes, GiveProgramsTheirServers) {
  const auto refusal = [](const std::string& placement) {
    return refusal_of_servers("[[traffic.job]]\nprogram = \"all-reduce\"\nalgorithm = \"hierarchical\"\n" +
                              placement);
  };
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("nodes = { nodes = [2, 3, 0, 1] }"), "");
  EXPECT_EQ(refusal("nodes = { nodes = [0, 2] }"), "") << "one rank in each server";
  EXPECT_THAT(refusal("placement = \"rail\""), HasSubstr("ranks_per_group: is missing"))
      << "ranks 0 and 1 are in different servers";
  EXPECT_THAT(refusal("nodes = { nodes = [0, 1, 2] }"), HasSubstr("ranks_per_group: is missing"));
  EXPECT_EQ(refusal("placement = \"rail\"\nranks_per_group = 2"), "");
}

// A message from node 3 to node 0 crosses links 1 of both.
TEST(LinksOfNodes, AreNumberedInResults) {
  EventSpec spec = spec_of_servers(
      "measure.tables = [\"per-destination\", \"per-link\"]\n[[traffic.flow]]\nsources = { nodes = [3] "
      "}\npattern = "
      "\"permutation\"\nlist = [3, 2, 1, 0]\n");
  const Result result = run(spec);
  const Table& destinations = result.table("per_destination");
  const std::vector<double>&nodes = find_column(destinations, "destination")->values,
        links = find_column(destinations, "link")->values,
        packets = find_column(destinations, "packets_delivered")->values;
  EXPECT_EQ(nodes, (std::vector<double>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(links, (std::vector<double>{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(packets[0], 0);
  EXPECT_GT(packets[1], 0);
  const Table& all = result.table("per_link");
  for (std::size_t row = 0; row < rows_of(all); ++row)
    if (const double node = number_at(all, "from_node", row); node >= 0)
      EXPECT_EQ(number_at(all, "utilisation", row) > 0, node == 3 && number_at(all, "from_port", row) == 1)
          << row;
}

}  // namespace
}  // namespace headway
