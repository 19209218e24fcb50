// SPDX-License-Identifier: Apache-2.0
#include "headway/metrics/waiting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "headway/config/assign.h"
#include "headway/config/names.h"
#include "headway/metrics/critical_path.h"
#include "headway/metrics/metric.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

TEST(Waiting, TheErrorOfPhotographsNamesAllThatItAddsUp) {
  const Metric* const error = find_metric("photograph_error_ns");
  ASSERT_NE(error, nullptr);
  for (const std::string_view name : kNames<Waiting>)
    EXPECT_THAT(std::string(error->help),
                testing::HasSubstr(name == "hol" ? "head-of-line blocking" : std::string(name)));
}

// A tree of k * k nodes with one queue per port, more traffic than it carries, and photographs.
Result saturated_tree(int k, const Duration& interval = {500}) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", 2}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.scheme = choose(schemes(), "1q");
  spec.traffic.flows.front().load = {.points = {{Duration{0}, 1.0}}};
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{20'000};
  spec.measure.bin = Duration{2'000};
  spec.observe.waiting = true;
  spec.observe.interval = interval;
  return run(spec);
}

std::map<double, int> rows_at(const Table& table) {
  std::map<double, int> rows;
  for (const double time : test::column(table, "time_ns")) ++rows[time];
  return rows;
}

// The sum of a column of the rows of each bin.
std::map<double, double> sums_at(const Table& table, std::string_view column) {
  std::map<double, double> sums;
  const std::vector<double>& times = test::column(table, "time_ns");
  for (std::size_t row = 0; row < times.size(); ++row) sums[times[row]] += test::column(table, column)[row];
  return sums;
}

TEST(TreeSeries, AddsUpToTheSeries) {
  const Result result = saturated_tree(4);
  const Table& trees = result.table("tree_series");
  ASSERT_FALSE(test::column(trees, "time_ns").empty());
  for (const auto& [column, total] :
       {std::pair{"packets", "tree_packets"}, {"queues", "tree_queues"}, {"ports", "tree_ports"}}) {
    std::map<double, double> sums = sums_at(trees, column);
    const std::vector<double>& totals = test::column(result.table("series"), total);
    for (std::size_t bin = 0; bin < totals.size(); ++bin)
      EXPECT_NEAR(sums[test::column(result.table("series"), "time_ns")[bin]], totals[bin], 1e-9)
          << column << ' ' << bin;
  }
}

TEST(TreeSeries, NamesRowsOfTheTableOfTrees) {
  const Result result = saturated_tree(4);
  const Table &series = result.table("tree_series"), &trees = result.table("trees");
  for (std::size_t row = 0; row < test::column(series, "tree").size(); ++row) {
    const auto tree = static_cast<std::size_t>(test::column(series, "tree")[row]);
    ASSERT_LT(tree, test::column(trees, "tree").size());
    EXPECT_EQ(test::column(trees, "tree")[tree], static_cast<double>(tree));
    EXPECT_EQ(test::words(trees, "kind")[tree], test::words(series, "kind")[row]);
    EXPECT_EQ(test::column(trees, "port")[tree], test::column(series, "port")[row]);
    const double end = test::column(series, "time_ns")[row], death = test::column(trees, "death_ns")[tree];
    EXPECT_LE(test::column(trees, "birth_ns")[tree], end);
    EXPECT_TRUE(std::isnan(death) || death > end - 2'000);
  }
}

// The kept trees have more than a proportional share of the packets.
TEST(TreeSeries, KeepsTheLargestTreesOfABin) {
  const Result result = saturated_tree(16, {2'000});  // a photograph per bin
  std::map<double, double> shown = sums_at(result.table("tree_series"), "packets");
  std::map<double, int> rows = rows_at(result.table("tree_series"));
  std::size_t full = 0;
  for (std::size_t bin = 0; bin < test::column(result.table("series"), "time_ns").size(); ++bin) {
    const double end = test::column(result.table("series"), "time_ns")[bin],
                 trees = test::column(result.table("series"), "trees")[bin];
    constexpr auto kMost = static_cast<double>(kMostTreesOfABin);
    ASSERT_EQ(rows[end], std::min(trees, kMost));
    if (trees <= kMost) continue;
    ++full;
    EXPECT_GT(shown[end] / test::column(result.table("series"), "tree_packets")[bin], kMost / trees);
  }
  EXPECT_GT(full, 0U);
}

}  // namespace
}  // namespace headway
