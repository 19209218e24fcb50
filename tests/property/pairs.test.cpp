// SPDX-License-Identifier: Apache-2.0
// The values of all pairs of source and destination add up to those of destinations and of the whole network.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "headway/compile/memory.h"
#include "headway/compile/run_scope.h"
#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

constexpr double kNodes = 16;

EventSpec tree(std::string_view routing, std::string_view scheme, double load) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.routing.algorithm = choose(routings(), routing);
  spec.switches.scheme = choose(schemes(), scheme);
  spec.traffic.flows.front().load.points.front().load = load;
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{40'000};
  spec.measure.bin = Duration{10'000};
  spec.measure.tables.insert("per-pair");
  return spec;
}

// Sums over sources give the load of a destination in a bin; sums over bins give the load of a pair in the
// window. A pair without deliveries has no row.
TEST(Pairs, OverTimeAddUp) {
  EventSpec spec = tree("det", "dbbm", 0.5);
  spec.measure.tables = {"pair-series", "destination-series", "per-pair"};
  const Result result = run(spec);
  const auto& load = test::column(result.table("pair_series"), "accepted_load");
  std::map<std::pair<double, double>, double> of_destination;  // time, destination
  std::map<double, double> of_pair;
  double before = -1;
  for (std::size_t row = 0; row < load.size(); ++row) {
    const double time = test::column(result.table("pair_series"), "time_ns")[row];
    const double destination = test::column(result.table("pair_series"), "destination")[row];
    const double pair = test::column(result.table("pair_series"), "source")[row] * kNodes + destination;
    EXPECT_GT(load[row], 0);
    EXPECT_GT(time * kNodes * kNodes + pair, before);  // rows are in order and unique
    before = time * kNodes * kNodes + pair;
    of_destination[{time, destination}] += load[row];
    if (time > 10'000) of_pair[pair] += load[row] / 4;
  }
  const auto& times = test::column(result.table("destination_series"), "time_ns");
  ASSERT_EQ(times.size(), 5U);
  for (std::size_t bin = 0; bin < times.size(); ++bin)
    for (int node = 0; node < static_cast<int>(kNodes); ++node) {
      const auto& of_node =
          test::column(result.table("destination_series"), "accepted_load_" + std::to_string(node));
      EXPECT_NEAR((of_destination[{times[bin], node}]), of_node[bin], 1e-12);
    }
  for (const double pair : test::column(result.table("per_pair"), "pair"))
    EXPECT_NEAR(of_pair[pair],
                test::column(result.table("per_pair"), "accepted_load")[static_cast<std::size_t>(pair)],
                1e-12);
  EXPECT_LE(static_cast<double>(load.size()), most_pair_rows(spec, spec.network.link.rate));
}

TEST(Pairs, HaveTheDisorderOfTheNetwork) {
  const auto disorder = [](const EventSpec& spec) {
    const Result result = run(spec);
    const auto& of_pair = test::column(result.table("per_pair"), "out_of_order_packets");
    EXPECT_EQ(std::accumulate(of_pair.begin(), of_pair.end(), 0.0), result.metric("out_of_order_packets"));
    EXPECT_EQ(std::ranges::max(of_pair), result.metric("out_of_order_pair_max"));
    EXPECT_EQ(std::ranges::count_if(of_pair, [](double packets) { return packets > 0; }),
              result.metric("out_of_order_pairs"));
    return result.metric("out_of_order_packets");
  };
  EXPECT_GT(disorder(tree("random-up", "1q", 0.9)), 0);
  EventSpec adaptive = tree("adaptive", "1q", 0.9);
  adaptive.routing.selection = choose(selections(), "rp");
  EXPECT_GT(disorder(adaptive), 0);
  EXPECT_EQ(disorder(tree("det", "1q", 0.9)), 0);
}

}  // namespace
}  // namespace headway
