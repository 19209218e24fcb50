// SPDX-License-Identifier: Apache-2.0
// The account of a flow's waiting, by hand: the network of observe/camera.test.cpp, with a hot node. Packets
// of 10 bytes, links of 1 byte per tick.
#include "headway/observe/flow_census.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/observe/camera.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kOfMessage = 10, kHot = 0, kVictim = 1;

// Nodes 1 and 2 send to node 3, and so does node 0 before it sends to node 4. All but the last are of the hot
// flow. A photograph before tick 15, when a packet of node 1 or 2 is on the link to node 3.
std::map<FlowWait, FlowCensus::ByClass> waits_with_room_for(std::uint32_t packets) {
  NetworkOptions options;
  options.packet_bytes = kOfMessage;
  options.capacity = packets;
  options.injection_capacity = 8;
  options.in_order = true;
  const Network network(test::star(5, 5, {Rate{1}, {1}}), test::star_routes(5),
                        choose(schemes(), "1q")->build(test::star(5, 5)), options);
  const Workload workload =
      test::scripted({{1, 3, 0}, {2, 3, 0}, {0, 3, 3}, {0, 4, 3}}, kOfMessage, kOfMessage);
  constexpr std::array<std::uint32_t, 4> kFlows = {kHot, kHot, kHot, kVictim};
  FlowCensus census(network, FlowNumbers(workload, kFlows), false, 1);
  const auto simulation = make_simulation(network, workload, {.count_by_generator = true, .keep_sent = true});
  simulation->run_until(15);
  Camera(network, 1, &census).take(simulation->view());
  return census.waits();
}

FlowCensus::AtRoot packets_of(const FlowCensus::ByClass& by_class, Waiting waiting) {
  return by_class[static_cast<std::size_t>(waiting)];
}

// What the two flows wait for: the link to node 3, which sends a packet of the hot flow.
void expect_behind_the_hot_flow(std::uint32_t room, Waiting of_hot, Waiting of_victim) {
  const auto waits = waits_with_room_for(room);
  ASSERT_EQ(waits.size(), 2U);
  const Root link{RootKind::link, 3};
  const FlowCensus::AtRoot hot = packets_of(waits.at({kHot, link, kHot}), of_hot);
  EXPECT_EQ(hot.packets, 1U);
  EXPECT_EQ(hot.victims, 0U);
  const FlowCensus::AtRoot victim = packets_of(waits.at({kVictim, link, kHot}), of_victim);
  EXPECT_EQ(victim.packets, 1U);
  EXPECT_EQ(victim.victims, 1U);
}

TEST(FlowCensus, AVictimWaitsBehindTheHotFlow) {
  expect_behind_the_hot_flow(8, Waiting::output, Waiting::hol);
}
// With room for one packet at the switch, it waits at its node.
TEST(FlowCensus, AVictimWaitsBehindTheHotFlowAtItsNode) {
  expect_behind_the_hot_flow(1, Waiting::output, Waiting::room);
}

}  // namespace
}  // namespace headway
