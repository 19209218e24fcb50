// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/pause_plan.h"

#include <gtest/gtest.h>

namespace headway {
namespace {

EventSpec with_flow(Bytes message) {
  EventSpec spec;
  spec.traffic.packet = Bytes{1024};
  FlowSpec flow;
  flow.sizes = choose(message_sizes(), "fixed", {{"message", message}});
  spec.traffic.flows.push_back(flow);
  return spec;
}

TEST(PausePlan, TheShortestPacketIsTheRestOfAMessage) {
  EXPECT_EQ(shortest_packet(with_flow(Bytes{4096}), {}), 1024U);
  EXPECT_EQ(shortest_packet(with_flow(Bytes{4096 + 100}), {}), 100U);
  EXPECT_EQ(shortest_packet(with_flow(Bytes{300}), {}), 300U);
}

TEST(PausePlan, AnnouncementsNotificationsAndTracesAreShorter) {
  EventSpec spec = with_flow(Bytes{4096});
  spec.traffic.jobs.emplace_back();
  EXPECT_EQ(shortest_packet(spec, {}), 1024U) << "no message is announced";
  spec.traffic.jobs[0].rendezvous = Bytes{2048};
  spec.traffic.jobs[0].control = Bytes{48};
  EXPECT_EQ(shortest_packet(spec, {}), 48U);
  spec.node.notification_packet = Bytes{32};
  EXPECT_EQ(shortest_packet(spec, {}), 32U);
  spec.traffic.traces.emplace_back();
  EXPECT_EQ(shortest_packet(spec, {}), 1U) << "a trace is read during the run";
}

}  // namespace
}  // namespace headway
