// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/compile/plan.h"
#include "headway/config/assign.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

// Nodes 0 to 19 send to node 20 over links of 1 B/ns; packets take 64 ns.
EventSpec hot_spot() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 21}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.marking = choose(markings(), "infiniband", {{"marking_rate", std::int64_t{1}}});
  spec.node.reaction = choose(reactions(), "infiniband", {{"ccti_increase", std::int64_t{2}}});
  FlowSpec& flow = spec.traffic.flows.front();
  flow.sources = {.kind = NodeSet::Kind::first, .first = 20};
  flow.pattern = choose(patterns(), "hotspot", {{"destination", 20}});
  flow.load.points = {{Duration{0}, 0.1}};
  return spec;
}

std::string note(const EventSpec& spec) { return note_of_hot_spot(spec, plan_of(spec)); }

TEST(HotSpot, IsASetOfNodesThatOverloadALink) {
  EventSpec spec = hot_spot();
  const auto sources = [&] { return largest_hot_spot(spec, *plan_of(spec).graph).sources; };
  EXPECT_EQ(sources(), 20U);
  EXPECT_EQ(largest_hot_spot(spec, *plan_of(spec).graph).destination, 20U);
  spec.traffic.flows.front().load.points = {{Duration{0}, 0.05}};
  EXPECT_EQ(sources(), 0U) << "its link can carry that";
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "saturated");
  EXPECT_EQ(sources(), 20U);
  spec.traffic.flows.front().pattern = choose(patterns(), "uniform");
  EXPECT_EQ(sources(), 0U);
}

// n <= increase * timer / (64 ns * 2) = timer / 64 ns.
TEST(HotSpot, IsTooLargeForAShortTimer) {
  EventSpec spec = hot_spot();
  EXPECT_EQ(note(spec), "") << "the default holds 64";
  assign(*spec.node.reaction, Argument{"ccti_timer", Duration{1280}});
  EXPECT_EQ(note(spec), "");
  assign(*spec.node.reaction, Argument{"ccti_timer", Duration{1216}});
  EXPECT_THAT(note(spec), HasSubstr("20 nodes send to node 20"));
  EXPECT_THAT(note(spec), HasSubstr("can hold back only 19:"));
  EXPECT_THAT(note(spec), HasSubstr("a node.ccti_timer of at least 1280 ns"));
  spec.node.reaction = choose(reactions(), "dcqcn");
  EXPECT_EQ(note(spec), "");
}

// The last entry of the default table slows a flow down to 1 / (1 + 127 / 4).
TEST(HotSpot, IsTooLargeForATableThatEndsEarly) {
  EventSpec spec = hot_spot();
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 41}});
  FlowSpec& flow = spec.traffic.flows.front();
  flow.pattern = choose(patterns(), "hotspot", {{"destination", 40}});
  flow.arrivals = choose(arrival_processes(), "saturated");
  flow.sources = {.kind = NodeSet::Kind::first, .first = 32};
  EXPECT_EQ(note(spec), "") << "32 of 4 / 131 each fit";
  flow.sources.first = 40;
  EXPECT_THAT(note(spec), HasSubstr("40 nodes send to node 40"));
  EXPECT_THAT(note(spec), HasSubstr("slow each of them down to 0.0305 of its link only"));
  EXPECT_THAT(note(spec), HasSubstr("still send 1.22 times what the link carries"));
  assign(*spec.node.reaction, Argument{"cct_shift", std::int64_t{1}});
  EXPECT_EQ(note(spec), "");
}

// Flows that send less than the end of the table permits are not slowed down by it.
TEST(HotSpot, CountsWhatSourcesSend) {
  EventSpec spec = hot_spot();
  const auto slowed = [&](double rate) { return largest_hot_spot(spec, *plan_of(spec).graph, rate).slowed; };
  EXPECT_NEAR(slowed(1), 2, 1e-9);
  EXPECT_NEAR(slowed(0.05), 1, 1e-9);
  EXPECT_NEAR(slowed(0.2), 2, 1e-9);
}

}  // namespace
}  // namespace headway
