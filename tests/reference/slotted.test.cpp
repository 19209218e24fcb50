// SPDX-License-Identifier: Apache-2.0
// The bit-parallel kernel against the reference simulator: every packet of every queue, after every slot, for
// every reading of the rules, on random small networks.
#include <gtest/gtest.h>

#include "headway/slotted/stages.h"
#include "tests/reference/naive_slotted.h"
#include "tests/support/layered_design.h"
#include "tests/support/sanitizer.h"

namespace headway::slotted {
namespace {

struct Shape {
  std::uint32_t fan_in, fan_out, stages;
};

// Any design and traffic that `check` accepts, small enough for the reference simulator.
std::pair<Design, Traffic> random_case(Rng& rng) {
  static constexpr Shape kShapes[] = {{2, 2, 1}, {2, 2, 2}, {2, 2, 3}, {3, 3, 2},
                                      {4, 4, 2}, {4, 2, 2}, {2, 3, 2}};
  const Shape shape = kShapes[rng.below(std::size(kShapes))];
  Design design;
  design.fan_in = shape.fan_in;
  design.fan_out = shape.fan_out;
  design.nodes = 1;
  for (std::uint32_t i = 0; i < shape.stages; ++i) design.nodes *= shape.fan_in;
  do {
    design.wiring = wirings()[rng.below(static_cast<std::uint32_t>(wirings().size()))].name;
  } while (shape.fan_in != shape.fan_out && design.wiring != "omega" && design.wiring != "delta");
  design.classes = 1 + rng.below(3);
  for (std::uint32_t i = 0; i < shape.stages; ++i) {
    const std::uint32_t before = i == 0 ? 1 : design.layers.back();
    design.layers.push_back(i == 0 ? 1 : before + rng.below((shape.fan_in - 1) * before + 1));
    auto& depths = design.buffers.emplace_back();
    for (std::uint32_t c = 0; c < design.classes; ++c) depths.push_back(1 + rng.below(3));
  }
  Traffic traffic;
  traffic.load = 0.3 + 0.1 * rng.below(8);
  traffic.hotspot_fraction = 0.1 * rng.below(4);
  traffic.hotspot = rng.below(design.outputs());
  traffic.hotspot_class = rng.below(design.classes);
  traffic.shares.assign(design.classes, 1.0 / design.classes);
  return {design, traffic};
}

void expect_same_state(Stages& stages, NaiveSlotted& naive, const Plan& plan, const std::string& where) {
  for (std::uint32_t level = 1; level < plan.levels.size(); ++level)
    for (std::uint32_t q = 0; q < plan.levels[level].queues; ++q)
      for (std::uint32_t c = 0; c < plan.classes; ++c)
        for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
          const std::uint32_t link = naive.queues_behind() ? level : level - 1;
          std::vector<std::uint32_t> expected;
          for (const NaivePacket& packet : naive.queue(replication, link, q, c)) {
            std::uint32_t digits = 0;
            for (std::uint32_t i = link; i < plan.stages; ++i)
              digits = digits * plan.radix + naive.net().port(i, packet.destination);
            expected.push_back(digits);
          }
          ASSERT_EQ(stages.contents(level, q, c, replication), expected)
              << where << ", level " << level << " queue " << q << " class " << c << " replication "
              << replication;
        }
  for (std::uint32_t zone = 0; zone < plan.zones(); ++zone)
    for (std::uint32_t c = 0; c < plan.classes; ++c) {
      const std::uint32_t cell = zone * plan.classes + c;
      const ReplicationCounts entered = stages.counters().entered[cell].counts(),
                              left = stages.counters().left[cell].counts(),
                              lost = stages.counters().lost[cell].counts();
      for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
        const auto& count = naive.count(replication, zone, c);
        ASSERT_EQ(entered[replication], count.entered)
            << where << ", zone " << zone << " class " << c << " replication " << replication;
        ASSERT_EQ(left[replication] - lost[replication], count.delivered)
            << where << ", zone " << zone << " class " << c;
        ASSERT_EQ(lost[replication], count.lost) << where << ", zone " << zone << " class " << c;
        if (plan.rules.loses_destinations())
          ASSERT_EQ(stages.counters().delay[cell].counts()[replication], count.delay)
              << where << ", zone " << zone << " class " << c;
      }
    }
}

void expect_agreement(const Design& design, const Traffic& traffic, std::uint64_t seed,
                      const std::string& rules) {
  const Plan plan = compile(design, traffic);
  Stages stages(plan, seed, 25);
  NaiveSlotted naive(design, traffic, seed);
  for (int slot = 0; slot < 25; ++slot) {
    stages.step();
    naive.step();
    ASSERT_NO_THROW(stages.verify());
    expect_same_state(stages, naive, plan, rules + " slot " + std::to_string(slot));
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::string text_of(const Rules& rules) {
  std::string text;
  const auto add = [&](std::string_view key, std::string_view value) {
    text += std::string(key) + ' ' + std::string(value) + ", ";
  };
  add("queueing", name_of(rules.queueing));
  add("spread", name_of(rules.spread));
  add("blocked", name_of(rules.blocked));
  add("output slots", name_of(rules.output_slots));
  add("precedence", name_of(rules.precedence));
  add("when full", name_of(rules.when_full));
  add("pass", rules.pass ? "yes" : "no");
  add("reuse", rules.reuse ? "yes" : "no");
  return text;
}

TEST(SlottedReference, AgreesSlotBySlotForEveryReading) {
  Rng rng(7, 7);
  std::uint32_t number = 0;
  for (const auto queueing : {Queueing::input_link, Queueing::output_link})
    for (const auto spread : {Spread::by_sender, Spread::by_receiver})
      for (const auto blocked : {Blocked::wait, Blocked::redraw, Blocked::discard})
        for (int flags = 0; flags < 8; ++flags) {
          auto [design, traffic] = random_case(rng);
          design.rules = {queueing,         spread,           blocked,
                          (flags & 1) != 0, (flags & 2) != 0, static_cast<WhenFull>(flags >> 2)};
          const std::uint64_t seed = rng.next();
          if (number++ % test::kOneIn != 0) continue;
          expect_agreement(design, traffic, seed, text_of(design.rules));
          if (HasFatalFailure()) return;
        }
}

// The rules of each class at output links, with every way to queue. The places of an input link are a
// multiple of its outputs or too few for them, stage by stage.
TEST(SlottedReference, AgreesSlotBySlotWithQueuesForOutputsAndSlotsForClasses) {
  Rng rng(8, 7);
  std::uint32_t number = 0, divided = 0;
  for (const auto queueing : {Queueing::virtual_output, Queueing::input_link, Queueing::output_link})
    for (const auto output_slots : {OutputSlots::one, OutputSlots::per_class})
      for (const auto precedence : {Precedence::link, Precedence::output})
        for (const auto blocked : {Blocked::wait, Blocked::discard, Blocked::redraw})
          for (int flags = 0; flags < 16; ++flags) {
            auto [design, traffic] = random_case(rng);
            design.rules = {
                queueing,         static_cast<Spread>(flags >> 3),       blocked,      (flags & 1) != 0,
                (flags & 2) != 0, static_cast<WhenFull>(flags >> 2 & 1), output_slots, precedence};
            if (queueing == Queueing::virtual_output)
              for (auto& depths : design.buffers) {
                const bool divides = rng.below(3) > 0;
                for (std::uint32_t& depth : depths)
                  depth = divides ? design.fan_out * (1 + rng.below(2)) : 1 + rng.below(design.fan_out - 1);
              }
            const std::uint64_t seed = rng.next();
            Mistakes mistakes;
            check(design, traffic, mistakes);
            if (!mistakes.empty() || number++ % test::kOneIn != 0) continue;
            for (std::uint32_t stage = 0; stage < design.stages(); ++stage)
              divided += design.queues_per_link(stage) > 1;
            expect_agreement(design, traffic, seed, text_of(design.rules));
            if (HasFatalFailure()) return;
          }
  EXPECT_GT(divided, test::kOneIn > 1 ? 5U : 50U);
}

// Once the network is empty, the packets present at the end of each slot, summed over all slots, equal the
// sum of all delays. The delays in results rely on this (Little's law).
TEST(SlottedReference, PresenceAddsUpToTheDelays) {
  for (const auto queueing : {Queueing::input_link, Queueing::output_link}) {
    Design design = layered_design(8, 2, 2, 1);
    design.rules.queueing = queueing;
    Traffic traffic;
    traffic.hotspot_fraction = 0.2;
    Plan plan = compile(design, traffic);
    Stages stages(plan, 3);
    NaiveSlotted naive(design, traffic, 3);
    std::vector<ReplicationCounts> present(plan.zones() * plan.classes);
    for (int slot = 0; slot < 400; ++slot) {
      if (slot == 50) {
        plan.load = {};
        naive.stop_sources();
      }
      stages.step();
      naive.step();
      for (std::uint32_t cell = 0; cell < present.size(); ++cell) {
        const ReplicationCounts in = stages.counters().entered[cell].counts(),
                                out = stages.counters().left[cell].counts();
        for (std::uint32_t replication = 0; replication < kReplications; ++replication)
          present[cell][replication] += in[replication] - out[replication];
      }
    }
    for (std::uint32_t zone = 0; zone < plan.zones(); ++zone)
      for (std::uint32_t c = 0; c < plan.classes; ++c)
        for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
          const auto& count = naive.count(replication, zone, c);
          ASSERT_EQ(count.entered, count.delivered);
          ASSERT_EQ(present[zone * plan.classes + c][replication], count.delay);
        }
  }
}

}  // namespace
}  // namespace headway::slotted
