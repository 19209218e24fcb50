// SPDX-License-Identifier: Apache-2.0
// The numbers of one result, and of results of parts of a run, fit each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "headway/compile/build.h"
#include "headway/compile/memory.h"
#include "headway/compile/run_scope.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/waiting.h"
#include "headway/run/run.h"
#include "tests/relations/relations.h"
#include "tests/support/columns.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

using test::column;
using test::for_each_number;
using test::related_spec;
using test::result_of;

constexpr double kClose = 1e-9;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void expect_near(double got, double expected, const char* what) {
  EXPECT_NEAR(got, expected, kClose * std::max(1.0, std::abs(expected))) << what;
}

TEST(RelationOfNumbers, OfTwoHalfWindowsAreThoseOfTheWhole) {
  for_each_number(40, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    const Result whole = result_of(spec);
    spec.measure.duration = Duration{test::kBins * test::kBin / 2};
    const Result first = result_of(spec);
    spec.measure.warmup = Duration{test::kWarmup + test::kBins * test::kBin / 2};
    const Result second = result_of(spec);
    if (whole.status == Status::deadlock) return false;  // its window ends early
    EXPECT_EQ(second.trace_hash, whole.trace_hash);
    for (const char* count : {"packets_generated", "packets_injected", "packets_delivered", "packet_hops",
                              "events", "out_of_order_packets"})
      EXPECT_EQ(first.metric(count) + second.metric(count), whole.metric(count)) << count;
    for (const char* mean : {"offered_load", "accepted_load", "network_efficiency"})
      expect_near((first.metric(mean) + second.metric(mean)) / 2, whole.metric(mean), mean);
    const auto latencies = [](const Result& result) {
      return result.metric("packets_delivered") == 0
                 ? 0
                 : result.metric("latency_mean_ns") * result.metric("packets_delivered");
    };
    expect_near(latencies(first) + latencies(second), latencies(whole), "latency");
    EXPECT_EQ(second.metric("backlog_packets"), whole.metric("backlog_packets"));
    const std::vector<double>& all = column(whole.table("per_destination"), "packets_delivered");
    for (std::size_t node = 0; node < all.size(); ++node)
      EXPECT_EQ(column(first.table("per_destination"), "packets_delivered")[node] +
                    column(second.table("per_destination"), "packets_delivered")[node],
                all[node]);
    const std::vector<double>& links = column(whole.table("per_link"), "utilisation");
    for (std::size_t link = 0; link < links.size(); ++link)
      expect_near((column(first.table("per_link"), "utilisation")[link] +
                   column(second.table("per_link"), "utilisation")[link]) /
                      2,
                  links[link], "utilisation");
    return true;
  });
}

// A result also has each metric of photographs whose condition its run meets.
TEST(RelationOfNumbers, AreThoseWhoseConditionsTheRunMeets) {
  for_each_number(60, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    spec.observe.waiting = true;
    spec.observe.interval = Duration{50};
    const Result result = result_of(spec);
    const RunScope scope = scope_of(spec);
    const auto has = [&](const Metric& metric) { return metric.table.empty() && scope.meets(metric.needs); };
    for (const auto& each : result.metrics) {
      const std::string& name = each.first;
      if (name.find('.') != std::string::npos) continue;  // a column of a table with named rows
      EXPECT_TRUE(std::ranges::any_of(all_metrics(), [&](const Metric& metric) {
        return has(metric) && covers(metric, name);
      })) << name;
    }
    for (const Metric& metric : waiting_metrics())
      EXPECT_EQ(std::ranges::count(result.metrics, metric.name, [](const auto& each) { return each.first; }),
                has(metric) ? 1 : 0)
          << metric.name;
    return true;
  });
}

// All links have the same rate.
TEST(RelationOfNumbers, OfAllTablesAreThoseOfTheRun) {
  for_each_number(60, [](std::uint64_t number) {
    EventSpec spec = related_spec(number);
    spec.observe.waiting = number % 2 == 0;
    spec.observe.interval = Duration{20};
    const Result result = result_of(spec);
    if (result.status == Status::deadlock) return false;
    const double packets = result.metric("packets_delivered");
    EXPECT_EQ(sum(column(result.table("per_destination"), "packets_delivered")), packets);
    if (!result.table("per_flow").empty())
      EXPECT_EQ(sum(column(result.table("per_flow"), "packets_delivered")), packets);
    const std::vector<double>& of_nodes = column(result.table("per_destination"), "accepted_load");
    const auto nodes = static_cast<double>(of_nodes.size());
    expect_near(sum(of_nodes) / nodes, result.metric("network_efficiency"), "per_destination");
    std::vector<double> of_pairs(of_nodes.size()), over_time(of_nodes.size()), by_series(of_nodes.size());
    for (std::size_t pair = 0; pair < of_nodes.size() * of_nodes.size(); ++pair)
      of_pairs[pair % of_nodes.size()] += column(result.table("per_pair"), "accepted_load")[pair];
    const std::vector<double>& times = column(result.table("pair_series"), "time_ns");
    for (std::size_t row = 0; row < times.size(); ++row)
      if (times[row] > test::kWarmup)
        by_series[static_cast<std::size_t>(column(result.table("pair_series"), "destination")[row])] +=
            column(result.table("pair_series"), "accepted_load")[row] / test::kBins;
    const std::vector<double>& bins = column(result.table("destination_series"), "time_ns");
    for (std::size_t node = 0; node < of_nodes.size(); ++node) {
      const auto& of_node =
          column(result.table("destination_series"), "accepted_load_" + std::to_string(node));
      for (std::size_t bin = 0; bin < bins.size(); ++bin)
        if (bins[bin] > test::kWarmup) over_time[node] += of_node[bin] / test::kBins;
    }
    for (std::size_t node = 0; node < of_nodes.size(); ++node) {
      expect_near(of_pairs[node], of_nodes[node], "per_pair");
      expect_near(by_series[node], of_nodes[node], "pair_series");
      expect_near(over_time[node], of_nodes[node], "destination_series");
    }
    for (const char* load : {"offered_load", "accepted_load", "network_efficiency"}) {
      double mean = 0;
      for (std::size_t bin = 0; bin < column(result.table("series"), load).size(); ++bin)
        if (column(result.table("series"), "time_ns")[bin] > test::kWarmup)
          mean += column(result.table("series"), load)[bin] / test::kBins;
      expect_near(mean, result.metric(load), load);
    }
    double latencies = 0;
    for (std::size_t node = 0; node < of_nodes.size(); ++node)
      if (const double some = column(result.table("per_destination"), "packets_delivered")[node]; some > 0)
        latencies += some * column(result.table("per_destination"), "latency_mean_ns")[node];
    if (packets > 0) expect_near(latencies / packets, result.metric("latency_mean_ns"), "latency");
    return true;
  });
}

// When everything has been delivered, each link has carried what the routes send over it: the links to the
// nodes what the nodes received, the links from the nodes what they sent, and all links together a packet per
// hop.
TEST(RelationOfNumbers, OfLinksAreThoseOfThePackets) {
  for_each_number(60, [](std::uint64_t number) {
    EventSpec spec = test::drained_spec(number);
    if (spec.switches.scheme->isolation()) return false;  // notifications share the links
    spec.switches.credit_packet = Bytes{0};
    spec.measure.duration = Duration{20'000};
    const Result result = result_of(spec);
    const double packets = result.metric("packets_delivered");
    if (packets == 0 || packets != result.metric("packets_generated")) return false;
    EXPECT_EQ(result.metric("packets_injected"), packets);
    const Graph graph = spec.network.topology->build(spec.network.link);
    const double packet_share = static_cast<double>(spec.traffic.packet.count) /
                                spec.network.link.rate.bytes_per_ns.to_double() / 20'000;
    double hops = 0;
    for (std::size_t row = 0; row < column(result.table("per_link"), "port").size(); ++row) {
      const auto port = static_cast<PortId>(column(result.table("per_link"), "port")[row]);
      const double utilisation = column(result.table("per_link"), "utilisation")[row];
      if (graph.is_node_port(port)) continue;
      hops += utilisation;
      const PortId peer = graph.peer_of(port);
      if (peer != kNone && graph.is_node_port(peer)) {
        const NodeId node = graph.node_of(peer);
        expect_near(utilisation,
                    column(result.table("per_destination"), "packets_delivered")[node] * packet_share,
                    "link to a node");
      }
    }
    expect_near(hops, result.metric("packet_hops") * packet_share, "hops");
    return true;
  });
}

// Little's law without an error: summed over all ticks, the packets in the network are the latencies of all
// packets, if the network is empty at both ends.
TEST(RelationOfNumbers, KeepLittlesLaw) {
  for_each_number(25, [](std::uint64_t number) {
    EventSpec spec = test::drained_spec(number);
    const Duration tick = build(spec).network.tick;
    const auto ticks = std::min<std::int64_t>(20'000, (Duration{4'000}.ns / tick.ns).numerator());
    spec.measure.duration = Duration{tick.ns * Rational(ticks)};
    spec.measure.bin = tick;
    spec.measure.tables.clear();
    const Result result = result_of(spec);
    const double packets = result.metric("packets_delivered");
    if (packets == 0 || packets != result.metric("packets_generated")) return false;
    const double ns = tick.ns.to_double();
    const double in_network = sum(column(result.table("series"), "packets_in_network")) * ns;
    const double waiting = sum(column(result.table("series"), "backlog_packets")) * ns;
    expect_near(in_network + waiting, result.metric("latency_mean_ns") * packets, "latency");
    return true;
  });
}

// The latencies of all packets if each were alone in the network, for each destination.
std::vector<double> alone(const Network& network, const std::vector<Delivery>& deliveries) {
  std::map<std::pair<NodeId, NodeId>, double> of_pair;
  std::vector<double> sums(network.nodes());
  for (const Delivery& delivery : deliveries) {
    const auto [latency, fresh] = of_pair.try_emplace({delivery.source, delivery.destination});
    if (fresh) {
      const Workload message = test::scripted({{delivery.source, delivery.destination, 0}},
                                              network.packet_bytes, network.packet_bytes);
      std::vector<Delivery> one;
      const auto simulation = make_simulation(network, message, {.seed = 1, .deliveries = append_to(one)});
      for (Tick tick = 64; one.empty() && tick < 1 << 20; tick *= 2) simulation->run_until(tick);
      latency->second = one.empty() ? 0 : static_cast<double>(one.front().tick);
    }
    sums[delivery.destination] += latency->second;
  }
  return sums;
}

TEST(RelationOfNumbers, HaveNoLatencyBelowThatOfAnEmptyNetwork) {
  for_each_number(60, [](std::uint64_t number) {
    const EventSpec spec = test::drained_spec(number);
    if (!spec.routing.algorithm->single_path()) return false;
    const Model model = build(spec);
    std::vector<Delivery> deliveries;
    const auto simulation =
        make_simulation(model.network, model.workload,
                        {.seed = spec.seed, .count_received = true, .deliveries = append_to(deliveries)});
    simulation->run_until(model.duration);
    const std::vector<double> least = alone(model.network, deliveries);
    double all = 0;
    for (NodeId node = 0; node < model.network.nodes(); ++node) {
      const auto latencies = static_cast<double>(simulation->record().received[node].latency_ticks);
      EXPECT_GE(latencies, least[node]) << "node " << node;
      all += least[node];
    }
    EXPECT_TRUE(deliveries.empty() || all > 0);
    return !deliveries.empty();
  });
}

}  // namespace
}  // namespace headway
