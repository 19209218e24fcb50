// SPDX-License-Identifier: Apache-2.0
// Deadlocks are distinguished from saturation and reported with the queues that wait for each other. On a
// one-way ring, packets that all travel two hops fill every queue and wait for the next one. A queue per
// destination breaks the cycle because the queue of destination d ends at d (Dally and Seitz, IEEE Trans.
// Computers 36(5), 1987).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/routing/service_levels.h"
#include "headway/topology/link_faults.h"
#include "tests/property/networks.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kSwitches = 4;

Network ring_with(QueueMap queue_map) {
  NetworkOptions options;
  options.packet_bytes = 8;
  options.capacity = options.injection_capacity = 2;
  options.in_order = queue_map.channels == 1;
  return {test::ring(kSwitches), test::ring_routes(kSwitches), std::move(queue_map), options};
}

Workload to_switch(std::uint32_t hops) {
  std::vector<NodeId> destination_of;
  for (NodeId node = 0; node < kSwitches; ++node) destination_of.push_back((node + hops) % kSwitches);
  return test::saturated(test::first_nodes(kSwitches), test::each_to(destination_of), 8);
}

TEST(Deadlock, ARingThatFillsIsReportedWithItsCycle) {
  for (const QueueMap& queue_map : {QueueMap::single(), QueueMap::most_room(3)}) {
    const Network network = ring_with(queue_map);
    const Workload workload = test::saturated(test::first_nodes(kSwitches), test::anywhere(kSwitches), 8);
    const auto simulation = make_simulation(network, workload, {.seed = 1, .check = true});
    simulation->run_until(20'000);
    const std::uint64_t delivered = simulation->record().counters.packets_delivered;
    const Stall stall = simulation->find_stall();
    EXPECT_TRUE(stall.deadlocked);
    EXPECT_EQ(stall.packets, simulation->record().packets_in_network)
        << "every packet in the network is stuck";
    for (SwitchId sw = 0; sw < kSwitches; ++sw)
      EXPECT_THAT(stall.text, testing::ContainsRegex("switch " + std::to_string(sw) +
                                                     " port 1 queue 0 \\(node [0-3] -> node [0-3]\\) -> "));
    simulation->run_until(30'000);
    EXPECT_EQ(simulation->record().counters.packets_delivered, delivered);
  }
}

// Priority flow control deadlocks as credits do: every lane of the ring has paused its sender.
TEST(Deadlock, ARingOfPausedLanesIsReportedWithItsCycle) {
  for (const std::uint32_t alpha : {0U, PauseRules::kAlphaUnit}) {
    NetworkOptions options;
    options.packet_bytes = 8;
    options.capacity = 30;
    options.injection_capacity = 2;
    options.pause =
        PauseRules{.unit_bytes = 8, .xoff = 3, .gap = 1, .headroom = 4, .alpha = alpha, .least_bytes = 8};
    const Network network(test::ring(kSwitches), test::ring_routes(kSwitches), QueueMap::single(), options);
    const Workload workload = test::saturated(test::first_nodes(kSwitches), test::anywhere(kSwitches), 8);
    const auto simulation = make_simulation(network, workload, {.seed = 1, .check = true});
    simulation->run_until(40'000);
    const std::uint64_t delivered = simulation->record().counters.packets_delivered;
    const Stall stall = simulation->find_stall();
    EXPECT_TRUE(stall.deadlocked);
    for (SwitchId sw = 0; sw < kSwitches; ++sw)
      EXPECT_THAT(stall.text, testing::HasSubstr("switch " + std::to_string(sw) + " port 1 queue 0 (node "));
    simulation->run_until(50'000);
    EXPECT_EQ(simulation->record().counters.packets_delivered, delivered);
  }
}

TEST(Deadlock, WhatIsOnlySaturatedIsNot) {
  const auto expect_none = [](const Network& network, const Workload& workload) {
    const auto simulation = make_simulation(network, workload, {.seed = 1});
    for (Tick tick = 500; tick < 3000; tick += 13) {
      simulation->run_until(tick);
      const Stall stall = simulation->find_stall();
      EXPECT_FALSE(stall.deadlocked) << "tick " << tick << ": " << stall.text;
    }
    EXPECT_GT(simulation->record().counters.packets_delivered, 300U);
  };
  // traffic to neighbours only: queues are full, but each empties into a node
  expect_none(ring_with(QueueMap::single()), to_switch(1));
  // a queue per destination: no cycle although the ring is full
  expect_none(
      ring_with(QueueMap::from(QueueKey::destination, kSwitches, kSwitches, [](auto node) { return node; })),
      to_switch(2));
  // all nodes send to one node of a tree: the congestion tree reaches every queue
  NetworkOptions options;
  options.packet_bytes = 8;
  options.capacity = 1;
  for (const Entry<Scheme>& scheme : schemes())
    expect_none(test::network_of(choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}}), "det",
                                 choose(schemes(), scheme.name), options),
                test::saturated(test::first_nodes(27), test::always(5), 8));
}

// Two or three lanes, with a table over some of hops and ports, and a level for every pair.
ServiceLevels random_levels(Rng& rng, const Graph& graph) {
  ServiceLevels services{.lanes = 2 + rng.below(2)};
  const std::uint32_t levels = 1 + rng.below(3);
  services.table = LaneTable::modulo(levels, services.lanes);
  if (rng.below(2) == 0) {
    if (rng.below(2) == 0) services.table.hops = 1 + rng.below(3);
    if (rng.below(3) == 0) services.table.inputs = graph.max_radix();
    if (rng.below(3) == 0) services.table.outputs = graph.max_radix();
    services.table.lane.resize(std::size_t{levels} * services.table.hops * services.table.inputs *
                               services.table.outputs);
    for (std::uint8_t& lane : services.table.lane)
      lane = static_cast<std::uint8_t>(rng.below(services.lanes));
  }
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    services.of_pair.of_source.push_back(node * graph.nodes());
    services.of_pair.of_destination.push_back(node);
  }
  for (std::uint32_t pair = 0; pair < graph.nodes() * graph.nodes(); ++pair)
    services.of_pair.level.push_back(static_cast<std::uint8_t>(rng.below(levels)));
  return services;
}

// The routes with random service levels; none if these are refused.
std::optional<Routes> with_levels(Rng& rng, const Graph& graph, const Routes& routes) {
  try {
    return with_service_levels(routes, graph, random_levels(rng, graph));
  } catch (const SpecError&) {
    return std::nullopt;
  }
}

// Networks of all topologies continue to deliver when uniform traffic or a hot spot fills every queue: with
// and without failed links, with every routing that supports them, with and without lanes by service levels,
// with any scheme and the least memory allowed, input-queued and CIOQ.
TEST(Deadlock, NoNetworkHasOneThatWasNotRefused) {
  constexpr std::uint32_t kNetworks = 2000, kBytes = 4;
  const std::vector<NamedGraph> graphs = small_graphs(64);
  const auto all_routings = variants(routings());
  const auto all_schemes = variants(schemes());
  std::uint32_t networks = 0, with_failures = 0, with_lanes = 0, with_services = 0, one_queue_per_lane = 0;
  Rng rng(1, 0);
  const auto pick = [&](const auto& list) -> const auto& {
    return list[rng.below(static_cast<std::uint32_t>(list.size()))];
  };
  while (networks < kNetworks && !HasFailure()) {
    const auto& [label, whole] = pick(graphs);
    Graph graph = whole;
    if (graph.nodes() < 2) continue;
    LinkFaults faults;
    faults.failed.part = rng.below(2) == 0 ? 0 : 0.01 * rng.below(15);
    faults.failed.seed = networks;
    try {
      apply(faults, graph);
    } catch (const SpecError&) {
      continue;  // some nodes cannot reach each other
    }
    const auto& [routing_label, routing] = pick(all_routings);
    const auto& [scheme_label, scheme] = pick(all_schemes);
    auto routes = routes_over(graph, *routing);
    if (routes && rng.below(3) == 0) routes = with_levels(rng, graph, *routes);
    if (!routes) continue;
    const auto units = static_cast<OutputUnits>(rng.below(3));
    const auto network = network_of(graph, *routing, *routes, *scheme, kBytes, networks, units);
    if (!network) continue;
    SCOPED_TRACE(label + ", " + routing_label + ", " + scheme_label + ", seed " + std::to_string(networks));
    const Workload workload = test::saturated(
        test::first_nodes(graph.nodes()),
        networks % 2 == 0 ? test::anywhere(graph.nodes()) : test::always(rng.below(graph.nodes())), kBytes);
    const auto simulation = make_simulation(*network, workload, {.seed = networks});
    simulation->run_until(600);
    const std::uint64_t delivered = simulation->record().counters.packets_delivered;
    const Stall stall = simulation->find_stall();
    EXPECT_FALSE(stall.deadlocked) << stall.text;
    simulation->run_until(1000);
    EXPECT_GT(simulation->record().counters.packets_delivered, delivered);
    ++networks;
    with_failures += graph.has_failures() ? 1 : 0;
    with_lanes += network->lanes > 1 ? 1 : 0;
    one_queue_per_lane += network->lanes > 1 && units == OutputUnits::one ? 1 : 0;
    with_services += routes->lanes.service_lanes() > 1 ? 1 : 0;
  }
  EXPECT_GT(with_failures, 200U);
  EXPECT_GT(with_lanes, 200U);
  EXPECT_GT(one_queue_per_lane, 100U);
  EXPECT_GT(with_services, 200U);
}

}  // namespace
}  // namespace headway
