// SPDX-License-Identifier: Apache-2.0
// Packets are conserved. Every topology, routing and scheme in several sizes runs into saturation with
// invariants checked in every tick. Then the sources stop and the network must drain to the last packet. The
// check after the last event includes that every credit has returned to its sender.
#include <gtest/gtest.h>

#include "headway/engine/simulation.h"
#include "tests/property/networks.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kOddPacketBytes = 7;

// Messages of three packets, the last one short, to random nodes.
Workload until(Tick stop, std::uint32_t nodes) {
  Workload workload = test::saturated(test::first_nodes(nodes), test::anywhere(nodes), kOddPacketBytes, 3);
  workload.flows[0].packets = 3;
  workload.flows[0].last_bytes = 2;
  workload.flows[0].stop = stop;
  return workload;
}

void expect_drained(const Network& network) {
  const Workload workload = until(150, network.nodes());
  std::vector<Delivery> deliveries;
  const auto simulation =
      make_simulation(network, workload, {.seed = 1, .check = true, .deliveries = append_to(deliveries)});
  simulation->run_until(150);
  EXPECT_GT(simulation->record().packets_in_network, 0U);
  simulation->run_until(50'000);
  const Record& record = simulation->record();
  EXPECT_EQ(record.waiting_packets, 0U);
  EXPECT_EQ(record.packets_in_network, 0U);
  EXPECT_EQ(record.counters.packets_delivered, record.counters.packets_generated);
  EXPECT_EQ(record.counters.bytes_delivered, record.counters.bytes_generated);
  EXPECT_EQ(record.counters.packets_injected, record.counters.packets_generated);
  EXPECT_EQ(deliveries.size(), record.counters.packets_generated);
  if (simulation->view().isolation() != nullptr) {
    const IsolationCounts counts = simulation->view().isolation_counts();
    EXPECT_EQ(counts.active_lines + counts.adapter_lines, 0U);
    EXPECT_EQ(counts.stops, counts.gos);
  }
  if (network.in_order) {
    EXPECT_EQ(record.counters.out_of_order, 0U);
  }
}

// Packets of 7 B and 2 B take three cells and one.
TEST(Conservation, CellsDrain) {
  for (const std::string_view scheme :
       {"1q", "dbbm", "obqa", "emptiest", "fbicm", "recn-iq", "dbbm-unshared"})
    for (const std::uint32_t output_capacity : {0, 4}) {
      const Choice<Scheme> chosen = choose(schemes(), scheme);
      if (output_capacity > 0 && chosen->pools_memory()) continue;
      for (const bool shares_links : {false, true}) {
        const NetworkOptions options{.packet_bytes = kOddPacketBytes,
                                     .cell_bytes = 3,
                                     .capacity = 10,
                                     .injection_capacity = 5,
                                     .output_capacity = output_capacity,
                                     .credit_bytes = shares_links ? 2U : 0U};
        SCOPED_TRACE(testing::Message() << scheme << ", output capacity " << output_capacity);
        expect_drained(test::network_of(choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}}), "det",
                                        chosen, options));
      }
    }
}

TEST(Conservation, EveryCombinationDrains) {
  EXPECT_GT(for_each_combination(20, kOddPacketBytes, expect_drained), 300U);
}

}  // namespace
}  // namespace headway
