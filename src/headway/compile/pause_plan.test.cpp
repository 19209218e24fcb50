// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/network_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/compile/check.h"
#include "headway/config/assign.h"
#include "tests/support/mistakes.h"

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

TEST(PausePlan, ALaneIsLargerThanItsHeadroom) {
  EventSpec spec = with_flow(Bytes{1024});
  spec.switches.queue_memory.reset();
  spec.switches.input_memory = Bytes{8192};
  spec.switches.flow_control = choose(link_flow_controls(), "pfc", {{"headroom", Bytes{8192}}});
  const auto mistake = [&] {
    const Mistakes mistakes = test::mistakes_of(spec);
    return mistakes.empty() ? "" : std::string(SpecError(mistakes.list()).what());
  };
  EXPECT_THAT(mistake(), testing::HasSubstr("too little beside its headroom of 8 KiB"));
  EXPECT_THAT(mistake(), testing::EndsWith("; at least 9 KiB"));
  spec.switches.lanes = 2;
  spec.traffic.flows.front().service_level = 1;
  EXPECT_THAT(mistake(), testing::HasSubstr("; at least 9 KiB for each lane"));
}

}  // namespace
}  // namespace headway
