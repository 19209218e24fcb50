// SPDX-License-Identifier: Apache-2.0
#include "headway/slotted/stages.h"

#include <gtest/gtest.h>

#include "headway/slotted/run.h"
#include "headway/slotted/zones.h"
#include "tests/support/layered_design.h"

namespace headway::slotted {
namespace {

std::uint64_t total(const ReplicationCounts& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

TEST(SlottedStages, OutcomeIsTheSameOnEveryMachine) {
  Traffic traffic;
  traffic.load = 0.8;
  traffic.hotspot_fraction = 0.05;
  const Plan plan = compile(layered_design(64, 4, 2, 1), traffic);
  const Schedule schedule{.slots = 6'400, .warmup = 50};
  EXPECT_EQ(hash_of(run(plan, schedule)), 4749100201326944965U);
  EXPECT_NE(hash_of(run(plan, {.slots = 6'400, .warmup = 50, .seed = 2})), hash_of(run(plan, schedule)));
}

TEST(SlottedStages, LonePacketsTakeOneSlotPerStage) {
  for (const auto queueing : {Queueing::input_link, Queueing::output_link, Queueing::virtual_output})
    for (const bool reuse : {true, false}) {
      Design design = layered_design(64, 4, 2, 1);
      design.rules.queueing = queueing;
      design.rules.reuse = reuse;
      Traffic traffic;
      traffic.load = 1e-5;
      Plan plan = compile(design, traffic);
      Stages stages(plan, 1);
      std::uint64_t present = 0, entered = 0;
      for (int slot = 0; slot < 2'000; ++slot) {
        if (slot == 1'900) plan.load = {};
        stages.step();
        for (std::size_t i = 0; i < stages.counters().entered.size(); ++i)
          present += total(stages.counters().entered[i].counts()) - total(stages.counters().left[i].counts());
      }
      for (const auto& counter : stages.counters().entered) entered += total(counter.counts());
      EXPECT_GT(entered, 50U);
      EXPECT_EQ(present, 6 * entered);
    }
}

// Every arrival enters, is blocked or still waits.
TEST(SlottedStages, ArrivalsAreAccountedFor) {
  for (const WhenFull when_full : {WhenFull::drop, WhenFull::hold}) {
    Design design = layered_design(64, 1, 2, 1);
    design.rules.when_full = when_full;
    Traffic traffic;
    traffic.hotspot_fraction = 0.05;
    const Plan plan = compile(design, traffic);
    Stages stages(plan, 1);
    for (int slot = 0; slot < 200; ++slot) stages.step();
    for (std::uint32_t c = 0; c < 2; ++c) {
      std::uint64_t entered = 0, waiting = 0;
      for (std::uint32_t zone = 0; zone < plan.zones(); ++zone)
        entered += total(stages.counters().entered[zone * 2 + c].counts());
      for (std::uint32_t q = 0; q < 64; ++q)
        for (std::uint32_t replication = 0; replication < kReplications; ++replication)
          waiting += stages.contents(0, q, c, replication).size();
      const std::uint64_t offered = total(stages.counters().offered[c].counts());
      const std::uint64_t blocked = total(stages.counters().blocked[c].counts());
      if (when_full == WhenFull::hold) {
        EXPECT_EQ(offered, entered + waiting);
        EXPECT_GE(blocked, waiting);
      } else {
        EXPECT_EQ(offered, entered + blocked);
        EXPECT_EQ(waiting, 0U);
      }
    }
  }
}

// Two packets of one input link for two outputs do not wait for each other if each output has a queue: with
// one place each, more gets through than with two places in one queue.
TEST(SlottedStages, QueuesForOutputsKeepPacketsApart) {
  const auto accepted = [](Queueing queueing) {
    Design design = layered_design(64, 1, 2, 1);
    design.rules.queueing = queueing;
    design.classes = 1;
    Traffic traffic;
    traffic.shares = {1.0};
    traffic.hotspot_class = 0;
    const Plan plan = compile(design, traffic);
    return evaluate(run(plan, {.slots = 60'000}), plan, class_curve(design, traffic, {})).throughput.value;
  };
  EXPECT_GT(accepted(Queueing::virtual_output), 1.05 * accepted(Queueing::input_link));
}

// A high and a low packet for one output leave in the same slot if output links carry one of each class.
TEST(SlottedStages, AnOutputLinkCanCarryAPacketOfEachClass) {
  const auto accepted = [](OutputSlots slots) {
    Design design = layered_design(2, 1, 2, 1);
    design.rules.output_slots = slots;
    Traffic traffic;
    traffic.shares = {0.5, 0.5};
    traffic.hotspot_fraction = 0.5;  // of each class a full load for output 0
    const Plan plan = compile(design, traffic);
    const Outcome outcome = run(plan, {.slots = 64'000});
    return evaluate(outcome, plan, class_curve(design, traffic, {0, {}})).throughput.value;
  };
  EXPECT_LE(accepted(OutputSlots::one), 1.0);
  EXPECT_GT(accepted(OutputSlots::per_class), 1.1);
}

// A low packet waits behind a blocked high one only if both are for the same output.
TEST(SlottedStages, PrecedenceCanBeThatOfAnOutput) {
  const auto low = [](bool pass, Precedence precedence) {
    Design design = layered_design(64, 1, 1, 1);
    design.rules.pass = pass;
    design.rules.precedence = precedence;
    Traffic traffic;
    traffic.shares = {0.5, 0.5};
    const Plan plan = compile(design, traffic);
    return evaluate(run(plan, {.slots = 60'000}), plan, class_curve(design, traffic, {{}, 1}))
        .throughput.value;
  };
  EXPECT_GT(low(false, Precedence::output), 1.02 * low(false, Precedence::link));
  EXPECT_EQ(low(true, Precedence::output), low(true, Precedence::link)) << "who may pass waits for none";
}

// All wirings are equivalent under a uniform load, and the zones follow the hot spot to any output.
TEST(SlottedStages, WiringAndPlaceOfTheHotSpotDoNotMatter) {
  Traffic traffic;
  traffic.hotspot_fraction = 0.05;
  std::vector<ZoneMetrics> results;
  for (const char* wiring : {"omega", "delta", "generalised-cube", "indirect-cube", "baseline"}) {
    Design design = layered_design(64, 4, 2, 1);
    design.wiring = wiring;
    traffic.hotspot = (traffic.hotspot * 5 + 11) % 64;
    const Plan plan = compile(design, traffic);
    const Outcome outcome = run(plan, {.slots = 60'000, .seed = traffic.hotspot});
    results.push_back(evaluate(outcome, plan, class_curve(design, traffic, {3, 1})));
    const auto &first = results.front().throughput, &last = results.back().throughput;
    EXPECT_NEAR(first.value, last.value, 2 * (first.half_width + last.half_width)) << wiring;
  }
}

TEST(SlottedStages, ChecksPassUnderEveryRule) {
  for (const auto blocked : {Blocked::wait, Blocked::redraw, Blocked::discard})
    for (const auto queueing : {Queueing::input_link, Queueing::output_link, Queueing::virtual_output}) {
      if (queueing == Queueing::virtual_output && blocked == Blocked::redraw) continue;
      Design design = layered_design(16, 2, queueing == Queueing::virtual_output ? 4 : 3, 1);
      design.rules.blocked = blocked;
      design.rules.queueing = queueing;
      Traffic traffic;
      traffic.hotspot_fraction = 0.1;
      EXPECT_NO_THROW(run(compile(design, traffic), {.slots = 6'400, .warmup = 20, .check = true}));
    }
}

}  // namespace
}  // namespace headway::slotted
