// SPDX-License-Identifier: Apache-2.0
// Max-min fair shares of networks that can be computed by hand, and the index of Jain et al.
#include "headway/metrics/fairness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "headway/config/assign.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

PairLinks crossing(const std::vector<std::vector<std::uint32_t>>& links_of_pair) {
  PairLinks links;
  for (const auto& pair : links_of_pair) {
    for (const std::uint32_t link : pair) links.uses.push_back({link, 1.0});
    links.first.push_back(links.uses.size());
  }
  return links;
}

void expect_rates(const std::vector<double>& rates, const std::vector<double>& expected) {
  ASSERT_EQ(rates.size(), expected.size());
  for (std::size_t pair = 0; pair < rates.size(); ++pair)
    EXPECT_NEAR(rates[pair], expected[pair], 1e-12) << pair;
}

TEST(MaxMin, FillsTheTextbookNetwork) {
  // after the example of Bertsekas and Gallager, section 6.5.2: links of capacity 1; sessions 2, 3 and 5
  // share link 1 and get 1/3, session 1 then has 2/3 left on link 0 beside session 2, and session 4 all of
  // link 2
  expect_rates(max_min_rates(std::vector<double>{1, 1, 1}, crossing({{0}, {0, 1}, {1}, {2}, {1}}),
                             std::vector<double>{9, 9, 9, 9, 9}),
               {2. / 3, 1. / 3, 1. / 3, 1, 1. / 3});
}

TEST(MaxMin, GivesWhatIsAskedForWhereThereIsRoom) {
  // the first pair demands 0.1; the others share the rest of link 0, but link 1 stops one of them earlier
  expect_rates(max_min_rates(std::vector<double>{1, 0.2}, crossing({{0}, {0}, {0, 1}}),
                             std::vector<double>{0.1, 2, 2}),
               {0.1, 0.7, 0.2});
  expect_rates(max_min_rates(std::vector<double>{1}, crossing({{0}, {0}}), std::vector<double>{0.25, 0.5}),
               {0.25, 0.5});
  EXPECT_TRUE(max_min_rates(std::vector<double>{1}, crossing({}), {}).empty());
}

TEST(MaxMin, LetsAParkingLotShareItsExitEvenly) {
  expect_rates(max_min_rates(std::vector<double>{1, 1, 1}, crossing({{0, 1, 2}, {1, 2}, {2}}),
                             std::vector<double>{1, 1, 1}),
               {1. / 3, 1. / 3, 1. / 3});
}

TEST(MaxMin, CountsSplitTrafficByItsShare) {
  // half of the traffic of pair 0 and all traffic of pair 1 crosses link 0
  PairLinks links;
  links.uses = {{0, 0.5}, {1, 0.5}, {0, 1.0}};
  links.first = {0, 2, 3};
  expect_rates(max_min_rates(std::vector<double>{1, 1}, links, std::vector<double>{9, 0.75}),
               {2. / 3, 2. / 3});
  expect_rates(max_min_rates(std::vector<double>{1, 1}, links, std::vector<double>{9, 0.5}), {1.0, 0.5});
}

TEST(LinksOf, FollowEveryCandidate) {
  // 2-ary 2-tree: two switches lead from 0 to 3; det takes the one given by a digit of the destination
  const auto tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}});
  const PairDemand pair{0, 3, 1.0};
  for (const char* routing : {"det", "random-up"}) {
    const Network network = test::network_of(tree, routing, choose(schemes(), "1q"), {});
    const PairLinks links = links_of(network, std::span(&pair, 1));
    double sum = 0, most = 0;
    for (const auto& use : links.of(0)) {
      sum += use.share;
      if (!network.graph.is_node_port(use.link) && network.graph.switch_of(use.link) >= 2)
        most = std::max(most, use.share);
    }
    EXPECT_DOUBLE_EQ(sum, 4.0) << routing << ": each of four links is crossed once";
    EXPECT_DOUBLE_EQ(most, routing == std::string("det") ? 1.0 : 0.5) << routing;
  }
}

TEST(Demands, AddUpFlowsByTheirMeanLoad) {
  Workload workload;
  Flow steady;
  steady.destinations = test::each_to({1, 2, 0});
  steady.load = compile({.points = {{0, 0.5}}}, 64);
  steady.bytes_per_tick = 1;
  Flow burst = steady;
  burst.load = compile({.points = {{0, 1.0}}, .start = 100, .stop = 150}, 64);
  workload.flows = {steady, burst};
  workload.sources = {{0, 0}, {1, 0}, {0, 1}};
  const std::vector<PairDemand> pairs = demands(workload, 0, 200);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].source, 0U);
  EXPECT_EQ(pairs[0].destination, 1U);
  EXPECT_DOUBLE_EQ(pairs[0].bytes_per_tick, 0.75);
  EXPECT_DOUBLE_EQ(pairs[1].bytes_per_tick, 0.5);
}

TEST(JainIndex, GoesFromOneToOneByN) {
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{3, 3, 3}), 1.0);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{0, 5, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{1, 2}), 0.9);
  EXPECT_TRUE(std::isnan(jain_index(std::vector<double>{0, 0})));
}

TEST(FairnessMetrics, NameTheVictims) {
  const std::vector<Portion> portions = {
      {0.9, 4.0, 1.0, false}, {0.05, 0.1, 0.1, true}, {0.1, 0.1, 0.1, false}, {0, 0, 0, false}};
  const auto value = [&](std::string_view name) {
    for (const FairnessMetric& metric : fairness_metrics())
      if (metric.metric.name == name) return metric.value(portions);
    return std::nan("");
  };
  EXPECT_EQ(value("victims"), 1);
  EXPECT_DOUBLE_EQ(value("worst_part"), 0.5);
  EXPECT_DOUBLE_EQ(value("jain_index"), 2.4 * 2.4 / (3 * (0.81 + 0.25 + 1)));
  EXPECT_DOUBLE_EQ(value("fair_efficiency"), 0.3);
}

}  // namespace
}  // namespace headway
