// SPDX-License-Identifier: Apache-2.0
// Each pattern's distribution, by counting draws, and the mistakes it reports.
#include "headway/traffic/pattern.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "headway/config/assign.h"

namespace headway {
namespace {

std::vector<int> histogram(const Destinations& destinations, std::uint32_t nodes, NodeId source, int draws) {
  std::vector<int> count(nodes, 0);
  Rng rng(5, source);
  for (int draw = 0; draw < draws; ++draw) ++count[destinations.next(source, rng)];
  return count;
}

// Pearson's statistic against expected shares; its mean is the number of cells with a share, less one.
double chi_square(const std::vector<int>& count, const std::vector<double>& share, int draws) {
  double sum = 0;
  for (std::size_t cell = 0; cell < count.size(); ++cell) {
    const double expected = share[cell] * draws;
    if (expected == 0)
      EXPECT_EQ(count[cell], 0);
    else
      sum += (count[cell] - expected) * (count[cell] - expected) / expected;
  }
  return sum;
}

TEST(Pattern, DrawsItsDistribution) {
  constexpr std::uint32_t kNodes = 8;
  constexpr int kDraws = 80000;
  constexpr NodeId kSource = 3;
  constexpr double kLimit = 24.3;  // exceeded with probability 0.001 at 7 degrees of freedom
  const NodeSet some{NodeSet::Kind::nodes, 1.0, 0, {6, 3, 0}}, half{NodeSet::Kind::fraction, 0.5, 0, {}};
  using Weights = std::vector<double>;
  const std::pair<Choice<Pattern>, std::vector<double>> cases[] = {
      {choose(patterns(), "set", {{"destinations", some}}), {0.5, 0, 0, 0, 0, 0, 0.5, 0}},
      {choose(patterns(), "set", {{"destinations", some}, {"include_self", true}}),
       {1 / 3., 0, 0, 1 / 3., 0, 0, 1 / 3., 0}},
      {choose(patterns(), "set", {{"destinations", half}}), {0, 1 / 3., 0, 0, 0, 1 / 3., 0, 1 / 3.}},
      {choose(patterns(), "set"), {1 / 7., 1 / 7., 1 / 7., 0, 1 / 7., 1 / 7., 1 / 7., 1 / 7.}},
      // weights are in the order of the list; the source is its second node, with most of the weight
      {choose(patterns(), "set", {{"destinations", some}, {"weights", Weights{3, 8, 1}}}),
       {0.25, 0, 0, 0, 0, 0, 0.75, 0}},
      {choose(patterns(), "set", {{"destinations", some}, {"weights", Weights{5, 2, 3}}}),
       {3 / 8., 0, 0, 0, 0, 0, 5 / 8., 0}},
      {choose(patterns(), "set", {{"destinations", half}, {"weights", Weights{1, 2, 3, 4}}}),
       {0, 1 / 8., 0, 0, 0, 3 / 8., 0, 4 / 8.}},
      {choose(patterns(), "uniform"), {1 / 7., 1 / 7., 1 / 7., 0, 1 / 7., 1 / 7., 1 / 7., 1 / 7.}},
      {choose(patterns(), "uniform", {{"include_self", true}}), std::vector<double>(8, 1 / 8.)},
      {choose(patterns(), "hotspot", {{"destination", 6}}), {0, 0, 0, 0, 0, 0, 1, 0}},
      {choose(patterns(), "hotspot", {{"destination", 6}, {"fraction", 0.3}}),
       {0.1, 0.1, 0.1, 0, 0.1, 0.1, 0.4, 0.1}},
      {choose(patterns(), "hotspot", {{"destination", 3}, {"fraction", 0.3}}),  // the hot node itself
       {1 / 7., 1 / 7., 1 / 7., 0, 1 / 7., 1 / 7., 1 / 7., 1 / 7.}},
      {choose(patterns(), "complement"), {0, 0, 0, 0, 1, 0, 0, 0}},
  };
  for (const auto& [pattern, share] : cases) {
    const auto destinations = pattern->build(kNodes, 1);
    EXPECT_LT(chi_square(histogram(*destinations, kNodes, kSource, kDraws), share, kDraws), kLimit)
        << pattern.name;
    std::vector<double> said(kNodes, 0.0);
    destinations->shares(kSource, [&](NodeId destination, double s) { said[destination] += s; });
    for (NodeId node = 0; node < kNodes; ++node) EXPECT_NEAR(said[node], share[node], 1e-12) << pattern.name;
  }
}

TEST(Pattern, SaysWhatItDraws) {
  constexpr std::uint32_t kNodes = 16;
  constexpr int kDraws = 20000;
  for (const Entry<Pattern>& entry : patterns()) {
    const auto pattern = choose(patterns(), entry.name);
    Mistakes mistakes;
    pattern->check(kNodes, mistakes);
    if (!mistakes.empty()) continue;  // needs parameters
    const auto destinations = pattern->build(kNodes, 1);
    for (const NodeId source : {0U, 5U}) {
      std::vector<double> share(kNodes, 0.0);
      destinations->shares(source, [&](NodeId destination, double s) { share[destination] += s; });
      Rng rng(5, source);
      if (destinations->next(source, rng) == kNone) {
        EXPECT_EQ(share, std::vector<double>(kNodes, 0.0)) << entry.name;
        continue;
      }
      const std::vector<int> count = histogram(*destinations, kNodes, source, kDraws);
      for (NodeId node = 0; node < kNodes; ++node)  // five standard deviations
        EXPECT_NEAR(count[node], share[node] * kDraws, 5 * std::sqrt(share[node] * kDraws))
            << entry.name << ": " << source << " to " << node;
    }
  }
}

TEST(Set, IsDrawnOnceFromTheSeed) {
  const auto drawn = [](std::uint64_t seed) {
    const auto destinations =
        choose(patterns(), "set", {{"destinations", NodeSet{NodeSet::Kind::random, 0.1, 0, {}}}})
            ->build(100, seed);
    std::set<NodeId> all;
    for (const NodeId source : {0U, 50U})
      destinations->shares(source, [&](NodeId destination, double) { all.insert(destination); });
    return all;
  };
  EXPECT_EQ(drawn(1).size(), 10U);
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(Set, IsUniformTrafficOfAllNodes) {
  const auto set = choose(patterns(), "set")->build(16, 1),
             uniform = choose(patterns(), "uniform")->build(16, 1);
  Rng a(1, 2), b(1, 2);
  for (int draw = 0; draw < 1000; ++draw) EXPECT_EQ(set->next(3, a), uniform->next(3, b));
}

TEST(Set, ASourceWithoutAnotherDestinationIsSilent) {
  const NodeSet one{NodeSet::Kind::nodes, 1.0, 0, {3}}, two{NodeSet::Kind::nodes, 1.0, 0, {3, 4}};
  Rng rng(1, 2);
  EXPECT_EQ(choose(patterns(), "set", {{"destinations", one}})->build(8, 1)->next(3, rng), kNone);
  EXPECT_EQ(choose(patterns(), "set", {{"destinations", two}, {"weights", std::vector<double>{1, 0}}})
                ->build(8, 1)
                ->next(3, rng),
            kNone);
}

TEST(Hotspot, KeepsTheHotNodeSilentIfAllMessagesAreHot) {
  Rng rng(1, 1);
  EXPECT_EQ(choose(patterns(), "hotspot", {{"destination", 3}})->build(8, 1)->next(3, rng), kNone);
}

TEST(Complement, InvertsNodeNumbers) {
  Rng rng(1, 1);
  const auto destinations = choose(patterns(), "complement")->build(7, 1);
  const NodeId expected[] = {6, 5, 4, kNone, 2, 1, 0};
  for (NodeId node = 0; node < 7; ++node) EXPECT_EQ(destinations->next(node, rng), expected[node]);
}

std::vector<NodeId> destinations_of(const Pattern& pattern, std::uint32_t nodes, std::uint64_t seed) {
  Rng rng(1, 1);
  const auto destinations = pattern.build(nodes, seed);
  std::vector<NodeId> result;
  for (NodeId node = 0; node < nodes; ++node) result.push_back(destinations->next(node, rng));
  return result;
}

TEST(Permutation, IsABijectionWithoutFixedPoints) {
  const auto pattern = choose(patterns(), "permutation");
  for (const std::uint32_t nodes : {2U, 3U, 16U, 1000U}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto destination_of = destinations_of(*pattern, nodes, seed);
      for (NodeId node = 0; node < nodes; ++node) EXPECT_NE(destination_of[node], kNone);
      EXPECT_EQ(std::set<NodeId>(destination_of.begin(), destination_of.end()).size(), nodes);
    }
  }
}

TEST(Permutation, DrawsEveryDerangementEquallyOften) {
  const auto pattern = choose(patterns(), "permutation");
  constexpr int kDraws = 9000;
  std::map<std::vector<NodeId>, int> count;
  for (int seed = 0; seed < kDraws; ++seed)
    ++count[destinations_of(*pattern, 4, static_cast<std::uint64_t>(seed))];
  EXPECT_EQ(count.size(), 9U);  // of four nodes
  for (const auto& [permutation, times] : count) EXPECT_NEAR(times, kDraws / 9, 5 * std::sqrt(kDraws / 9));
}

TEST(Permutation, FollowsAList) {
  const auto pattern = choose(patterns(), "permutation", {{"list", std::vector<std::int64_t>{2, 1, 0}}});
  EXPECT_EQ(destinations_of(*pattern, 3, 1), (std::vector<NodeId>{2, kNone, 0}));
}

TEST(Permutation, FollowsAFile) {
  const std::string path = testing::TempDir() + "permutation.txt";
  std::ofstream(path) << "2 1\n0\n";
  const auto pattern = choose(patterns(), "permutation", {{"file", path}});
  Mistakes mistakes;
  pattern->check(3, mistakes);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(destinations_of(*pattern, 3, 1), (std::vector<NodeId>{2, kNone, 0}));
  std::ofstream(path) << "2 1 none";
  // new choices, because the first one keeps the file that it read
  choose(patterns(), "permutation", {{"file", path}})->check(3, mistakes);
  choose(patterns(), "permutation", {{"file", path + ".none"}})->check(3, mistakes);
  EXPECT_EQ(mistakes.list().size(), 2U);
}

TEST(Pattern, ReportsEveryMistake) {
  using List = std::vector<std::int64_t>;
  const struct {
    Choice<Pattern> pattern;
    std::uint32_t nodes;
    std::vector<std::string> keys;
  } cases[] = {
      {choose(patterns(), "uniform"), 1, {"pattern"}},
      {choose(patterns(), "uniform", {{"include_self", true}}), 1, {}},
      {choose(patterns(), "hotspot", {{"destination", 8}}), 8, {"destination"}},
      {choose(patterns(), "hotspot", {{"destination", 7}}), 8, {}},
      {choose(patterns(), "set", {{"destinations", NodeSet{NodeSet::Kind::nodes, 1.0, 0, {8, 3, 3}}}}),
       8,
       {"destinations", "destinations"}},
      {choose(patterns(), "set", {{"destinations", NodeSet{NodeSet::Kind::rest, 1.0, 0, {}}}}),
       8,
       {"destinations"}},
      {choose(patterns(), "set", {{"destinations", NodeSet{NodeSet::Kind::fraction, 0.01, 0, {}}}}),
       8,
       {"destinations"}},
      {choose(patterns(), "set", {{"weights", std::vector<double>{1, 2}}}), 8, {"weights"}},
      {choose(patterns(), "set", {{"weights", std::vector<double>{0, 0}}}), 2, {"weights"}},
      {choose(patterns(), "set"), 1, {"destinations"}},
      {choose(patterns(), "permutation"), 1, {"pattern"}},
      {choose(patterns(), "permutation", {{"list", List{1, 0}}}), 3, {"list"}},
      {choose(patterns(), "permutation", {{"list", List{1, 3, -1, 1}}}), 3, {"list", "list", "list", "list"}},
  };
  for (const auto& c : cases) {
    Mistakes mistakes;
    c.pattern->check(c.nodes, mistakes);
    std::vector<std::string> keys;
    for (const Mistake& mistake : mistakes.list()) keys.push_back(mistake.key);
    EXPECT_EQ(keys, c.keys) << c.pattern.name;
  }
}

}  // namespace
}  // namespace headway
