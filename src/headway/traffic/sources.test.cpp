// SPDX-License-Identifier: Apache-2.0
// Every kind of source set, how flows share the nodes, and every mistake they can hold.
#include "headway/traffic/sources.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headway {
namespace {

using Kind = NodeSet::Kind;

std::vector<std::vector<NodeId>> choose(const std::vector<NodeSet>& specs, std::uint32_t nodes,
                                        Mistakes& mistakes, std::uint64_t seed = 1) {
  std::vector<FlowSources> flows;
  for (const NodeSet& spec : specs) flows.push_back({spec, "flow"});
  return choose_sources(flows, nodes, seed, mistakes);
}

TEST(Sources, AreTakenInTheOrderOfTheFlows) {
  const struct {
    std::vector<NodeSet> specs;
    std::vector<std::vector<NodeId>> sources;
  } cases[] = {
      {{{}}, {{0, 1, 2, 3, 4, 5, 6, 7}}},
      {{{.kind = Kind::fraction, .fraction = 0.75}, {.kind = Kind::fraction, .fraction = 0.25}},
       {{1, 2, 3, 5, 6, 7}, {0, 4}}},
      {{{.kind = Kind::fraction, .fraction = 0.25}, {.kind = Kind::rest}}, {{3, 7}, {0, 1, 2, 4, 5, 6}}},
      {{{.kind = Kind::first, .first = 2}, {.kind = Kind::fraction, .fraction = 0.5}},
       {{0, 1}, {3, 4, 6, 7}}},
      {{{.kind = Kind::nodes, .nodes = {6, 2}}, {.kind = Kind::rest}}, {{2, 6}, {0, 1, 3, 4, 5, 7}}},
      {{{}, {.kind = Kind::first, .first = 1}, {}, {.kind = Kind::rest}},
       {{0, 1, 2, 3, 4, 5, 6, 7}, {0}, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7}}},
  };
  for (const auto& c : cases) {
    Mistakes mistakes;
    EXPECT_EQ(choose(c.specs, 8, mistakes), c.sources);
    EXPECT_TRUE(mistakes.empty());
  }
}

TEST(Sources, DrawnAtRandomDependOnTheSeedAlone) {
  const std::vector<NodeSet> specs = {{.kind = Kind::random, .fraction = 0.3},
                                      {.kind = Kind::random, .fraction = 0.7}};
  Mistakes mistakes;
  const auto sources = choose(specs, 64, mistakes);
  EXPECT_EQ(sources, choose(specs, 64, mistakes));
  EXPECT_NE(sources, choose(specs, 64, mistakes, 2));
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(sources[0].size(), 19U);  // 30 % of 64 is 19.2
  std::vector<NodeId> both = sources[0];
  both.insert(both.end(), sources[1].begin(), sources[1].end());
  std::ranges::sort(both);
  for (NodeId node = 0; node < 64; ++node) EXPECT_EQ(both[node], node);
}

TEST(Sources, ReportEveryMistake) {
  const struct {
    std::vector<NodeSet> specs;
    std::size_t mistakes;
  } cases[] = {
      {{{.kind = Kind::fraction, .fraction = 0.01}}, 1},
      {{{.kind = Kind::fraction, .fraction = 0.5}, {.kind = Kind::random, .fraction = 0.75}}, 1},
      {{{.kind = Kind::first, .first = 0}}, 1},
      {{{.kind = Kind::first, .first = 9}}, 1},
      {{{.kind = Kind::nodes}}, 1},
      {{{.kind = Kind::nodes, .nodes = {-1, 3, 3, 8}}}, 3},
      {{{.kind = Kind::first, .first = 8}, {.kind = Kind::rest}}, 1},
  };
  for (const auto& c : cases) {
    Mistakes mistakes;
    choose(c.specs, 8, mistakes);
    EXPECT_EQ(mistakes.list().size(), c.mistakes);
  }
}

}  // namespace
}  // namespace headway
