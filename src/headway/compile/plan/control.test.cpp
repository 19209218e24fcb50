// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/plan/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "tests/support/mistakes.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

// Packets of 64 B take 64 ns on a link.
EventSpec with_reaction(const char* name) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 4}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.routing_delay = Duration{0};
  spec.node.reaction = choose(reactions(), name);
  return spec;
}

std::string control_mistakes(const EventSpec& spec) {
  const Mistakes mistakes = test::mistakes_of(spec);
  return mistakes.empty() ? "" : SpecError(mistakes.list()).what();
}

TEST(ControlPlan, OnlyReactionsByDelayNeedNoMarks) {
  for (const char* name : {"timely", "window"}) EXPECT_EQ(control_mistakes(with_reaction(name)), "") << name;
  for (const char* name : {"dcqcn", "dcqcn-nic", "infiniband"})
    EXPECT_THAT(control_mistakes(with_reaction(name)),
                HasSubstr("needs marked packets, and no switch marks any; set switch.marking, or use a "
                          "reaction that needs no marks: \"timely\" or \"window\""));
}

TEST(ControlPlan, TheRoundTripsOfTimelyAreInOrder) {
  EventSpec spec = with_reaction("timely");
  assign(*spec.node.reaction, Argument{"t_high", Duration{49'999}});
  EXPECT_THAT(control_mistakes(spec), HasSubstr("node.t_high: 49999 ns is less than t_low, 50 us"));
}

// A packet takes 72 ns over both links, and so does a notification of 64 B: three packets. If the switch
// stores the packet, it takes 64 ns more.
TEST(ControlPlan, TheDefaultWindowIsTheRoundTripInWholePackets) {
  EventSpec spec = with_reaction("window");
  const auto window = [&] { return std::get<CongestionWindow>(plan_of(spec).options.reaction->own).bytes; };
  EXPECT_EQ(window(), 3U * 64);
  spec.switches.switching = Switching::store_and_forward;
  EXPECT_EQ(window(), 4U * 64);
  spec.node.notification_delay = Duration{1000};
  EXPECT_EQ(window(), 18U * 64);
}

}  // namespace
}  // namespace headway
