// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/design.h"
#include "tests/support/layered_design.h"

#include <gmock/gmock.h>

namespace headway::slotted {
namespace {

using ::testing::HasSubstr;

TEST(SlottedDesign, CostsOfThePapersDesigns) {
  EXPECT_EQ(layered_design(64, 1, 2, 1).switching_elements(), 192U);
  EXPECT_EQ(layered_design(64, 2, 2, 1).switching_elements(), 224U);
  EXPECT_EQ(layered_design(64, 4, 2, 1).switching_elements(), 320U);
}

TEST(SlottedDesign, BuffersFollowTheLayers) {
  const Design design = layered_design(64, 4, 2, 1);
  EXPECT_EQ(design.layers, (std::vector<std::uint32_t>{1, 1, 1, 1, 2, 4}));
  for (std::uint32_t stage = 0; stage < 6; ++stage) EXPECT_EQ(design.buffer(stage, 1), stage < 4 ? 2U : 1U);
}

TEST(SlottedDesign, RefusesWhatCannotBe) {
  struct Case {
    void (*spoil)(Design&, Traffic&);
    const char* key;
    const char* message;
  };
  const Case cases[] = {
      {[](Design& d, Traffic&) { d.nodes = 48; }, "network.nodes", "48 inputs"},
      {[](Design& d, Traffic&) { d.nodes = 1; }, "network.nodes", "1 inputs"},
      {[](Design& d, Traffic&) { d.nodes = 1U << 20; }, "network.nodes", "1048576"},
      {[](Design& d, Traffic&) { d.fan_out = 1; }, "network.fan_in", "2x1"},
      {[](Design& d, Traffic&) { d.wiring = "omgea"; }, "network.topology", "omgea"},
      {[](Design& d, Traffic&) {
         d.fan_out = 4;
         d.wiring = "baseline";
       },
       "network.topology", "equally many inputs"},
      {[](Design& d, Traffic&) { d.layers = {1, 1, 1, 1, 1, 3}; }, "network.layers",
       "stage 6 has 3 layers after 1"},
      {[](Design& d, Traffic&) { d.layers = {1, 2, 1, 1, 1, 1}; }, "network.layers",
       "stage 3 has 1 layers after 2"},
      {[](Design& d, Traffic&) { d.layers = {2, 2, 2, 2, 2, 2}; }, "network.layers", "stage 1 has 2"},
      {[](Design& d, Traffic&) { d.layers = {1, 2}; }, "network.layers", "2 entries for 6 stages"},
      {[](Design& d, Traffic&) {
         d.rules.queueing = Queueing::virtual_output;
         d.buffers.assign(6, {3});
       },
       "switch.buffer", "3 places of an input link cannot be divided evenly among 2 output links"},
      {[](Design& d, Traffic&) {
         d.rules.queueing = Queueing::virtual_output;
         d.rules.blocked = Blocked::redraw;
       },
       "switch.blocked", "another queue"},
      {[](Design& d, Traffic&) {
         d.rules.queueing = Queueing::output_link;
         d.rules.output_slots = OutputSlots::per_class;
       },
       "switch.output_slots", "in front of the switches"},
      {[](Design& d, Traffic&) { d.buffers.assign(6, {0}); }, "switch.stage_buffers", "size of a queue"},
      {[](Design& d, Traffic&) { d.buffers.assign(6, {1, 2, 3}); }, "switch.stage_buffers",
       "3 entries for 2 classes"},
      {[](Design& d, Traffic&) { d.buffers.assign(5, {1}); }, "switch.stage_buffers", "5 entries"},
      {[](Design& d, Traffic&) { d = layered_design(65536, 32768, 4096, 4096); }, "network.nodes", "GiB"},
      {[](Design& d, Traffic&) { d.classes = 0; }, "switch.classes", "0 classes"},
      {[](Design&, Traffic& t) { t.load = 1.5; }, "traffic.load", "1.5"},
      {[](Design&, Traffic& t) { t.hotspot_fraction = -0.1; }, "traffic.hotspot_fraction", "-0.1"},
      {[](Design&, Traffic& t) { t.hotspot = 64; }, "traffic.hotspot", "no output 64"},
      {[](Design&, Traffic& t) { t.hotspot_class = 2; }, "traffic.hotspot_class", "no class 2"},
      {[](Design&, Traffic& t) { t.shares = {0.2, 0.7}; }, "traffic.class_percent", "add up to 90 %"},
      {[](Design&, Traffic& t) { t.shares = {1.0}; }, "traffic.class_percent", "1 shares for 2 classes"},
  };
  for (const Case& c : cases) {
    Design design;
    Traffic traffic;
    c.spoil(design, traffic);
    Mistakes mistakes;
    check(design, traffic, mistakes);
    ASSERT_FALSE(mistakes.empty()) << c.message;
    EXPECT_EQ(mistakes.list().front().key, c.key);
    EXPECT_THAT(mistakes.list().front().message, HasSubstr(c.message));
    EXPECT_FALSE(mistakes.list().front().hint.empty());
  }
}

TEST(SlottedDesign, DividesThePlacesOfALinkIfThereAreEnough) {
  Design design = layered_design(64, 4, 4, 1);
  EXPECT_EQ(design.queues_per_link(0), 1U);
  EXPECT_EQ(design.depth(0, 0), 4U);
  design.rules.queueing = Queueing::virtual_output;
  EXPECT_EQ(design.queues_per_link(0), 2U);
  EXPECT_EQ(design.depth(0, 0), 2U);
  EXPECT_EQ(design.queues_per_link(5), 1U) << "one place";
  EXPECT_EQ(design.depth(5, 0), 1U);
}

TEST(SlottedDesign, AcceptsWhatCanBe) {
  for (const std::uint32_t layers : {1U, 2U, 4U, 32U}) {
    Mistakes mistakes;
    check(layered_design(64, layers, 2, 1), {}, mistakes);
    EXPECT_TRUE(mistakes.empty()) << layers;
  }
  Mistakes mistakes;
  check(layered_design(64, 64, 2, 1), {}, mistakes);
  EXPECT_FALSE(mistakes.empty()) << "64 layers leave no stage with one";
}

}  // namespace
}  // namespace headway::slotted
