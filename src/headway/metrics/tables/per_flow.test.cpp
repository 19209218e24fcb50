// SPDX-License-Identifier: Apache-2.0
// The waiting packets of flows, of pairs and of the network agree, and the flow of the victims is found.
#include "headway/observe/flow_census.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "headway/config/assign.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"
#include "tests/support/hand_made.h"
#include "tests/support/without_file.h"

namespace headway {
namespace {

double sum(const Table& table, std::string_view name) {
  const std::vector<double>& values = test::column(table, name);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Nodes 0, 5, 10 and 15 of a tree send to node 3 (flow 0), the others anywhere (flow 1).
EventSpec hot_spot(const char* scheme) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.scheme = choose(schemes(), scheme);
  if (!spec.switches.scheme->pools_memory()) spec.switches.queue_memory = Bytes{512};
  FlowSpec hot;
  hot.sources = {.kind = NodeSet::Kind::nodes, .nodes = {0, 5, 10, 15}};
  hot.pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  hot.load = {.points = {{Duration{0}, 0.3}}};
  spec.traffic.flows.front().sources.kind = NodeSet::Kind::rest;
  spec.traffic.flows.front().load = {.points = {{Duration{0}, 0.15}}};
  spec.traffic.flows.insert(spec.traffic.flows.begin(), hot);
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{100'000};
  spec.measure.tables = {"per-pair"};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{500};
  return spec;
}

// The rows of a flow, and the parts of its transit.
void expect_account_adds_up(const Result& result) {
  const Table &waits = result.table("flow_waits"), &flows = result.table("per_flow");
  for (std::size_t flow = 0; flow < rows_of(flows); ++flow) {
    for (const auto& [part, whole] : {std::pair{"packets", "waiting_packets"},
                                      {"victim_packets", "victim_packets"},
                                      {"wait_ns", "waiting_ns"}}) {
      double of_rows = 0;
      for (std::size_t row = 0; row < rows_of(waits); ++row)
        if (word_at(waits, "flow", row) == word_at(flows, "flow", flow))
          of_rows += number_at(waits, part, row);
      EXPECT_NEAR(of_rows, number_at(flows, whole, flow), 1e-9 * number_at(flows, whole, flow)) << part;
    }
    const Table& transits = result.table("flow_transits");
    double transit = 0;
    for (const char* part :
         {"serialisation_ns", "narrow_ns", "slow_ns", "propagation_ns", "switch_ns", "rest_ns"})
      transit += number_at(transits, part, flow);
    EXPECT_NEAR(transit, number_at(transits, "transit_ns", flow), 1e-9 * transit);
    EXPECT_GT(transit, 0);
  }
}

TEST(FlowWaiting, FlowsAndPairsAddUpToTheNetwork) {
  for (const char* scheme : {"1q", "obqa", "fbicm", "voqnet"}) {
    SCOPED_TRACE(scheme);
    const Result result = run(hot_spot(scheme));
    const double packets_per_ns = result.metric("packets_delivered") / result.metric("duration_ns");
    const auto packets = [&](const char* metric) { return result.metric(metric) * packets_per_ns; };
    const double waiting =
        packets("latency_mean_ns") + packets("photograph_error_ns") - packets("transit_ns");
    for (const Table* table : {&result.table("per_flow"), &result.table("per_pair")}) {
      EXPECT_NEAR(sum(*table, "waiting_packets"), waiting, 1e-6 * waiting);
      EXPECT_NEAR(sum(*table, "hol_packets"), packets("hol_blocking_ns"), 1e-6 * waiting);
      EXPECT_NEAR(sum(*table, "victim_packets"), packets("victim_wait_ns"), 1e-6 * waiting);
    }
    EXPECT_NEAR(sum(result.table("flow_roots"), "packets"), waiting, 1e-6 * waiting);
    expect_account_adds_up(result);
    EXPECT_EQ(sum(result.table("per_flow"), "packets_delivered"), result.metric("packets_delivered"));
    // Little's law again
    EXPECT_NEAR(test::column(result.table("per_flow"), "victim_wait_ns")[1] *
                    test::column(result.table("per_flow"), "packets_delivered")[1],
                test::column(result.table("per_flow"), "victim_packets")[1] * result.metric("duration_ns"),
                1e-3);
  }
}

// Waiting per packet is that of the packets as they are, also where messages are shorter than full packets.
TEST(FlowWaiting, CountsShortPacketsAsPackets) {
  constexpr double kMessage = 4;  // bytes, a sixteenth of a full packet
  EventSpec spec = hot_spot("1q");
  for (FlowSpec& flow : spec.traffic.flows)
    flow.sizes = choose(message_sizes(), "fixed", {{"message", Bytes{static_cast<std::int64_t>(kMessage)}}});
  spec.measure.tables.insert("per-destination");
  const Result result = run(spec);
  const double ns = result.metric("duration_ns");
  for (const auto& [each, waiting] :
       {std::pair{"hol_blocking_ns", "hol_packets"}, {"victim_wait_ns", "victim_packets"}}) {
    const Table &nodes = result.table("per_destination"), &pairs = result.table("per_pair");
    for (std::size_t node = 0; node < 16; ++node)  // Little's law
      EXPECT_NEAR(test::column(nodes, each)[node] * test::column(nodes, "packets_delivered")[node] / ns,
                  test::column(nodes, waiting)[node], 1e-9);
    for (std::size_t pair = 0; pair < 256; ++pair) {
      const double packets = test::column(pairs, "accepted_load")[pair] * ns / kMessage;  // at 1 B/ns
      if (packets > 0)
        EXPECT_NEAR(test::column(pairs, each)[pair] * packets / ns, test::column(pairs, waiting)[pair], 1e-9);
    }
  }
  const double mean =
      std::inner_product(test::column(result.table("per_destination"), "hol_blocking_ns").begin(),
                         test::column(result.table("per_destination"), "hol_blocking_ns").end(),
                         test::column(result.table("per_destination"), "packets_delivered").begin(), 0.0) /
      result.metric("packets_delivered");
  EXPECT_NEAR(mean, result.metric("hol_blocking_ns"), 1e-6 * mean);
}

TEST(FlowWaiting, NamesTheFlowThatSuffers) {
  EventSpec spec = hot_spot("1q");
  spec.switches.queue_memory = Bytes{4096};
  const Result result = run(spec);
  EXPECT_THAT(test::words(result.table("per_flow"), "flow"), testing::ElementsAre("flow 0", "flow 1"));
  const std::vector<double>& victims = test::column(result.table("per_flow"), "victim_packets");
  EXPECT_GT(victims[1], 5 * victims[0]);
  EXPECT_GT(test::column(result.table("per_flow"), "victim_wait_ns")[1], 500);
  // victims of the link to node 3, which is port 3 of the first switch
  const Table& roots = result.table("flow_roots");
  for (std::size_t row = 0; row < rows_of(roots); ++row)
    if (word_at(roots, "flow", row) == "flow 1" && word_at(roots, "kind", row) == "link" &&
        number_at(roots, "port", row) == 3)
      EXPECT_GT(number_at(roots, "victim_packets", row), 0.8 * victims[1]);
  // they wait behind the hot flow
  const Table& waits = result.table("flow_waits");
  double behind_hot = 0;
  for (std::size_t row = 0; row < rows_of(waits); ++row) {
    EXPECT_EQ(number_at(waits, "slow_ns", row), 0);
    if (word_at(waits, "flow", row) == "flow 1" && word_at(waits, "behind", row) == "flow 0")
      behind_hot += number_at(waits, "victim_packets", row);
  }
  EXPECT_GT(behind_hot, 0.8 * victims[1]);
}

// Packets of 64 bytes at 1 byte per ns over two or four links of 4 ns.
TEST(FlowWaiting, SplitsTransitByPhysics) {
  const Result result = run(hot_spot("1q"));
  const Table& flows = result.table("flow_transits");
  for (std::size_t flow = 0; flow < 2; ++flow) {
    EXPECT_NEAR(number_at(flows, "serialisation_ns", flow), 64, 1e-9);
    EXPECT_EQ(number_at(flows, "narrow_ns", flow), 0);
    EXPECT_EQ(number_at(flows, "slow_ns", flow), 0);
    EXPECT_GE(number_at(flows, "propagation_ns", flow), 2 * 4);
    EXPECT_LE(number_at(flows, "propagation_ns", flow), 4 * 4);
    EXPECT_EQ(number_at(flows, "rest_ns", flow), 0);
  }
  // If some links between switches are slow, they are slower than usual; if all are, they are narrow.
  EventSpec spec = hot_spot("1q");
  for (const double part : {0.25, 1.0}) {
    spec.network.faults.slow.part = part;
    const Result slow = run(spec);
    expect_account_adds_up(slow);
    const Table& of_slow = slow.table("flow_transits");
    EXPECT_NEAR(number_at(of_slow, "serialisation_ns", 1), 64, 1e-9);
    EXPECT_EQ(number_at(of_slow, "slow_ns", 1) > 0, part < 1) << part;
    EXPECT_EQ(number_at(of_slow, "narrow_ns", 1) > 0, part == 1) << part;
    EXPECT_EQ(sum(slow.table("flow_waits"), "slow_ns") > 0, part < 1) << part;
  }
}

TEST(FlowWaiting, OfASingleFlowIsThatOfTheRun) {
  EventSpec spec = hot_spot("1q");
  spec.traffic.flows.erase(spec.traffic.flows.begin());
  const Result result = run(spec);
  EXPECT_FALSE(result.tables.contains("per_flow"));
  const Table &transits = result.table("flow_transits"), &waits = result.table("flow_waits");
  EXPECT_THAT(test::words(transits, "flow"), testing::ElementsAre("flow 0"));
  EXPECT_NEAR(number_at(transits, "transit_ns", 0), result.metric("transit_ns"),
              4 * result.metric("transit_se_ns"));
  EXPECT_NEAR(number_at(transits, "transit_ns", 0) + sum(waits, "wait_ns"), result.metric("latency_mean_ns"),
              0.02 * result.metric("latency_mean_ns"));
}

TEST(FlowResults, AddUpToTheRunAndAreMetrics) {
  EventSpec spec = hot_spot("1q");
  spec.observe.waiting = false;
  spec.traffic.flows[0].name = "hot";
  const Result result = run(spec);
  const Table& flows = result.table("per_flow");
  const auto of = [&](std::string_view flow, std::string_view column) {
    return result.metric(metric_of_row(flow, column));
  };
  for (std::size_t row = 0; row < 2; ++row)
    for (const Column& column : flows)
      if (column.words.empty())
        EXPECT_EQ(column.values[row], of(row == 0 ? "hot" : "flow 1", column.name)) << column.name;
  for (const char* packets : {"packets_generated", "packets_delivered"})
    EXPECT_EQ(sum(flows, packets), result.metric(packets));
  for (const char* load : {"offered_load", "accepted_load"})  // of 4 and of 12 sources
    EXPECT_NEAR(0.25 * of("hot", load) + 0.75 * of("flow 1", load), result.metric(load), 1e-12);
  for (const char* mean : {"latency_mean_ns", "network_latency_mean_ns"})
    EXPECT_NEAR(of("hot", mean) * of("hot", "packets_delivered") +
                    of("flow 1", mean) * of("flow 1", "packets_delivered"),
                result.metric(mean) * result.metric("packets_delivered"), 1e-3);
  for (const char* most : {"latency_max_ns", "network_latency_max_ns"})
    EXPECT_EQ(std::max(of("hot", most), of("flow 1", most)), result.metric(most));
  EXPECT_GT(of("hot", "latency_p50_ns"), 1.5 * of("flow 1", "latency_p50_ns"));
  EXPECT_GT(of("flow 1", "latency_se_ns"), 0);
}

TEST(FlowResults, OverTimeAddUpToTheWindow) {
  const Result result = run(hot_spot("1q"));
  const Table &series = result.table("flow_series"), &flows = result.table("per_flow");
  const std::size_t bins = rows_of(result.table("series"));
  ASSERT_EQ(rows_of(series), 2 * bins);
  for (std::size_t flow = 0; flow < 2; ++flow) {
    double accepted = 0, victims = 0, measured = 0, seen = 0;
    for (std::size_t row = flow; row < 2 * bins; row += 2) {
      EXPECT_EQ(word_at(series, "flow", row), word_at(flows, "flow", flow));
      if (number_at(series, "time_ns", row) <= 20'000) continue;  // warm-up
      accepted += number_at(series, "accepted_load", row), ++measured;
      if (const double packets = number_at(series, "victim_packets", row); !std::isnan(packets))
        victims += packets, ++seen;
    }
    EXPECT_NEAR(accepted / measured, number_at(flows, "accepted_load", flow), 1e-9);
    // a bin has up to three photographs, so the mean over bins is only near that over photographs
    EXPECT_NEAR(victims / seen, number_at(flows, "victim_packets", flow),
                0.1 * number_at(flows, "victim_packets", flow) + 1);
  }
}

// The mean over seeds has intervals for the metrics of flows, and errors from the scatter.
TEST(FlowResults, OfSeveralSeedsHaveIntervals) {
  std::vector<Result> results;
  EventSpec spec = hot_spot("1q");
  for (spec.seed = 1; spec.seed <= 3; ++spec.seed) results.push_back(run(spec));
  const Result combined = combine(results, 1);
  const std::string mean = metric_of_row("flow 1", "latency_mean_ns");
  const auto half = std::ranges::find(combined.intervals, mean, &std::pair<std::string, double>::first);
  ASSERT_NE(half, combined.intervals.end());
  constexpr double kT = 4.30265;  // of two degrees of freedom
  EXPECT_NEAR(combined.metric(metric_of_row("flow 1", "latency_se_ns")) * kT, half->second, 1e-3);
  EXPECT_EQ(number_at(combined.table("per_flow"), "latency_se_ns", 1),
            combined.metric(metric_of_row("flow 1", "latency_se_ns")));
  EXPECT_EQ(number_at(combined.table("per_flow"), "latency_mean_ns", 1), combined.metric(mean));
}

TEST(FlowWaiting, OneFlowHasNoTablesOfFlows) {
  EventSpec spec = hot_spot("1q");
  spec.traffic.flows.resize(1);
  const Result result = run(spec);
  EXPECT_TRUE(result.table("per_flow").empty());
  EXPECT_TRUE(result.table("flow_roots").empty());
  EXPECT_GT(sum(result.table("per_pair"), "waiting_packets"), 0);
  EXPECT_NEAR(sum(result.table("flow_waits"), "packets"), sum(result.table("per_pair"), "waiting_packets"),
              1e-9);
  for (const char* flow : {"flow", "behind"})
    for (const std::string& word : test::words(result.table("flow_waits"), flow))
      EXPECT_TRUE(word == "flow 0" || word.empty()) << word;
}

// Schemes of every kind count the packets to the watched destination that cause congestion.
TEST(FlowWaiting, AnySchemeWatchesADestination) {
  for (const Entry<Scheme>& scheme : test::schemes_without_file()) {
    SCOPED_TRACE(scheme.name);
    EventSpec spec = hot_spot(std::string(scheme.name).c_str());
    spec.measure.watch_destination = 3;
    const Result result = run(spec);
    EXPECT_GT(test::column(result.table("series"), "culprit_packets").back(), 1);
  }
}

// Two flows of a node to the same destination have rows of their own, with the packets that each generates.
TEST(FlowWaiting, TellsFlowsOfAPairOfNodes) {
  for (const Admittance admittance : {Admittance::per_destination, Admittance::fifo}) {
    EventSpec spec = hot_spot("1q");
    spec.node.admittance = admittance;
    FlowSpec& rare = spec.traffic.flows.emplace_back(spec.traffic.flows.front());
    rare.load = {.points = {{Duration{0}, 0.03}}};  // a tenth of the load of flow 0
    rare.name = "rare";
    const Result result = run(spec);
    EXPECT_THAT(test::words(result.table("per_flow"), "flow"),
                testing::ElementsAre("flow 0", "flow 1", "rare"));
    for (const char* column : {"packets_delivered", "waiting_packets"}) {
      const std::vector<double>& of_flow = test::column(result.table("per_flow"), column);
      EXPECT_NEAR(of_flow[2] / of_flow[0], 0.1, 0.03) << column;
    }
    EXPECT_EQ(sum(result.table("per_flow"), "packets_delivered"), result.metric("packets_delivered"));
  }
}

}  // namespace
}  // namespace headway
