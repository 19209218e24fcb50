// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/plan/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/compile/plan.h"
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

std::uint32_t shortest_packet(const EventSpec& spec) { return packet_lengths(spec, {}).shortest; }

TEST(PausePlan, TheShortestPacketIsTheRestOfAMessage) {
  EXPECT_EQ(shortest_packet(with_flow(Bytes{4096})), 1024U);
  EXPECT_EQ(shortest_packet(with_flow(Bytes{4096 + 100})), 100U);
  EXPECT_EQ(shortest_packet(with_flow(Bytes{300})), 300U);
}

TEST(PausePlan, AnnouncementsNotificationsAndTracesAreShorter) {
  EventSpec spec = with_flow(Bytes{4096});
  spec.traffic.jobs.emplace_back();
  EXPECT_EQ(shortest_packet(spec), 1024U) << "no message is announced";
  spec.traffic.jobs[0].rendezvous = Bytes{2048};
  spec.traffic.jobs[0].control = Bytes{48};
  EXPECT_EQ(shortest_packet(spec), 48U);
  spec.node.notification_packet = Bytes{32};
  EXPECT_EQ(shortest_packet(spec), 32U);
  spec.traffic.traces.emplace_back();
  EXPECT_EQ(shortest_packet(spec), 1U) << "a trace is read during the run";
}

TEST(PausePlan, MemoryIsCountedInUnitsThatDivideEveryPacket) {
  const auto unit = [](const EventSpec& spec) { return packet_lengths(spec, {}).unit; };
  EXPECT_EQ(unit(with_flow(Bytes{4096})), 1024U);
  EXPECT_EQ(unit(with_flow(Bytes{4096 + 96})), 32U);
  EXPECT_EQ(unit(with_flow(Bytes{1})), 1U);
  EventSpec spec = with_flow(Bytes{2048});
  spec.traffic.flows.front().sizes = choose(message_sizes(), "uniform");
  EXPECT_EQ(unit(spec), 1U) << "sizes with any rest";
}

TEST(PausePlan, AHintNamesLossesOnlyWhereTheyAreAllowed) {
  EventSpec spec = with_flow(Bytes{1024});
  spec.network.link.delay = Duration{3000};
  spec.switches.flow_control = choose(link_flow_controls(), "pfc", {{"headroom", Bytes{1024}}});
  const auto text = [&] { return std::string(SpecError(test::mistakes_of(spec).list()).what()); };
  EXPECT_THAT(text(), testing::EndsWith("at least 5 KiB; or count lost packets: switch.losses = true"));
  spec.node.reaction = choose(reactions(), "window");
  EXPECT_THAT(text(), testing::EndsWith("at least 5 KiB"));
}

// At 100 Gbit/s over 200 m, a lane needs what the link carries in 2 us and a full packet.
TEST(PausePlan, TheHeadroomDoesNotDependOnTheShortestPacket) {
  EventSpec spec = with_flow(Bytes{4096});
  spec.traffic.packet = Bytes{4096};
  spec.network.link = {*parse_rate("100 Gbit/s"), Duration{1000}};
  spec.switches.flow_control = choose(link_flow_controls(), "pfc");
  const auto headroom = [&] {
    const Plan plan = plan_of(spec);
    return plan.options.pause->headroom * plan.options.pause->unit_bytes;
  };
  EXPECT_EQ(headroom(), 6U * 4096);
  spec.traffic.flows.front().sizes = choose(message_sizes(), "fixed", {{"message", Bytes{1}}});
  EXPECT_EQ(headroom(), 25'000U - 1 + 4095);
  EXPECT_EQ(plan_of(spec).options.capacity, 2 * (24'999 + 4095) + 2 * 4096) << "twice and two packets";
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
