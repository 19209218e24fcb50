// SPDX-License-Identifier: Apache-2.0
// Worked examples: small networks at one tick, classified by hand (docs/waiting.md, "By hand"). Packets of 10
// bytes, links of 1 byte per tick.
#include "headway/observe/camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::uint32_t kBytesOfPacket = 10;

Network star_of_five(std::uint32_t capacity, const Duration& delay = {1}) {
  NetworkOptions options;
  options.packet_bytes = kBytesOfPacket;
  options.capacity = capacity;
  options.injection_capacity = 8;
  options.in_order = true;
  return {test::star(5, 5, {Rate{1}, delay}), test::star_routes(5),
          choose(schemes(), "1q")->build(test::star(5, 5)), options};
}

// A photograph of a network with these messages, before `tick`.
Photograph at(Tick tick, const Network& network, const std::vector<test::Message>& messages) {
  const Workload workload = test::scripted(messages, kBytesOfPacket, kBytesOfPacket);
  const auto simulation = make_simulation(network, workload, {});
  simulation->run_until(tick);
  return Camera(network, 1).take(simulation->view());
}

// transit, admittance, room, output, serial, input, head-of-line blocking
auto waits(std::uint64_t transit, std::uint64_t admittance, std::uint64_t room, std::uint64_t output,
           std::uint64_t serial, std::uint64_t input, std::uint64_t hol) {
  return ElementsAre(transit, admittance, room, output, serial, input, hol, 0U, 0U);
}

std::vector<Root> roots_of(const Photograph& photograph) {
  std::vector<Root> roots;
  for (const RootSeen& seen : photograph.roots) roots.push_back(seen.root);
  return roots;
}

const std::vector<test::Message> kTwoSenders = {{0, 3, 0}, {0, 3, 0}, {0, 4, 0}, {1, 3, 0}, {1, 3, 0}};
constexpr PortId kAdapter0 = 5, kAdapter1 = 6;  // after the ports of the switch

TEST(Photograph, OutputAndSerial) {
  const Photograph seen = at(5, star_of_five(8), kTwoSenders);
  EXPECT_THAT(seen.packets, waits(1, 0, 0, 1, 3, 0, 0));
  EXPECT_THAT(roots_of(seen), ElementsAre(Root{RootKind::link, 3}, Root{RootKind::link, kAdapter0},
                                          Root{RootKind::link, kAdapter1}));
  EXPECT_EQ(seen.roots[0].packets, 1U);
  EXPECT_EQ(seen.roots[1].packets, 2U);
  EXPECT_EQ(seen.victims, 0U);
  EXPECT_EQ(seen.drain, 0U);
  EXPECT_EQ(seen.links[3], LinkTime::busy);
  EXPECT_EQ(seen.links[4], LinkTime::starved);  // the packet to node 4 is still at node 0
  EXPECT_EQ(seen.links[0], LinkTime::unwanted);
  EXPECT_EQ(seen.links[kAdapter0], LinkTime::busy);
}

// Input 1 has won the output; its second packet follows it, and node 0 sends its second one.
TEST(Photograph, TheSecondPacketsFollow) {
  EXPECT_THAT(at(13, star_of_five(8), kTwoSenders).packets, waits(1, 0, 0, 1, 2, 0, 0));
}

// The packet to node 4 has become head while its input sends the one before it.
TEST(Photograph, Input) {
  const Photograph seen = at(22, star_of_five(8), kTwoSenders);
  EXPECT_THAT(seen.packets, waits(2, 0, 0, 1, 0, 1, 0));
  EXPECT_THAT(roots_of(seen), ElementsAre(Root{RootKind::link, 3}, Root{RootKind::input, 0}));
  EXPECT_EQ(seen.links[4], LinkTime::lost_input);
}

// Nodes 1 and 2 send to node 3. After them, node 0 sends to node 3 and then to node 4.
const std::vector<test::Message> kBlocked = {{1, 3, 0}, {2, 3, 0}, {0, 3, 3}, {0, 4, 3}};

TEST(Photograph, HeadOfLineBlocking) {
  const Photograph seen = at(15, star_of_five(8), kBlocked);
  EXPECT_THAT(seen.packets, waits(1, 0, 0, 1, 0, 0, 1));
  EXPECT_EQ(seen.movable, 1U);
  EXPECT_THAT(roots_of(seen), ElementsAre(Root{RootKind::link, 3}));
  EXPECT_EQ(seen.roots[0].packets, 2U);
  EXPECT_EQ(seen.roots[0].victims, 1U);
  EXPECT_THAT(seen.roots[0].culprits, ElementsAre(Pair(3, 1)));
  EXPECT_EQ(seen.roots[0].depth, 0U);  // no queue waits for room
  EXPECT_THAT(seen.victims_to, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT(seen.hol_to, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(seen.links[4], LinkTime::lost_hol);
}

// With room for one packet at the switch, the second one waits at its node: a congestion tree of two queues.
TEST(Photograph, ATreeAndItsVictim) {
  const Photograph seen = at(15, star_of_five(1), kBlocked);
  EXPECT_THAT(seen.packets, waits(1, 0, 1, 1, 0, 0, 0));
  ASSERT_THAT(roots_of(seen), ElementsAre(Root{RootKind::link, 3}));
  EXPECT_EQ(seen.roots[0].victims, 1U);
  EXPECT_EQ(seen.roots[0].tree_queues, 2U);
  EXPECT_EQ(seen.roots[0].tree_ports, 2U);
  EXPECT_EQ(seen.roots[0].tree_packets, 2U);
  EXPECT_EQ(seen.roots[0].depth, 1U);
  EXPECT_EQ(seen.links[4], LinkTime::starved);
  EXPECT_EQ(seen.links[kAdapter0], LinkTime::lost_room);
}

// Three switches in a row, three nodes at each, and node 6 is hot; worked out in docs/waiting.md, "By hand".
TEST(Photograph, ThreeSwitchesAndAHotNode) {
  NetworkOptions options;
  options.packet_bytes = kBytesOfPacket;
  options.capacity = 1;
  options.injection_capacity = 8;
  options.in_order = true;
  const Graph row =
      choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{3}}, {"nodes_per_switch", 3}})
          ->build({Rate{1}, Duration{1}});
  const Network network(row, choose(routings(), "dor")->build(row), choose(schemes(), "1q")->build(row),
                        options);
  const Graph& graph = network.graph;
  const auto link_to = [&](NodeId node) { return graph.source_of(graph.node_port(node)); };
  const auto between = [&](SwitchId from, SwitchId to) {
    PortId port = graph.port(from, 0);
    while (graph.peer_of(port) == kNone || graph.is_node_port(graph.peer_of(port)) ||
           graph.switch_of(graph.peer_of(port)) != to)
      ++port;
    return port;
  };
  const Photograph seen =
      at(15, network, {{7, 6, 0}, {8, 6, 0}, {3, 6, 0}, {0, 6, 0}, {0, 4, 0}, {0, 1, 0}, {0, 6, 0}});
  EXPECT_THAT(seen.packets, waits(1, 0, 4, 1, 0, 0, 0));
  ASSERT_THAT(roots_of(seen), ElementsAre(Root{RootKind::link, link_to(6)}));
  EXPECT_EQ(seen.roots[0].packets, 5U);
  EXPECT_EQ(seen.roots[0].victims, 2U);
  EXPECT_THAT(seen.roots[0].culprits, ElementsAre(Pair(6, 3)));
  EXPECT_EQ(seen.roots[0].tree_queues, 4U);
  EXPECT_EQ(seen.roots[0].depth, 3U);
  EXPECT_THAT(seen.victims_to, ElementsAre(0, 1, 0, 0, 1, 0, 0, 0, 0));
  EXPECT_EQ(seen.links[link_to(6)], LinkTime::busy);
  EXPECT_EQ(seen.links[between(1, 2)], LinkTime::throttled);
  EXPECT_EQ(seen.links[between(0, 1)], LinkTime::lost_room);
  EXPECT_EQ(seen.links[link_to(4)], LinkTime::starved);
  EXPECT_EQ(seen.links[link_to(1)], LinkTime::starved);
  EXPECT_EQ(seen.links[graph.node_port(0)], LinkTime::busy);
}

// As in ATreeAndItsVictim, but the packet that waits goes to node 3, too, so its waiting costs no capacity.
TEST(Photograph, Throttled) {
  const Photograph seen = at(15, star_of_five(1), {{1, 3, 0}, {2, 3, 0}, {0, 3, 3}, {0, 3, 3}});
  EXPECT_THAT(seen.packets, waits(1, 0, 1, 1, 0, 0, 0));
  EXPECT_EQ(seen.victims, 0U);
  EXPECT_EQ(seen.links[kAdapter0], LinkTime::throttled);
}

// Links of 50 ticks: the only slot of the switch is empty, but its credit is on the way back.
TEST(Photograph, Window) {
  const Photograph seen = at(80, star_of_five(1, {50}), {{0, 3, 0}, {0, 3, 0}});
  EXPECT_THAT(seen.packets, waits(1, 0, 1, 0, 0, 0, 0));
  EXPECT_THAT(roots_of(seen), ElementsAre(Root{RootKind::window, 0}));
  EXPECT_EQ(seen.victims, 0U);
}

// More packets than the injection queue can hold.
TEST(Photograph, Admittance) {
  const std::vector<test::Message> many(12, {0, 3, 0});
  const Photograph seen = at(5, star_of_five(8), many);
  EXPECT_THAT(seen.packets, waits(1, 4, 0, 0, 7, 0, 0));
  ASSERT_THAT(roots_of(seen), ElementsAre(Root{RootKind::link, kAdapter0}));
  EXPECT_EQ(seen.roots[0].admittance, 4U);
}

// A ring that has filled up, because nothing keeps a slot free: every queue waits for the next one.
TEST(Photograph, Cycle) {
  NetworkOptions options;
  options.packet_bytes = kBytesOfPacket;
  options.capacity = options.injection_capacity = 1;
  options.in_order = true;
  const Network network(test::ring(3), test::ring_routes(3), choose(schemes(), "1q")->build(test::ring(3)),
                        options);
  const Workload workload =
      test::saturated(test::first_nodes(3), test::each_to({2, 0, 1}), kBytesOfPacket, 2);
  const auto simulation = make_simulation(network, workload, {});
  simulation->run_until(2000);
  ASSERT_TRUE(simulation->find_stall().deadlocked);
  const Photograph seen = Camera(network, 1).take(simulation->view());
  ASSERT_EQ(seen.roots.size(), 1U);
  EXPECT_EQ(seen.roots[0].root.kind, RootKind::cycle);
  EXPECT_EQ(seen.roots[0].packets, seen.of(Waiting::room));
  EXPECT_EQ(seen.roots[0].tree_queues, 9U);
  EXPECT_EQ(seen.victims, 0U);
}

}  // namespace
}  // namespace headway
