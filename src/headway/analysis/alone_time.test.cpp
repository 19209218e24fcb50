// SPDX-License-Identifier: Apache-2.0
// The time of a message alone is that of a simulation with this message only.
#include "headway/analysis/alone_time.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/property/networks.h"
#include "tests/support/dice.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kFull = 64;

Tick simulated(const Network& network, NodeId source, NodeId destination, std::uint32_t packets,
               std::uint32_t last_bytes) {
  const Workload workload =
      test::scripted({{source, destination, 0}}, (packets - 1) * kFull + last_bytes, kFull);
  std::vector<Delivery> deliveries;
  const auto simulation =
      make_simulation(network, workload, {.seed = 1, .deliveries = append_to(deliveries)});
  for (Tick end = 64; deliveries.size() < packets && end < 1 << 24; end *= 2) simulation->run_until(end);
  EXPECT_EQ(deliveries.size(), packets);
  return deliveries.empty() ? 0 : deliveries.back().tick;
}

void expect_equal(const Network& network) {
  AloneTime alone(network);
  for (NodeId source = 0; source < network.nodes(); source += 1 + network.nodes() / 5)
    for (NodeId destination = 0; destination < network.nodes(); destination += 1 + network.nodes() / 7)
      for (const auto& [packets, last] : {std::pair{1U, 9U}, {1U, kFull}, {2U, 5U}, {7U, kFull}, {9U, 1U}})
        ASSERT_EQ(alone.of(source, destination, {packets, last}),
                  simulated(network, source, destination, packets, last))
            << source << " -> " << destination << ", " << packets << " packets, the last of " << last;
}

NetworkOptions options_of(bool stores, std::uint32_t speedup) {
  NetworkOptions options;
  options.packet_bytes = kFull;
  options.store_and_forward = stores;
  options.routing_delay = 7;
  options.capacity = options.injection_capacity = 64;
  if (speedup > 0) options.output_capacity = 64, options.crossbar_speedup = speedup;
  if (speedup > 1) options.tick = Duration{Rational(1, speedup)};
  return options;
}

TEST(AloneTime, IsThatOfASimulationInEveryTopology) {
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes;
    topology->check(mistakes);
    if (!mistakes.empty() || topology->nodes() > 30 || has_several_networks(topology)) continue;
    for (const auto& [name, routing] : variants(routings()))
      for (const bool stores : {false, true}) {
        if (!routing->single_path()) continue;
        SCOPED_TRACE(testing::Message() << label << ", " << name << ' ' << stores);
        Graph graph = topology->build({});
        std::optional<Routes> routes = routes_over(graph, *routing);
        if (routes)
          expect_equal({std::move(graph), std::move(*routes), QueueMap::single(), options_of(stores, 0)});
      }
  }
}

TEST(AloneTime, IsThatOfASimulationOverLinksThatDiffer) {
  for (std::uint32_t number = 0; number < 36; ++number) {
    const Graph alike = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 3}}})->build({});
    Graph graph = test::with_any_links(alike, number, 90);
    NetworkOptions options = options_of(number % 3 == 0, number / 6 % 3);
    options.holds_faster_links = number % 2 == 0;
    RouteTable routes = choose(routings(), "dor")->build(graph).table;
    SCOPED_TRACE(number);
    expect_equal({std::move(graph), std::move(routes), QueueMap::single(), options});
  }
}

}  // namespace
}  // namespace headway
