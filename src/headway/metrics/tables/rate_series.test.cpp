// SPDX-License-Identifier: Apache-2.0
// The table of rates over time agrees with the series, is bounded, and is there only if asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

// All nodes but the last send to the last one.
EventSpec incast(std::int64_t flows, const char* reaction) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", flows + 1}});
  spec.switches.scheme = choose(schemes(), "voqsw");
  spec.switches.queue_memory = Bytes{2048};
  spec.switches.marking = choose(markings(), "infiniband");
  spec.node.injection_memory = Bytes{128 * (flows + 1)};
  spec.node.reaction = choose(reactions(), reaction);
  if (spec.node.reaction.name == "infiniband")
    assign(*spec.node.reaction, Argument{"ccti_timer", Duration{1'000'000}});
  FlowSpec& flow = spec.traffic.flows.front();
  flow.sources = {.kind = NodeSet::Kind::first, .first = flows};
  flow.pattern = choose(patterns(), "hotspot", {{"destination", flows}});
  flow.arrivals = choose(arrival_processes(), "saturated");
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{40'000};
  spec.measure.bin = Duration{10'000};
  spec.measure.tables = {"rate-series"};
  return spec;
}

TEST(RateSeries, AgreesWithTheSeriesOfTheNetwork) {
  const Result result = run(incast(6, "infiniband"));
  const Table &table = result.table("rate_series"), &series = result.table("series");
  std::map<double, std::vector<double>> rates;
  for (std::size_t row = 0; row < rows_of(table); ++row) {
    rates[test::column(table, "time_ns")[row]].push_back(test::column(table, "rate")[row]);
    EXPECT_EQ(test::column(table, "destination")[row], 6);
    EXPECT_GT(test::column(table, "notifications")[row], 0);
  }
  ASSERT_EQ(rows_of(series), 6U);
  for (std::size_t row = 0; row < rows_of(series); ++row) {
    const std::vector<double>& seen = rates[test::column(series, "time_ns")[row]];
    ASSERT_EQ(test::column(series, "limited_flows")[row], static_cast<double>(seen.size()));
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(test::column(series, "limited_rate_least")[row], *std::ranges::min_element(seen));
    EXPECT_DOUBLE_EQ(test::column(series, "limited_rate_mean")[row],
                     std::accumulate(seen.begin(), seen.end(), 0.0) / static_cast<double>(seen.size()));
  }
}

TEST(RateSeries, HasTheSlowestFlowsOfABin) {
  const Result result = run(incast(90, "infiniband"));
  const Table &table = result.table("rate_series"), &series = result.table("series");
  ASSERT_GT(test::column(series, "limited_flows").back(), 64);
  const double end = test::column(series, "time_ns").back();
  std::vector<double> rates, sources;
  for (std::size_t row = 0; row < rows_of(table); ++row) {
    if (test::column(table, "time_ns")[row] != end) continue;
    rates.push_back(test::column(table, "rate")[row]);
    sources.push_back(test::column(table, "source")[row]);
  }
  EXPECT_EQ(rates.size(), 64U);
  EXPECT_TRUE(std::ranges::is_sorted(sources));
  EXPECT_EQ(*std::ranges::min_element(rates), test::column(series, "limited_rate_least").back());
}

TEST(RateSeries, WindowsHaveNoRates) {
  const Result result = run(incast(6, "window"));
  const Table& table = result.table("rate_series");
  EXPECT_GT(rows_of(table), 0U);
  for (const Column& column : table) EXPECT_NE(column.name, "rate");
  for (const Column& column : result.table("series")) EXPECT_NE(column.name, "limited_rate_mean");
}

TEST(RateSeries, IsThereOnlyOnRequestAndWithAReaction) {
  EventSpec spec = incast(6, "infiniband");
  spec.measure.tables = {};
  EXPECT_FALSE(run(spec).tables.contains("rate_series"));
  spec = incast(6, "none");
  EXPECT_FALSE(run(spec).tables.contains("rate_series"));
}

}  // namespace
}  // namespace headway
