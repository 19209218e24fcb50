// SPDX-License-Identifier: Apache-2.0
// An empty network delivers after exactly t + X d + H r (cut-through) or X (t + d) + H r (store-and-forward)
// over X links and H switches, for every pair. On a k-ary n-tree H = 2 i + 1, X = H + 1, where i
// is the highest digit in which source and destination differ. Over links that differ it is the sum of all
// delays plus H r plus the t of the last link and of every link that is slower than the next, whose packets
// are stored. If they are not stored, it is the sum of all delays plus the largest t_i + H_i r, where H_i
// counts the switches before link i.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/property/networks.h"
#include "tests/support/anchor.h"
#include "tests/support/hand_made.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

constexpr std::uint32_t kFullPacket = 64;  // at 1 B/ns, over links of 4 ns
constexpr Tick kLinkDelay = 4;
constexpr Tick kRoutingDelay = 7;
constexpr Tick kApart = 1000;  // ticks between packets, more than any packet needs

std::uint32_t switches_between(NodeId a, NodeId b, std::uint32_t k) {
  std::uint32_t switches = 1;
  for (a /= k, b /= k; a != b; a /= k, b /= k) switches += 2;
  return switches;
}

// Sends one packet per pair, one after the other. Returns the mean latency over pairs of different nodes in
// ticks.
double expect_closed_form(const Network& network, std::uint32_t k) {
  std::vector<test::Message> messages;
  for (NodeId source = 0; source < network.nodes(); ++source)
    for (NodeId destination = 0; destination < network.nodes(); ++destination)
      messages.push_back({source, destination, static_cast<Tick>(messages.size()) * kApart});
  const Workload workload = test::scripted(messages, kFullPacket, kFullPacket);
  std::vector<Delivery> deliveries;
  make_simulation(network, workload, {.seed = 1, .check = false, .deliveries = append_to(deliveries)})
      ->run_until(static_cast<Tick>(messages.size()) * kApart);
  EXPECT_EQ(deliveries.size(), messages.size());
  double sum = 0;
  for (std::size_t i = 0; i < deliveries.size(); ++i) {
    const Delivery& d = deliveries[i];
    const Tick switches = switches_between(d.source, d.destination, k);
    const Tick links = switches + 1;
    const Tick expected = network.store_and_forward
                              ? links * (kFullPacket + kLinkDelay) + switches * network.routing_delay
                              : kFullPacket + links * kLinkDelay + switches * network.routing_delay;
    const Tick latency = d.tick - messages[i].tick;
    EXPECT_EQ(latency, expected) << d.source << " -> " << d.destination;
    if (d.source != d.destination) sum += static_cast<double>(latency);
  }
  const double nodes = network.nodes();
  return sum / (nodes * (nodes - 1));
}

Network of_64_bytes(const Choice<Topology>& topology, const char* routing, bool store_and_forward,
                    Tick routing_delay) {
  NetworkOptions options;
  options.packet_bytes = kFullPacket;
  options.store_and_forward = store_and_forward;
  options.routing_delay = routing_delay;
  return test::network_of(topology, routing, choose(schemes(), "voqsw"), options);
}

TEST(ZeroLoad, EveryPairOfATree) {
  for (const auto& [k, n] : {std::pair{2U, 1U}, {2U, 3U}, {2U, 5U}, {3U, 3U}, {4U, 2U}, {5U, 2U}, {16U, 1U}})
    for (const char* routing : {"det", "random-up"})
      for (const bool store_and_forward : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << k << "-ary " << n << "-tree, " << routing << ' ' << store_and_forward);
        const auto tree = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}});
        expect_closed_form(of_64_bytes(tree, routing, store_and_forward, kRoutingDelay), k);
      }
}

TEST(ZeroLoad, EveryPairOfASingleSwitch) {
  const auto one = choose(topologies(), "single-switch", {{"nodes", 100}});
  for (const bool store_and_forward : {false, true})
    expect_closed_form(of_64_bytes(one, "det", store_and_forward, kRoutingDelay), 100);
}

// The closed form along the path of every pair.
void expect_closed_form_along_paths(const Network& network) {
  std::vector<test::Message> messages;
  for (NodeId source = 0; source < network.nodes(); ++source)
    for (NodeId destination = 0; destination < network.nodes(); ++destination)
      messages.push_back({source, destination, static_cast<Tick>(messages.size()) * 8 * kApart});
  const Workload workload = test::scripted(messages, kFullPacket, kFullPacket);
  std::vector<Delivery> deliveries;
  make_simulation(network, workload, {.seed = 1, .check = false, .deliveries = append_to(deliveries)})
      ->run_until(static_cast<Tick>(messages.size()) * 8 * kApart);
  ASSERT_EQ(deliveries.size(), messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    Tick delays = 0, tail = 0, lengths = 0, stored = 0, last = 0, routing = -network.routing_delay;
    test::walk(network.graph, network.routes.table, messages[i].source, messages[i].destination,
               [&](PortId output) {
                 const Port& link = network.ports[network.link_port(output)];
                 const Tick length = static_cast<Tick>(kFullPacket) * link.ticks_per_byte;
                 routing += network.routing_delay;
                 delays += link.delay;
                 lengths += length;
                 tail = std::max(tail, length + routing);
                 if (last > length) stored += last;
                 last = length;
               });
    const Tick expected = delays + (network.store_and_forward    ? lengths + routing
                                    : network.holds_faster_links ? tail
                                                                 : stored + last + routing);
    ASSERT_EQ(deliveries[i].tick - messages[i].tick, expected)
        << messages[i].source << " -> " << messages[i].destination;
  }
}

TEST(ZeroLoad, EveryPairOfEveryTopology) {
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes;
    topology->check(mistakes);
    if (!mistakes.empty() || topology->nodes() > 30 || has_several_networks(topology)) continue;
    for (const auto& [name, routing] : variants(routings()))
      for (const bool store_and_forward : {false, true}) {
        if (!routing->single_path()) continue;
        SCOPED_TRACE(testing::Message() << label << ", " << name << ' ' << store_and_forward);
        NetworkOptions options;
        options.packet_bytes = kFullPacket;
        options.store_and_forward = store_and_forward;
        options.routing_delay = kRoutingDelay;
        Graph graph = topology->build({});
        std::optional<Routes> routes = routes_over(graph, *routing);
        if (routes)
          expect_closed_form_along_paths({std::move(graph), std::move(*routes), QueueMap::single(), options});
      }
  }
}

TEST(ZeroLoad, EveryPairOverLinksThatDiffer) {
  for (std::uint32_t number = 0; number < 24; ++number) {
    const Graph alike = choose(topologies(), number / 2 % 2 == 0 ? "mesh" : "torus",
                               {{"sides", std::vector<std::int64_t>{4, 3}}})
                            ->build({});
    Graph graph = test::with_any_links(alike, number, 90);
    NetworkOptions options;
    options.packet_bytes = kFullPacket;
    options.store_and_forward = number % 3 == 0;
    options.holds_faster_links = number % 2 == 0;
    options.routing_delay = number % 4 * 13;
    if (number >= 12) {
      options.output_capacity = 2;
      options.crossbar_speedup = 2;
      options.tick = Duration{Rational(1, 2)};
    }
    RouteTable routes = choose(routings(), "dor")->build(graph).table;
    SCOPED_TRACE(number);
    expect_closed_form_along_paths({std::move(graph), std::move(routes), QueueMap::single(), options});
  }
}

// Mean latencies of the networks of the OBQA paper.
TEST(ZeroLoad, MeansOfThePapersNetworks) {
  const auto mean = [](std::uint32_t k, std::uint32_t n, bool store_and_forward, Tick routing_delay) {
    const auto tree = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}});
    return expect_closed_form(of_64_bytes(tree, "det", store_and_forward, routing_delay), k);
  };
  const struct {
    std::uint32_t k, n;
    bool store_and_forward;
    Tick routing_delay;
    double ns, tolerance;
  } means[] = {{4, 3, false, 0, 85.7, 0.05},  {4, 3, false, 10, 130, 0.1}, {4, 4, false, 0, 93.5, 0.05},
               {16, 2, false, 0, 79.5, 0.05}, {4, 3, true, 0, 369, 0.5},   {4, 4, true, 0, 501, 0.5},
               {16, 2, true, 0, 264, 0.5}};
  for (const auto& of : means)
    test::expect_anchor(
        {"empty",
         fmt::format("mean latency of a {}-ary {}-tree, {}, routing in {} ns, ns", of.k, of.n,
                     of.store_and_forward ? "store-and-forward" : "cut-through", of.routing_delay),
         "mean over all pairs; networks of OBQA (Euro-Par 2010)", of.ns, of.tolerance},
        mean(of.k, of.n, of.store_and_forward, of.routing_delay));
}

}  // namespace
}  // namespace headway
