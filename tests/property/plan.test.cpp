// SPDX-License-Identifier: Apache-2.0
// A plan without mistakes can be built, and only such a plan. The specs have parts of two random specs each,
// which often do not fit together.
#include "headway/compile/plan.h"

#include <gtest/gtest.h>

#include <iterator>

#include "headway/base/rng.h"
#include "headway/compile/build.h"
#include "headway/config/toml.h"
#include "headway/spec/what_if.h"
#include "headway/spec/write_spec.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

EventSpec crossed(std::uint64_t number) {
  using namespace test;
  constexpr RandomSpec (*kKinds[])(std::uint64_t) = {random_spec,
                                                     random_spec_with_service_levels,
                                                     random_spec_with_lane_turns,
                                                     random_spec_with_control,
                                                     random_spec_with_slow_nodes,
                                                     random_spec_with_pauses,
                                                     random_spec_with_degraded_links,
                                                     random_spec_with_lane_credits,
                                                     random_spec_with_choices_on_arrival,
                                                     random_spec_with_choices_of_flows,
                                                     random_spec_with_output_queues,
                                                     random_spec_with_events,
                                                     random_spec_with_cells};
  Rng rng(1, number);
  const auto any = [&] { return kKinds[rng.below(std::size(kKinds))](rng.below(1000)).spec; };
  EventSpec spec = any();
  const EventSpec other = any();
  if (rng.below(2) == 0) spec.switches = other.switches;
  if (rng.below(2) == 0) spec.node = other.node;
  if (rng.below(3) == 0) spec.routing = other.routing;
  if (rng.below(3) == 0) spec.traffic = other.traffic;
  if (rng.below(3) == 0) spec.classes = other.classes;
  if (rng.below(3) == 0) spec.events = other.events;
  return spec;
}

TEST(Plan, HasNoMistakesExactlyIfItCanBeBuilt) {
  int good = 0, bad = 0;
  Memo memo;
  for (std::uint64_t number = 0; number < 400; ++number) {
    const EventSpec spec = crossed(number);
    const Document written = resolved(spec);
    Plan plan = headway::plan(spec, written, {.memo = memo});
    if (plan.mistakes.empty()) {
      ++good;
      EXPECT_NO_THROW(build(with_changes(spec), std::move(plan))) << write_toml(written);
    } else {
      ++bad;
      EXPECT_THROW(build(spec), SpecError) << write_toml(written);
    }
  }
  EXPECT_GT(good, 50);
  EXPECT_GT(bad, 50);
}

// Its keys have their defaults, from which other mistakes could follow.
TEST(Plan, LeavesOutWhatReadsAKeyThatCouldNotBeRead) {
  EventSpec spec;
  spec.switches.input_memory = {1};  // too little
  spec.traffic.flows[0].load.points[0].load = 2;
  Memo memo;
  const auto keys = [&](std::vector<Mistake> unread) {
    std::string keys;
    const Plan plan = headway::plan(spec, resolved(spec), {.memo = memo, .unread = unread});
    for (const Mistake& mistake : plan.mistakes.list()) keys += mistake.key + ' ';
    return keys;
  };
  EXPECT_EQ(keys({}), "traffic.flow[0].load switch.input_memory ");
  EXPECT_EQ(keys({{"switch.scheme", "", "", ""}}), "traffic.flow[0].load ");
  EXPECT_EQ(keys({{"measure.bin", "", "", ""}}), "switch.input_memory ");
  EXPECT_EQ(keys({{"seeds.until", "", "", ""}}), "traffic.flow[0].load switch.input_memory ");
  EXPECT_EQ(keys({{"traffic.flow[0].load", "", "", ""}}), "switch.input_memory ");
  EXPECT_EQ(keys({{"traffic.packet", "", "", ""}}), "");
  EXPECT_EQ(keys({{"network.k", "", "", ""}}), "");
}

}  // namespace
}  // namespace headway
