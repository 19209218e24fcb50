// SPDX-License-Identifier: Apache-2.0
// Classes of a spec: which lanes and levels they have, and what is a mistake.
#include "headway/compile/plan/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "headway/compile/plan.h"
#include "tests/support/mistakes.h"

namespace headway {
namespace {

EventSpec with_lanes(std::int64_t lanes, TurnsOfLanes turns) {
  EventSpec spec;
  spec.switches.lanes = lanes;
  spec.switches.lane_turns = turns;
  spec.traffic.flows.front().service_level = 0;
  return spec;
}

TEST(ClassPlan, LanesInNoClassAreClasses) {
  EventSpec spec = with_lanes(4, TurnsOfLanes::strict);
  EXPECT_THAT(class_names(spec), testing::ElementsAre("lane 0", "lane 1", "lane 2", "lane 3"));
  spec.classes = {{.name = "bulk", .lanes = {1, 3}}, {.service_levels = {6}}};
  EXPECT_THAT(class_names(spec), testing::ElementsAre("bulk", "class 1", "lane 0"));
  const ClassNumbers numbers = class_numbers(spec);
  EXPECT_THAT(numbers.of_lane, testing::ElementsAre(2, 0, 1, 0));
  const std::vector<std::uint8_t>& levels = numbers.of_service;
  EXPECT_THAT(std::vector(levels.begin(), levels.begin() + 8), testing::ElementsAre(2, 0, 1, 0, 2, 0, 1, 0))
      << "level 2 has lane 2, which class 1 has by its level 6";
  const LaneTurns turns = lane_turns_of(spec, 8).value();
  EXPECT_THAT(turns.class_of, testing::ElementsAre(2, 0, 1, 0, 2, 0, 1, 0)) << "two lanes of the routing";
  EXPECT_EQ(turns.levels.size(), 3);
}

TEST(ClassPlan, IsEmptyWithoutClassesAndTurns) {
  EXPECT_TRUE(class_names(with_lanes(2, TurnsOfLanes::none)).empty());
  EXPECT_FALSE(lane_turns_of(with_lanes(2, TurnsOfLanes::none), 2));
}

TEST(ClassPlan, TablesOfInfiniBandAreThoseOfOpenSmByDefault) {
  const LaneTurns turns = lane_turns_of(with_lanes(3, TurnsOfLanes::infiniband), 3).value();
  using Level = LaneTurns::Level;
  EXPECT_EQ(turns.levels, (std::vector<Level>{{{0, 256}}, {{1, 256}, {2, 256}}}));
  EXPECT_EQ(turns.limit, 1);
}

TEST(ClassPlan, SaysWhatIsWrong) {
  const struct {
    std::function<void(EventSpec&)> change;
    const char* text;
  } cases[] = {
      {[](EventSpec& s) { s.switches.lanes = 1; },
       "switch.lane_turns: there is only one lane; set switch.lanes"},
      {[](EventSpec& s) {
         s.switches.lanes = 1;
         s.switches.lane_turns = TurnsOfLanes::none;
         s.classes = {{.lanes = {0}}};
       },
       "class: there is only one lane; set switch.lanes"},
      {[](EventSpec& s) { s.classes = {{.lanes = {3}}}; },
       "class[0].lanes: there is no lane 3; switch.lanes = 3 gives lanes 0 to 2"},
      {[](EventSpec& s) { s.classes = {{}}; },
       "class[0].lanes: the class has neither lanes nor service levels"},
      {[](EventSpec& s) { s.classes = {{.lanes = {1}}, {.service_levels = {4}}}; },
       "class[1].service_levels: lane 1 is also in class[0]"},
      {[](EventSpec& s) { s.classes = {{.lanes = {1}, .service_levels = {2}}}; },
       "class[0].service_levels: service level 2 has lane 2, which the class has not"},
      {[](EventSpec& s) { s.classes = {{.name = "flow 0", .lanes = {1}}}; },
       "class[0].name: \"flow 0\" is also the name of another flow, trace or job"},
      {[](EventSpec& s) { s.classes = {{.name = "a", .lanes = {1}}, {.name = "a", .lanes = {0}}}; },
       "class[0].name: \"a\" is also the name of another class\nclass[1].name: \"a\" is also the name of "
       "another "
       "class"},
      {[](EventSpec& s) { s.classes = {{.name = "a.b", .lanes = {1}}}; },
       "class[0].name: \"a.b\" is not a name; a name has at least one character, and none of . [ ] \""},
      {[](EventSpec& s) { s.classes = {{.lanes = {1}, .strict = true, .weight = 2}}; },
       "class[0].weight: a strict class has no weight; omit weight or strict"},
      {[](EventSpec& s) {
         s.switches.lane_turns = TurnsOfLanes::strict;
         s.classes = {{.lanes = {1}, .weight = 2}};
       },
       "class[0].weight: switch.lane_turns = \"strict\" does not use it; it belongs to \"weighted\""},
      {[](EventSpec& s) {
         s.switches.lane_turns = TurnsOfLanes::infiniband;
         s.switches.vlarb_low = "1:4,2";
       },
       "switch.vlarb_low: \"1:4,2\" is no list of lanes and weights; such as \"0:4,1:8\", with weights from "
       "0 to 255"},
      {[](EventSpec& s) {
         s.switches.lane_turns = TurnsOfLanes::infiniband;
         s.switches.vlarb_high = "0:4, 3:256";
       },
       "switch.vlarb_high: \"0:4, 3:256\" is no list of lanes and weights; such as \"0:4,1:8\", with weights "
       "from 0 "
       "to 255"},
      {[](EventSpec& s) {
         s.switches.lane_turns = TurnsOfLanes::infiniband;
         s.switches.vlarb_low = "5:1";
       },
       "switch.vlarb_low: there is no lane 5; lanes are 0 to 2"},
      {[](EventSpec& s) {
         s.switches.lane_turns = TurnsOfLanes::infiniband;
         s.switches.vlarb_low = "1:1,2:0";
       },
       "switch.vlarb_low: lane 2 has no turn in either table; give it a weight above 0 in one of them"},
      {[](EventSpec& s) { s.switches.arbiter = ArbiterKind::random; },
       "switch.lane_turns: classes of lanes cannot take turns with a random arbiter; use another "
       "switch.arbiter"},
      {[](EventSpec& s) { s.switches.output_arbiter = OutputArbiter::weighted_round_robin; },
       "switch.lane_turns: classes of lanes cannot take turns with weighted round robin of queues; omit "
       "switch.output_arbiter"},
      {[](EventSpec& s) { s.routing.algorithm = choose(routings(), "adaptive"); },
       "switch.lane_turns: with routing.free_output = \"now\" a head is granted as soon as it finds a free "
       "output, so "
       "that it cannot wait for its turn; use \"spare-credit\" or \"room-credit\""},
      {[](EventSpec& s) { s.switches.lanes = 20; },
       "switch.lane_turns: 20 classes of lanes cannot take turns; at most 16; use fewer lanes, or classes of "
       "several "
       "lanes"},
  };
  for (const auto& c : cases) {
    EventSpec spec = with_lanes(3, TurnsOfLanes::weighted);
    spec.traffic.flows.front().service_level = 1;
    c.change(spec);
    const Mistakes mistakes = test::mistakes_of(spec);
    std::string text;
    for (const Mistake& mistake : mistakes.list())
      text += (text.empty() ? "" : "\n") + mistake.key + ": " + mistake.message +
              (mistake.hint.empty() ? "" : "; " + mistake.hint);
    EXPECT_EQ(text, c.text);
  }
}

}  // namespace
}  // namespace headway
