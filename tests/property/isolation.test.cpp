// SPDX-License-Identifier: Apache-2.0
// What isolation of congested flows must never do, over random networks, thresholds and hot spots: lose or
// reorder a packet, free a queue with packets in it, leave a line, copy or Stop behind, or stand still. And
// what it must do: nothing where there is no congestion, and a line at every port of a congestion tree.
#include <gtest/gtest.h>

#include <bit>

#include "headway/base/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"
#include "tests/support/random_case.h"

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
  const Isolation& isolation = *simulation.isolation();
  EXPECT_EQ(isolation.counts().active_lines, 0U);
  EXPECT_EQ(isolation.counts().adapter_lines, 0U);
  EXPECT_EQ(isolation.counts().allocations, isolation.counts().frees);
  EXPECT_EQ(isolation.counts().stops, isolation.counts().gos);
  for (PortId port = 0; port < network.ports.size(); ++port) {
    for (std::uint32_t line = 0; line < isolation.rules().lines; ++line)
      EXPECT_FALSE(isolation.has_copy(port, line)) << "port " << port;
    for (NodeId node = 0; node < network.nodes(); ++node)
      EXPECT_EQ(isolation.holding(port, node) | isolation.refusing(port, node), 0U) << "port " << port;
  }
}

TEST(Isolation, DrainsToNothingInOrder) {
  std::uint64_t stops = 0, refused = 0;
  for (std::uint64_t number = 0; number < 120; ++number) {
    const test::RandomCase c = test::random_isolation_case(number);
    SCOPED_TRACE("random_isolation_case(" + std::to_string(number) + "): " + c.description);
    const auto simulation = make_simulation(c.network, c.workload, {.seed = number, .check = true});
    simulation->run_until(c.end);
    EXPECT_FALSE(simulation->find_stall().deadlocked);
    simulation->run_until(c.end + 10'000'000);
    expect_nothing_left(c.network, *simulation);
    stops += simulation->isolation()->counts().stops;
    refused += simulation->isolation()->counts().refused_allocations;
  }
  EXPECT_GT(stops, 500U) << "the cases do not congest anything";
  EXPECT_GT(refused, 500U) << "lines never run out";
}

Network tree(std::uint32_t n, const Choice<Scheme>& scheme) {
  NetworkOptions options;
  options.packet_bytes = 8;
  options.capacity = 128;
  return test::network_of(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", n}}), "det", scheme, options);
}

// At a load where queues stay below the threshold, and at any load with a threshold that nothing reaches, it
// is the same switch with a single queue.
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
        if (const Isolation* isolation = simulation->isolation())
          EXPECT_EQ(isolation->counts().allocations, 0U);
      }
      EXPECT_EQ(hashes[0], hashes[1]) << name << " at " << load;
    }
  }
}

// All other nodes send to one: every input port on a path to it has a line, and no other. In a k-ary n-tree
// these are the k^i - 1 that packets go up by at each level i, and one down at each level but the lowest.
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
      EXPECT_EQ(lines_that_hold(network, *simulation->isolation(), hot), size.lines) << name;
      EXPECT_EQ(simulation->isolation()->counts().active_lines, size.lines) << name;
      counts.push_back(simulation->isolation()->counts());
      if (size.n > 3) continue;
      simulation->run_until(stop + 10'000'000);
      expect_nothing_left(network, *simulation);
    }
    // with one destination to learn, both know the same
    EXPECT_EQ(counts[0].allocations, counts[1].allocations);
    EXPECT_EQ(counts[0].stops, counts[1].stops);
    EXPECT_EQ(counts[0].gos, counts[1].gos);
    EXPECT_EQ(counts[0].moves, counts[1].moves);
    EXPECT_EQ(counts[0].detections, counts[1].detections);
    EXPECT_EQ(counts[0].most_active_lines, counts[1].most_active_lines);
  }
}

}  // namespace
}  // namespace headway
