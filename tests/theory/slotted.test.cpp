// SPDX-License-Identifier: Apache-2.0
// The slotted kernel against published theory and against bounds for any simulation:
// Patel's recursion, Karol's single stage, Pfister and Norton's hot spot.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headway/slotted/run.h"
#include "headway/slotted/zones.h"
#include "tests/support/anchor.h"
#include "tests/support/layered_design.h"

namespace headway::slotted {
namespace {

Design single_class(std::uint32_t fan, std::uint32_t stages, std::uint32_t buffer, Blocked blocked) {
  Design design;
  design.fan_in = design.fan_out = fan;
  design.nodes = 1;
  for (std::uint32_t i = 0; i < stages; ++i) design.nodes *= fan;
  design.classes = 1;
  design.buffers.assign(stages, {buffer});
  design.rules.blocked = blocked;
  return design;
}

Traffic uniform(double load) {
  Traffic traffic;
  traffic.load = load;
  traffic.hotspot_class = 0;
  traffic.shares = {1.0};
  return traffic;
}

double throughput(const Design& design, const Traffic& traffic, std::uint64_t slots) {
  const Plan plan = compile(design, traffic);
  const Outcome outcome = run(plan, {.slots = slots, .warmup = 300});
  return evaluate(outcome, plan, class_curve(design, traffic, {})).normalised_throughput.value;
}

// Patel, "Performance of processor-memory interconnections for multiprocessors", IEEE Trans. Computers C-30,
// 1981: p' = 1 - (1 - p/b)^a per stage, exact for independent requests without buffers.
double patel(double p, std::uint32_t fan_in, std::uint32_t fan_out, std::uint32_t stages) {
  while (stages-- > 0) p = 1 - std::pow(1 - p / fan_out, fan_in);
  return p;
}

TEST(SlottedTheory, UnbufferedDeltaRecursion) {
  for (const std::uint32_t fan : {2U, 4U, 8U})
    for (std::uint32_t stages = 1; std::pow(fan, stages) <= 512; ++stages)
      for (const double load : {0.5, 1.0}) {
        const Design design = single_class(fan, stages, 1, Blocked::discard);
        const double ours = throughput(design, uniform(load), 2'000'000 / design.nodes);
        const double expected = patel(load, fan, fan, stages);
        EXPECT_NEAR(ours, expected, 0.001) << fan << "x" << fan << ", " << stages << " stages";
        if (stages == 3 && load == 1)
          test::expect_anchor(
              {"queueing",
               fmt::format("throughput of an unbuffered delta network of {0}x{0} switches, 3 stages", fan),
               "Patel 1981", expected, 0.001},
              ours);
      }
  Design rectangular = single_class(4, 3, 1, Blocked::discard);
  rectangular.fan_out = 2;
  EXPECT_NEAR(throughput(rectangular, uniform(1), 100'000), patel(1, 4, 2, 3), 0.001);
}

// Jenq, "Performance analysis of a packet switch based on a single-buffered banyan network", JSAC 1983: the
// two-state recursion assumes that a blocked packet draws a new destination. If it keeps its destination,
// throughput is far lower (values of an independent simulation).
TEST(SlottedTheory, SingleBufferedBanyan) {
  const double redraw[] = {0.7500, 0.6333, 0.5696, 0.5310, 0.5057, 0.4883};
  const double persistent[] = {0.7495, 0.6046, 0.5167, 0.4592, 0.4182, 0.3883};
  for (std::uint32_t n = 1; n <= 6; ++n) {
    test::expect_anchor(
        {"queueing", fmt::format("throughput of a single-buffered banyan network, {} stages", n),
         "Jenq 1983: blocked packets draw a new destination", redraw[n - 1], 0.0015},
        throughput(single_class(2, n, 1, Blocked::redraw), uniform(1), 200'000));
    EXPECT_NEAR(throughput(single_class(2, n, 1, Blocked::wait), uniform(1), 200'000), persistent[n - 1],
                0.0015)
        << n;
  }
}

// Karol, Hluchyj and Morgan, "Input versus output queueing on a space-division packet switch", 1987, table I.
TEST(SlottedTheory, InputQueuedElement) {
  const double saturation[] = {0.75, 0.682540, 0.655242, 0.639917, 0.630150, 0.623371, 0.618390};
  for (std::uint32_t fan = 2; fan <= 8; ++fan)
    test::expect_anchor({"queueing", fmt::format("saturation of input FIFOs in slots, {} ports", fan),
                         "Karol, Hluchyj and Morgan 1987, table I", saturation[fan - 2], 0.001},
                        throughput(single_class(fan, 1, 16, Blocked::wait), uniform(1), 1'000'000));
}

// Output queueing, the same source: the mean wait is (N-1)/N * p / (2 (1-p)) slots. The transfer takes one
// slot more.
TEST(SlottedTheory, OutputQueuedElement) {
  for (const std::uint32_t fan : {2U, 4U, 8U})
    for (const double load : {0.4, 0.8}) {
      Design design = single_class(fan, 1, 200, Blocked::wait);
      design.rules.queueing = Queueing::output_link;
      const Traffic traffic = uniform(load);
      const Plan plan = compile(design, traffic);
      const Outcome outcome = run(plan, {.slots = 400'000});
      const auto delay = evaluate(outcome, plan, class_curve(design, traffic, {})).normalised_delay;
      const double wait = (fan - 1.0) / fan * load / (2 * (1 - load));
      test::expect_anchor(
          {"queueing", fmt::format("mean delay of output queues in slots, {} ports, load {}", fan, load),
           "Karol, Hluchyj and Morgan 1987, equation 6", 1 + wait, 0.01 * (1 + wait)},
          delay.value);
    }
}

struct Reading {
  Queueing queueing;
  Spread spread;
  bool pass;
  OutputSlots output_slots = OutputSlots::one;
  Precedence precedence = Precedence::link;

  Rules rules() const {
    Rules rules;
    rules.queueing = queueing;
    rules.spread = spread;
    rules.pass = pass;
    rules.output_slots = output_slots;
    rules.precedence = precedence;
    return rules;
  }
};
constexpr Reading kReadings[] = {
    {Queueing::input_link, Spread::by_sender, false},
    {Queueing::input_link, Spread::by_sender, true},
    {Queueing::output_link, Spread::by_sender, false},
    {Queueing::output_link, Spread::by_receiver, true},
    {Queueing::virtual_output, Spread::by_sender, false, OutputSlots::one, Precedence::output}};

Traffic paper_traffic(double load) {
  Traffic traffic;
  traffic.load = load;
  traffic.hotspot_fraction = 0.05;
  return traffic;
}

// Pfister and Norton 1985: one link feeds the hot spot, so it delivers at most one packet per slot, and that
// link is full from load 1 / (1 + f (N-1)) = 0.241 on; hence RTh_hs <= 1 / 3.96 = 0.2525 in one layer, under
// every reading.
TEST(SlottedTheory, HotSpotBoundOfOneLayer) {
  for (const Reading& reading : kReadings)
    for (const double load : {0.2, 0.3, 1.0}) {
      Design design = layered_design(64, 1, 2, 2);
      design.rules = reading.rules();
      const Traffic traffic = paper_traffic(load);
      const Plan plan = compile(design, traffic);
      const Outcome outcome = run(plan, {.slots = 30'000});
      const auto hot = evaluate(outcome, plan, class_curve(design, traffic, {0, {}}));  // all classes
      for (const auto& lane : outcome.delivered[0]) EXPECT_LE(lane, outcome.slots);
      EXPECT_LE(evaluate(outcome, plan, zone_curve(design, traffic, 0)).relative_throughput.value, 1 / 3.96);
      if (load < 0.241)
        EXPECT_NEAR(hot.throughput.value, load * (0.05 * 63 + 1), 3 * hot.throughput.half_width);
      else
        EXPECT_GT(hot.throughput.value, 0.95);
    }
}

// High priority has separate queues and goes first, so low priority does not affect its results.
TEST(SlottedTheory, HighPriorityIsUnaffectedByLowPriority) {
  for (const Reading& reading : kReadings) {
    Design both = layered_design(64, 4, 2, 1);
    both.rules = reading.rules();
    Design alone = both;
    alone.classes = 1;
    const Traffic mixed = paper_traffic(1.0);
    Traffic high = uniform(0.19);
    const Plan plan_both = compile(both, mixed), plan_alone = compile(alone, high);
    const auto with = evaluate(run(plan_both, {}), plan_both, class_curve(both, mixed, {{}, 0}));
    const auto without = evaluate(run(plan_alone, {.seed = 2}), plan_alone, class_curve(alone, high, {}));
    EXPECT_NEAR(with.throughput.value, without.throughput.value,
                2 * (with.throughput.half_width + without.throughput.half_width));
    EXPECT_NEAR(with.normalised_delay.value, without.normalised_delay.value,
                2 * (with.normalised_delay.half_width + without.normalised_delay.half_width));
  }
}

// If output links carry a packet of each class, the classes share nothing: each is served as if it were
// alone.
TEST(SlottedTheory, WithSlotsForClassesTheHotSpotHasABoundForEach) {
  Design design = layered_design(64, 1, 2, 2);
  design.rules =
      Reading{Queueing::virtual_output, Spread::by_sender, false, OutputSlots::per_class, Precedence::output}
          .rules();
  const Traffic traffic = paper_traffic(1.0);
  const Plan plan = compile(design, traffic);
  const Outcome outcome = run(plan, {.slots = 60'000});
  const auto at_hot_spot = [&](std::uint32_t c) {
    return evaluate(outcome, plan, class_curve(design, traffic, {0, c})).throughput.value;
  };
  EXPECT_LE(at_hot_spot(1), 1.0);
  EXPECT_NEAR(at_hot_spot(0), 0.19, 0.01) << "all that is offered";
  EXPECT_GT(at_hot_spot(0) + at_hot_spot(1), 1.1) << "more than an output link that classes share";
}

// If links double from stage to stage, there is no contention; only the outputs limit the throughput of two
// layers.
TEST(SlottedTheory, DoubledLayersDoNotContend) {
  Design design = layered_design(8, 4, 1, 1);
  design.classes = 1;
  const Plan plan = compile(design, uniform(1));
  for (std::uint32_t stage = 1; stage < 3; ++stage) {
    const Hop& hop = plan.hops[stage];
    for (std::uint32_t sw = 0; sw < hop.switches(); ++sw)
      EXPECT_EQ(hop.first_link[sw + 1] - hop.first_link[sw], 4U) << "a link per input and output";
  }
}

}  // namespace
}  // namespace headway::slotted
