// SPDX-License-Identifier: Apache-2.0
// Photographs of every topology, routing and scheme, in every tick of a run into saturation and until the
// last packet is delivered. A packet is in exactly one class in every tick of its life, so the sum over all
// classes must equal the sum of the latencies.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "headway/engine/simulation.h"
#include "headway/observe/camera.h"
#include "tests/property/networks.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kPacket = 7;
constexpr Tick kLastMessage = 24, kEnd = 50'000;

Workload until_stop(std::uint32_t nodes) {
  Workload workload = test::saturated(test::first_nodes(nodes), test::anywhere(nodes), kPacket, 3);
  workload.flows[0].packets = 3;
  workload.flows[0].last_bytes = 2;
  workload.flows[0].stop = kLastMessage;
  return workload;
}

std::uint64_t total(const Photograph& photograph) {
  return std::accumulate(photograph.packets.begin(), photograph.packets.end(), std::uint64_t{0});
}

// A head waits for room in a queue that has packets: in its target, if this shares its room with no other.
void expect_rooms(const Network& network, const Photograph& photograph) {
  const std::vector<PortId> port_of = network.ports_of_queues();
  std::set<std::uint32_t> occupied;
  for (const QueueSeen& seen : photograph.queues) occupied.insert(seen.queue);
  for (const QueueSeen& seen : photograph.queues) {
    if (seen.next == kNone) continue;
    EXPECT_TRUE(occupied.contains(seen.next));
    const bool to_unit = seen.next < port_of.size() && port_of[seen.next] >= network.layout.graph_ports;
    if (to_unit && network.one_output_queue && seen.head.output != kNone)
      EXPECT_EQ(seen.next, seen.head.target);
  }
}

// A part is at most its whole, and every waiting packet is charged once.
void expect_consistent(const Photograph& photograph, const Record& record) {
  EXPECT_EQ(total(photograph), record.waiting_packets + record.packets_in_network);
  EXPECT_LE(photograph.movable, photograph.of(Waiting::hol));
  EXPECT_LE(photograph.drain, photograph.of(Waiting::serial) + photograph.of(Waiting::input));
  std::uint64_t charged = 0, victims = 0;
  for (const RootSeen& seen : photograph.roots) {
    charged += seen.packets + seen.admittance;
    victims += seen.victims;
    std::uint64_t culprits = 0;
    for (const auto& [destination, packets] : seen.culprits) culprits += packets;
    if (!seen.culprits.empty()) EXPECT_EQ(seen.victims + culprits, seen.packets + seen.admittance);
    EXPECT_LE(seen.tree_packets, seen.packets);
  }
  EXPECT_EQ(charged, total(photograph) - photograph.of(Waiting::transit));
  EXPECT_EQ(victims, photograph.victims);
  EXPECT_EQ(victims + std::accumulate(photograph.culprits_to.begin(), photograph.culprits_to.end(),
                                      std::uint64_t{0}),
            charged);
  EXPECT_EQ(std::accumulate(photograph.hol_to.begin(), photograph.hol_to.end(), std::uint64_t{0}),
            photograph.of(Waiting::hol));
  EXPECT_EQ(std::accumulate(photograph.victims_to.begin(), photograph.victims_to.end(), std::uint64_t{0}),
            photograph.victims);
}

bool has_queue_per_destination(const Network& network) {
  if (network.queue_map.key != QueueKey::destination || !network.in_order) return false;
  std::set<std::uint32_t> queues;
  for (NodeId node = 0; node < network.nodes(); ++node) queues.insert(network.queue_map.queue_of[node]);
  return queues.size() == network.nodes() && network.queue_map.channels == 1;
}

void expect_adds_up(const Network& network) {
  const Workload workload = until_stop(network.nodes());
  const auto simulation = make_simulation(network, workload, {.seed = 1});
  const auto unseen = make_simulation(network, workload, {.seed = 1});
  Camera camera(network, 1);
  std::uint64_t waited = 0, hol = 0, victims = 0;
  const auto drained = [&] {
    return simulation->record().counters.packets_generated == simulation->record().counters.packets_delivered;
  };
  Tick tick = 1;
  for (; tick <= kEnd && (tick <= kLastMessage || !drained()); ++tick) {
    simulation->run_until(tick);
    const Photograph& photograph = camera.take(simulation->view());
    expect_consistent(photograph, simulation->record());
    expect_rooms(network, photograph);
    waited += total(photograph);
    hol += photograph.of(Waiting::hol);
    victims += photograph.victims;
    if (testing::Test::HasFailure()) return;
  }
  ASSERT_TRUE(drained());
  EXPECT_EQ(waited, simulation->record().counters.latency_ticks);
  unseen->run_until(tick);
  EXPECT_EQ(unseen->record().trace_hash, simulation->record().trace_hash);
  if (has_queue_per_destination(network)) {
    EXPECT_EQ(hol, 0U);
    // with a FIFO at the node, destinations share one queue
    if (network.admittance == Admittance::per_destination) EXPECT_EQ(victims, 0U);
  }
}

TEST(Waiting, AddsUpInEveryCombination) {
  const auto visit = [](const Network& network) {
    if (!HasFailure() && !network.routes.choices) expect_adds_up(network);
  };
  EXPECT_GT(for_each_combination(9, kPacket, visit), 200U);
}

}  // namespace
}  // namespace headway
