// SPDX-License-Identifier: Apache-2.0
// Properties of isolation over random networks, thresholds and hot spots. It must never lose or reorder a
// packet, free a queue with packets in it, leave a line, copy or Stop behind, or stop moving. Without
// congestion it must do nothing; in a congestion tree it must have a line at every port.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <stdexcept>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"
#include "tests/support/hand_made.h"
#include "tests/support/random_case.h"
#include "tests/support/sanitizer.h"

namespace headway {
namespace {

std::uint64_t lines_that_hold(const Network& network, const Isolation& isolation, NodeId node) {
  std::uint64_t lines = 0;
  for (PortId port = 0; port < network.graph.switch_ports(); ++port)
    lines += static_cast<std::uint64_t>(std::popcount(isolation.holding(port, node)));
  return lines;
}

void expect_nothing_left(const Network& network, const Simulation& simulation) {
  const Record& record = simulation.record();
  EXPECT_EQ(record.waiting_packets, 0U);
  EXPECT_EQ(record.packets_in_network, 0U);
  EXPECT_EQ(record.counters.packets_delivered, record.counters.packets_generated);
  EXPECT_EQ(record.counters.out_of_order, 0U);
  const Isolation& isolation = *simulation.view().isolation();
  const IsolationCounts counts = simulation.view().isolation_counts();
  EXPECT_EQ(counts.active_lines, 0U);
  EXPECT_EQ(counts.adapter_lines, 0U);
  EXPECT_EQ(counts.allocations, counts.frees);
  EXPECT_EQ(counts.stops, counts.gos);
  for (PortId port = 0; port < network.ports.size(); ++port) {
    for (std::uint32_t line = 0; line < isolation.rules().lines; ++line)
      EXPECT_FALSE(isolation.has_copy(port, line)) << "port " << port;
    for (NodeId node = 0; node < network.nodes(); ++node)
      EXPECT_EQ(isolation.holding(port, node) | isolation.refusing(port, node), 0U) << "port " << port;
  }
}

TEST(Isolation, DrainsToNothingInOrder) {
  std::uint64_t stops = 0, refused = 0;
  for (std::uint64_t number = 0; number < 120; number += test::kOneIn) {
    const test::RandomCase c = test::random_isolation_case(number);
    SCOPED_TRACE("random_isolation_case(" + std::to_string(number) + "): " + c.description);
    const auto simulation = make_simulation(c.network, c.workload, {.seed = number, .check = true});
    simulation->run_until(c.end);
    EXPECT_FALSE(simulation->find_stall().deadlocked);
    simulation->run_until(c.end + 10'000'000);
    expect_nothing_left(c.network, *simulation);
    stops += simulation->view().isolation_counts().stops;
    refused += simulation->view().isolation_counts().refused_allocations;
  }
  EXPECT_GT(stops, 500U / test::kOneIn) << "the cases do not congest anything";
  EXPECT_GT(refused, 500U / test::kOneIn) << "lines never run out";
}

Network tree(std::uint32_t n, const Choice<Scheme>& scheme) {
  NetworkOptions options;
  options.packet_bytes = 8;
  options.capacity = 128;
  return test::network_of(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", n}}), "det", scheme, options);
}

// A switch with isolation behaves like one with a single queue if no queue reaches the threshold: at low
// load, or with an unreachable threshold.
TEST(Isolation, WithoutCongestionItIsOneQueue) {
  for (const char* name : {"fbicm", "recn-iq"}) {
    const Choice<Scheme> careful = choose(schemes(), name),
                         blind = choose(schemes(), name, {{"detection_threshold", 65535}});
    for (const double load : {0.2, 0.95}) {
      std::vector<std::uint64_t> hashes;
      for (const Choice<Scheme>& scheme : {choose(schemes(), "1q"), load < 0.5 ? careful : blind}) {
        const Network network = tree(2, scheme);
        const Workload workload = test::slotted(test::first_nodes(16), test::anywhere(16), 8, load);
        const auto simulation = make_simulation(network, workload, {.seed = 5});
        simulation->run_until(20'000);
        EXPECT_GT(simulation->record().counters.packets_delivered, 5000U);
        hashes.push_back(simulation->record().trace_hash);
        if (simulation->view().isolation() != nullptr)
          EXPECT_EQ(simulation->view().isolation_counts().allocations, 0U);
      }
      EXPECT_EQ(hashes[0], hashes[1]) << name << " at " << load;
    }
  }
}

// All other nodes send to one. Exactly the input ports on paths to it have a line. In a k-ary n-tree these
// are k^(n-s) - 1 ports at each stage s on the way up, and one port at each stage but the last on the way
// down.
TEST(Isolation, APureHotSpotHasALineAtEveryPortOfItsTree) {
  struct Size {
    std::uint32_t n;
    std::uint64_t lines;
  };
  for (const Size size : {Size{2, 19}, Size{3, 83}, Size{4, 339}}) {
    std::vector<IsolationCounts> counts;
    for (const char* name : {"fbicm", "recn-iq"}) {
      const Network network = tree(size.n, choose(schemes(), name));
      const NodeId hot = network.nodes() / 3;
      std::vector<NodeId> others = test::first_nodes(network.nodes());
      others.erase(others.begin() + hot);
      Workload workload = test::saturated(others, test::always(hot), 8, 1000);
      const Tick stop = 6000 * size.n;
      workload.flows[0].stop = stop;
      const auto simulation = make_simulation(network, workload, {.seed = 2});
      simulation->run_until(stop);
      EXPECT_EQ(lines_that_hold(network, *simulation->view().isolation(), hot), size.lines) << name;
      EXPECT_EQ(simulation->view().isolation_counts().active_lines, size.lines) << name;
      counts.push_back(simulation->view().isolation_counts());
      if (size.n > 3) continue;
      simulation->run_until(stop + 10'000'000);
      expect_nothing_left(network, *simulation);
    }
    // with one destination both schemes learn the same
    EXPECT_EQ(counts[0].allocations, counts[1].allocations);
    EXPECT_EQ(counts[0].stops, counts[1].stops);
    EXPECT_EQ(counts[0].gos, counts[1].gos);
    EXPECT_EQ(counts[0].moves, counts[1].moves);
    EXPECT_EQ(counts[0].detections, counts[1].detections);
    EXPECT_EQ(counts[0].most_active_lines, counts[1].most_active_lines);
  }
}

// On a single switch an output leads to one destination, so a line of fbicm knows from the first packet on
// what a line of recn-iq knows, and both behave the same under any traffic. In other networks they differ
// only in when a destination is learned.
TEST(Isolation, WhereAnOutputLeadsToOneDestinationBothKeysAreTheSame) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::uint32_t nodes = 4 + seed % 5;
    NetworkOptions options;
    options.packet_bytes = 8;
    options.capacity = options.injection_capacity = 30;
    options.isolation.emplace();
    options.isolation->lines = 2 + seed % 3;
    options.isolation->detection_threshold = seed % 4;
    options.isolation->stop_threshold = 3 + seed % 4;
    options.isolation->go_threshold = seed % 3;
    options.isolation->idle = 50;
    std::vector<std::uint64_t> hashes, moves;
    for (const IsolationKey key : {IsolationKey::destination, IsolationKey::route}) {
      options.isolation->key = key;
      const Network network(test::star(nodes, nodes), test::star_routes(nodes), QueueMap::single(), options);
      Workload workload = test::slotted(test::first_nodes(nodes), test::anywhere(nodes), 8, 0.8);
      const Workload hot = test::saturated({0, 1}, test::one_of({1, 2}), 8);
      workload.flows.push_back(hot.flows[0]);
      workload.flows[1].stop = 10'000;
      for (const NodeId node : {0U, 1U}) workload.sources.push_back({node, 1});
      const auto simulation = make_simulation(network, workload, {.seed = seed});
      simulation->run_until(20'000);
      hashes.push_back(simulation->record().trace_hash);
      moves.push_back(simulation->view().isolation_counts().moves);
    }
    EXPECT_EQ(hashes[0], hashes[1]) << nodes << " nodes";
    EXPECT_EQ(moves[0], moves[1]) << nodes << " nodes";
    EXPECT_GT(moves[0], 1000U);
  }
}

// The bytes that links carried besides packets are a whole number of signals: all Stops and Gos, and at
// most one Free per line.
TEST(Isolation, SignalsTakeTheirBytesOfTheLinks) {
  constexpr std::uint32_t kNodes = 8, kPacket = 16, kSignal = 5;
  NetworkOptions options;
  options.packet_bytes = kPacket;
  options.capacity = options.injection_capacity = 30;
  options.isolation.emplace();
  options.isolation->signal_bytes = kSignal;
  const Network network(test::star(kNodes, kNodes), test::star_routes(kNodes), QueueMap::single(), options);
  Workload workload = test::saturated(test::first_nodes(kNodes), test::one_of({1, 2, 3}), kPacket);
  workload.flows[0].stop = 20'000;
  const auto simulation = make_simulation(network, workload, {.seed = 3, .check = true});
  simulation->run_until(1'000'000);
  expect_nothing_left(network, *simulation);
  std::uint64_t bytes = 0;
  for (PortId port = 0; port < network.ports.size(); ++port) bytes += simulation->view().bytes_sent(port);
  const std::uint64_t besides = bytes - 2 * simulation->record().counters.bytes_delivered;
  const IsolationCounts counts = simulation->view().isolation_counts();
  EXPECT_GT(counts.stops, 100U);
  EXPECT_EQ(besides % kSignal, 0U);
  EXPECT_GT(besides / kSignal, counts.stops + counts.gos);
  EXPECT_LE(besides / kSignal, counts.stops + counts.gos + counts.frees);
}

EventSpec hot_spot(std::int64_t cfqs) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "bmin", {{"nodes", 16}, {"radix", 8}});
  spec.switches.scheme = choose(schemes(), "fbicm", {{"cfqs", cfqs}});
  spec.switches.input_memory = Bytes{8192};
  spec.traffic.flows[0].sources = {NodeSet::Kind::fraction, 0.75, 0, {}};
  FlowSpec hot;
  hot.sources.kind = NodeSet::Kind::rest;
  hot.pattern = choose(patterns(), "hotspot", {{"destination", 5}});
  spec.traffic.flows.push_back(hot);
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{100'000};
  spec.measure.bin = Duration{5000};
  spec.measure.tables.insert("port-series");
  spec.measure.watch_destination = 5;
  return spec;
}

// The sums over ports and over stages equal the totals of the network. Allocated minus freed lines are the
// active lines. Bins add up to the window.
TEST(Isolation, WhatARunReportsAddsUp) {
  const Result result = run(hot_spot(8));
  const std::vector<double>& cfqs = test::column(result.table("series"), "cfqs");
  ASSERT_EQ(cfqs.size(), 20U);
  EXPECT_EQ(result.table("port_series").size(), 1 + 8 * 8U);
  for (std::size_t bin = 0; bin < cfqs.size(); ++bin) {
    double ports = 0;
    for (std::size_t port = 1; port < result.table("port_series").size(); ++port)
      ports += result.table("port_series")[port].values[bin];
    EXPECT_EQ(ports, cfqs[bin]);
    EXPECT_EQ(test::column(result.table("series"), "cfqs_stage_0")[bin] +
                  test::column(result.table("series"), "cfqs_stage_1")[bin],
              cfqs[bin]);
    EXPECT_LE(test::column(result.table("series"), "watched_cfqs")[bin], cfqs[bin]);
    if (bin > 0)
      EXPECT_EQ(test::column(result.table("series"), "cfq_allocations")[bin] -
                    test::column(result.table("series"), "cfqs_freed")[bin],
                cfqs[bin] - cfqs[bin - 1]);
  }
  for (const char* name : {"cfq_allocations", "detections", "false_detections", "stops", "gos"}) {
    const std::vector<double>& bins = test::column(result.table("series"), name);
    EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), 0.0), result.metric(name)) << name;
    EXPECT_GT(result.metric(name), 0) << name;
  }
  EXPECT_EQ(result.metric("cfqs_at_end"), cfqs.back());
}

// If there are too few queues, congested packets block others, and the result reports the shortage.
TEST(Isolation, AResultSaysThatQueuesRanOut) {
  const Result enough = run(hot_spot(8)), few = run(hot_spot(1));
  EXPECT_EQ(enough.metric("cfq_allocations_refused"), 0);
  EXPECT_GT(few.metric("cfq_allocations_refused"), 100);
  EXPECT_LT(few.metric("accepted_load"), 0.9 * enough.metric("accepted_load"));
}

}  // namespace
}  // namespace headway
