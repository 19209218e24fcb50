// SPDX-License-Identifier: Apache-2.0
// Nothing is lost, made or kept: every topology, routing and scheme in several sizes runs into saturation
// with its invariants checked in every tick, then the sources stop and the network must drain to
// the last packet. The check after the last event includes that every credit is back with its sender.
#include <gtest/gtest.h>

#include "headway/engine/simulation.h"
#include "tests/property/networks.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kBytes = 7;

// Messages of three packets, the last one short, to anyone.
Workload until(Tick stop, std::uint32_t nodes) {
  Workload workload = test::saturated(test::first_nodes(nodes), test::anywhere(nodes), kBytes, 3);
  workload.flows[0].packets = 3;
  workload.flows[0].last_bytes = 2;
  workload.flows[0].stop = stop;
  return workload;
}

void expect_drained(const Network& network) {
  const Workload workload = until(250, network.nodes());
  std::vector<Delivery> deliveries;
  const auto simulation =
      make_simulation(network, workload, {.seed = 1, .check = true, .deliveries = &deliveries});
  simulation->run_until(250);
  EXPECT_GT(simulation->record().packets_in_network, 0U);
  simulation->run_until(50'000);
  const Record& record = simulation->record();
  EXPECT_EQ(record.waiting_packets, 0U);
  EXPECT_EQ(record.packets_in_network, 0U);
  EXPECT_EQ(record.counters.packets_delivered, record.counters.packets_generated);
  EXPECT_EQ(record.counters.bytes_delivered, record.counters.bytes_generated);
  EXPECT_EQ(record.counters.packets_injected, record.counters.packets_generated);
  EXPECT_EQ(deliveries.size(), record.counters.packets_generated);
  if (const Isolation* isolation = simulation->view().isolation()) {
    EXPECT_EQ(isolation->counts().active_lines + isolation->counts().adapter_lines, 0U);
    EXPECT_EQ(isolation->counts().stops, isolation->counts().gos);
  }
  if (network.in_order) {
    EXPECT_EQ(record.counters.out_of_order, 0U);
  }
}

TEST(Conservation, EveryCombinationDrains) {
  std::uint32_t number = 0;  // the other settings take turns
  for (const NamedGraph& graph : small_graphs(20))
    for (const auto& [routing_label, routing] : variants(routings())) {
      const auto routes = routes_over(graph.graph, *routing);
      if (!routes) continue;
      for (const auto& [scheme_label, scheme] : variants(schemes())) {
        SCOPED_TRACE(graph.label + ", " + routing_label + ", " + scheme_label);
        NetworkOptions options;
        options.packet_bytes = kBytes;
        options.arbiter = static_cast<ArbiterKind>(number % 3);
        options.store_and_forward = number / 3 % 2 == 1;
        options.admittance = number / 6 % 2 == 1 ? Admittance::fifo : Admittance::per_destination;
        options.capacity = (graph.graph.has_rings() ? 2 : 1) + number % 4;
        options.injection_capacity = 1 + number % 5;
        options.routing_delay = number % 2;
        options.in_order = routing->single_path() && scheme->in_order();
        ++number;
        if (scheme->isolation() && (graph.graph.has_rings() || !routing->by_destination())) continue;
        expect_drained(Network(graph.graph, *routes, scheme->build(graph.graph),
                               test::options_for(*scheme, graph.graph.nodes(), options)));
      }
    }
  EXPECT_GT(number, 300U);
}

}  // namespace
}  // namespace headway
