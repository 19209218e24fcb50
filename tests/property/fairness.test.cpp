// SPDX-License-Identifier: Apache-2.0
// Arbitration is fair: under symmetric overload no arbiter and no scheme favours an input, output, queue or
// direction. Each test counts deliveries per pair of nodes; by symmetry the shares of all pairs must be
// equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kFairPacket = 8;
constexpr ArbiterKind kArbiters[] = {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                     ArbiterKind::random};

using Pair = std::pair<NodeId, NodeId>;

// One saturated flow per pair.
Workload every_pair(const std::vector<Pair>& pairs) {
  Workload workload;
  for (const auto& [source, destination] : pairs) {
    workload.sources.push_back({source, static_cast<std::uint32_t>(workload.flows.size())});
    workload.flows.push_back(
        {.destinations = test::always(destination), .backlog = 4, .last_bytes = kFairPacket});
  }
  return workload;
}

NetworkOptions options_with(ArbiterKind arbiter) {
  NetworkOptions options;
  options.arbiter = arbiter;
  options.packet_bytes = kFairPacket;
  options.capacity = options.injection_capacity = 3;
  return options;
}

// After the start has settled, all pairs must have the same number of deliveries to within one packet; with
// random arbitration, to within five standard deviations of a fair draw.
void expect_equal_shares(const Network& network, const std::vector<Pair>& pairs, const std::string& what) {
  std::vector<Delivery> deliveries;
  const Workload workload = every_pair(pairs);
  const auto simulation =
      make_simulation(network, workload, {.seed = 5, .check = false, .deliveries = append_to(deliveries)});
  const Tick settled = 100 * kFairPacket;
  simulation->run_until(settled + static_cast<Tick>(pairs.size()) * 200 * kFairPacket);
  std::map<Pair, double> count_of;
  double total = 0;
  for (const Delivery& d : deliveries)
    if (d.tick >= settled) {
      ++count_of[{d.source, d.destination}];
      ++total;
    }
  const double mean = total / static_cast<double>(pairs.size());
  for (const Pair& pair : pairs) {
    const double allowed = network.arbiter == ArbiterKind::random ? 5 * std::sqrt(mean) : 1;
    EXPECT_NEAR(count_of[pair], mean, allowed) << what << ": " << pair.first << " -> " << pair.second;
  }
}

std::string named(std::string_view scheme, ArbiterKind arbiter) {
  return std::string(scheme) + ", arbiter " + std::to_string(static_cast<int>(arbiter));
}

TEST(Fairness, InputsOfAnOutput) {
  for (const Entry<Scheme>& scheme : schemes())
    for (const ArbiterKind arbiter : kArbiters)
      for (const std::uint32_t nodes : {5U, 70U}) {
        const Choice<Topology> star = choose(topologies(), "single-switch", {{"nodes", nodes}});
        std::vector<Pair> pairs;
        for (NodeId node = 0; node < nodes; ++node) pairs.emplace_back(node, nodes / 2);
        expect_equal_shares(
            test::network_of(star, "det", choose(schemes(), scheme.name), options_with(arbiter)), pairs,
            named(scheme.name, arbiter));
      }
}

// Eight destinations, so that schemes with four queues have two in each.
TEST(Fairness, OutputsOfAnInput) {
  for (const Entry<Scheme>& scheme : schemes())
    for (const ArbiterKind arbiter : kArbiters) {
      const Choice<Topology> star = choose(topologies(), "single-switch", {{"nodes", 8}});
      std::vector<Pair> pairs;
      for (NodeId node = 0; node < 8; ++node) pairs.emplace_back(2, node);
      expect_equal_shares(
          test::network_of(star, "det", choose(schemes(), scheme.name), options_with(arbiter)), pairs,
          named(scheme.name, arbiter));
    }
}

TEST(Fairness, InputsAndOutputsAtOnce) {
  for (const ArbiterKind arbiter : kArbiters) {
    const Choice<Topology> star = choose(topologies(), "single-switch", {{"nodes", 6}});
    std::vector<Pair> pairs;
    for (NodeId source = 0; source < 6; ++source)
      for (NodeId destination = 0; destination < 6; ++destination) pairs.emplace_back(source, destination);
    expect_equal_shares(test::network_of(star, "det", choose(schemes(), "voqsw"), options_with(arbiter)),
                        pairs, named("voqsw", arbiter));
  }
}

// Two inputs have packets for each of four outputs of a six-port switch, so two of these outputs get nothing
// in every round. The links to the switch are faster than those from it, so packets for every output always
// wait there.
TEST(Fairness, OutputsThatCompeteForInputs) {
  Graph graph(6, {6}, SingleSwitchShape{});
  for (NodeId node = 0; node < 6; ++node) {
    graph.connect_directed(graph.node_port(node), graph.port(0, node), {Rate{1}, Duration{4}});
    graph.connect_directed(graph.port(0, node), graph.node_port(node), {Rate{Rational(1, 2)}, Duration{4}});
  }
  std::vector<Pair> pairs;
  for (NodeId source = 0; source < 2; ++source)
    for (NodeId destination = 2; destination < 6; ++destination) pairs.emplace_back(source, destination);
  const Workload workload = every_pair(pairs);
  for (const char* scheme : {"voqsw", "voqnet"})
    for (const ArbiterKind arbiter : kArbiters) {
      const Network network(graph, test::star_routes(6), choose(schemes(), scheme)->build(graph),
                            options_with(arbiter));
      std::vector<Delivery> deliveries;
      make_simulation(network, workload, {.deliveries = append_to(deliveries)})
          ->run_until(32000 * kFairPacket);
      // turns are random, so a pair's share may be up to five standard deviations from the mean
      std::map<Pair, double> packets;
      for (const Delivery& delivery : deliveries) ++packets[{delivery.source, delivery.destination}];
      const double mean = static_cast<double>(deliveries.size()) / static_cast<double>(pairs.size());
      for (const Pair& pair : pairs)
        EXPECT_NEAR(packets[pair], mean, 5 * std::sqrt(mean))
            << named(scheme, arbiter) << pair.first << " to " << pair.second;
    }
}

// Two switches with four nodes each share one link in both directions.
TEST(Fairness, QueuesInputsAndDirectionsOfALink) {
  Graph graph(8, {5, 5}, IrregularShape{});
  for (NodeId node = 0; node < 8; ++node)
    graph.connect(graph.node_port(node), graph.port(node / 4, node % 4), {});
  graph.connect(graph.port(0, 4), graph.port(1, 4), {});
  std::vector<PortRange> candidates;
  for (SwitchId sw = 0; sw < 2; ++sw)
    for (NodeId node = 0; node < 8; ++node)
      candidates.push_back({static_cast<std::uint16_t>(node / 4 == sw ? node % 4 : 4), 1});
  const RouteTable routes = RouteTable::from_table(8, candidates);
  std::vector<Pair> pairs;
  for (NodeId left = 0; left < 4; ++left)
    for (NodeId right = 4; right < 8; ++right) {
      pairs.emplace_back(left, right);
      pairs.emplace_back(right, left);
    }
  for (const Entry<Scheme>& entry : schemes())
    for (const ArbiterKind arbiter : kArbiters) {
      const auto scheme = entry.make();
      expect_equal_shares(Network(graph, routes, scheme->build(graph),
                                  test::options_for(*scheme, graph.nodes(), options_with(arbiter))),
                          pairs, named(entry.name, arbiter));
    }
}

}  // namespace
}  // namespace headway
