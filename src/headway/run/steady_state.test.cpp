// SPDX-License-Identifier: Apache-2.0
// Applies the method to processes whose behaviour is known: queues below, at and above their capacity.
#include "headway/run/steady_state.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "headway/base/rng.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

TEST(WarmupLength, CutsWhatIsNotYetSteady) {
  std::vector<double> observations;
  for (int i = 0; i < 100; ++i) observations.push_back(i < 20 ? i : 20 + (i % 2));
  EXPECT_EQ(warmup_length(observations), 20U);
}

TEST(WarmupLength, NothingWhileItStillRises) {
  std::vector<double> observations;
  for (int i = 0; i < 100; ++i) observations.push_back(i);
  EXPECT_EQ(warmup_length(observations), std::nullopt);
  observations.resize(kFewestObservations - 1);
  EXPECT_EQ(warmup_length(observations), std::nullopt);
}

// Single servers that take a message of one byte per slot, each fed by its own Bernoulli source; observed
// from slot `before` on, in `slots` slots.
Stretch servers(std::size_t count, double load, int before, int slots, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> queues(count, 0);
  Stretch stretch;
  stretch.loaded_ns = before;
  stretch.message = 1;
  stretch.sources = count;
  stretch.expected = load * static_cast<double>(count) * slots;
  double delivered = 0, latency = 0, outstanding = 0;
  for (int slot = 0; slot <= before + slots; ++slot) {
    if (slot >= before && (slot - before) % std::max(1, slots / kObservations) == 0)
      stretch.observations.push_back({static_cast<double>(slot), outstanding, delivered, latency});
    for (double& queue : queues) {
      if (queue >= 1) {
        latency += queue;  // first in, first out: it waited about one slot per message in front of it
        queue -= 1;
        outstanding -= 1;
        ++delivered;
      }
      // up to two messages a slot, so that loads above 1 exist
      for (int trial = 0; trial < 2; ++trial)
        if (static_cast<double>(rng.below(1'000'000)) < load / 2 * 1e6) {
          queue += 1;
          outstanding += 1;
          if (slot >= before) stretch.generated += 1;
        }
    }
  }
  return stretch;
}

struct Shares {
  double ok = 0, too_short = 0, saturated = 0;
};
Shares verdicts(const std::function<Stretch(std::uint64_t seed)>& draw, int seeds = 300) {
  Shares shares;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Status status = judge(draw(static_cast<std::uint64_t>(seed))).status;
    (status == Status::ok          ? shares.ok
     : status == Status::saturated ? shares.saturated
                                   : shares.too_short) += 1.0 / seeds;
  }
  return shares;
}

TEST(Judge, AQueueWellBelowItsCapacitySettles) {
  const Shares shares = verdicts([](auto seed) { return servers(1, 0.5, 500, 5000, seed); });
  EXPECT_GT(shares.ok, 0.9);
  EXPECT_EQ(shares.saturated, 0);
}

TEST(Judge, AQueueAboveItsCapacityIsSaturated) {
  const Shares shares = verdicts([](auto seed) { return servers(1, 1.2, 500, 5000, seed); });
  EXPECT_GT(shares.saturated, 0.95);
  EXPECT_EQ(shares.ok, 0);
}

// A queue exactly at its capacity is neither steady nor saturated: it has no level, and grows more slowly
// than its load. The method must recognise this for one queue and for many, early and late.
TEST(Judge, AQueueAtItsCapacityIsNeither) {
  for (const std::size_t count : {1, 4, 16})
    for (const int before : {0, 300, 3000}) {
      const Shares shares = verdicts([&](auto seed) { return servers(count, 1.0, before, 1000, seed); }, 200);
      // a single queue that starts empty looks steady most often (docs/verdicts.md)
      EXPECT_LE(shares.ok, count == 1 && before == 0 ? 0.08 : 0.03) << count << " from " << before;
      EXPECT_LE(shares.saturated, 0.01) << count << " from " << before;
    }
}

TEST(Judge, AWindowOfTheRelaxationTimeIsTooShort) {
  const Shares shares = verdicts([](auto seed) { return servers(1, 0.98, 0, 400, seed); });
  EXPECT_GT(shares.too_short, 0.9);
  EXPECT_LE(shares.saturated, 0.01);
}

TEST(Judge, AdviceIsAboutRight) {
  double longer = 0;
  int short_ones = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Verdict verdict = judge(servers(1, 0.9, 100, 300, seed));
    if (verdict.status != Status::too_short) continue;
    EXPECT_GE(verdict.enough, 2);
    EXPECT_THAT(verdict.advice, HasSubstr("a window of about "));
    longer += verdict.enough;
    ++short_ones;
  }
  ASSERT_GT(short_ones, 25);
  const int slots = static_cast<int>(300 * longer / short_ones);
  EXPECT_GT(verdicts([&](auto seed) { return servers(1, 0.9, 100, slots, seed); }).ok, 0.5) << slots;
}

TEST(Judge, FewMessagesTellNothing) {
  Stretch few = servers(1, 0.5, 0, 150, 1);
  const Verdict verdict = judge(few);
  EXPECT_EQ(verdict.status, Status::too_short);
  EXPECT_THAT(verdict.detail, HasSubstr(" messages of 1 B, which are too few"));
  // 75 messages are expected; twice 100 would be enough
  EXPECT_NEAR(verdict.enough, 200 / std::max(75.0, few.generated), 1e-9);
}

// The same bytes are fewer messages if the messages are larger.
TEST(Judge, KnowsTheSizeOfMessages) {
  Stretch stretch = servers(4, 0.5, 500, 5000, 1);
  ASSERT_EQ(judge(stretch).status, Status::ok);
  stretch.message = stretch.generated / 50;
  EXPECT_EQ(judge(stretch).status, Status::too_short);
  // with messages of several sizes, the number of the largest is not the number of messages
  stretch.message = stretch.generated / 2.5;
  EXPECT_THAT(judge(stretch).detail,
              HasSubstr("the bytes generated in the window are those of 2.5 messages of "));
}

// Growth towards a level is not saturation, even without random fluctuation.
TEST(Judge, GrowthThatDiesDownIsNotSaturation) {
  Stretch stretch{.loaded_ns = 0, .generated = 1e6, .expected = 1e6, .message = 1, .sources = 1};
  for (int i = 0; i <= kObservations; ++i)
    stretch.observations.push_back({1.0 * i, 1e5 * (1 - std::exp(-i / 40.0)), 1e4 * i, 1e5 * i});
  EXPECT_EQ(judge(stretch).status, Status::too_short);
  for (int i = 0; i <= kObservations; ++i) stretch.observations[i].outstanding = 1e3 * i;
  EXPECT_EQ(judge(stretch).status, Status::saturated);
}

// One of many flows falls behind: the outstanding traffic hardly shows this, but the latency does.
TEST(Judge, ADriftOfLatencyIsSeen) {
  Stretch stretch = servers(16, 0.5, 500, 5000, 1);
  ASSERT_EQ(judge(stretch).status, Status::ok);
  double added = 0;
  for (Observation& at : stretch.observations) {
    at.latency_ns += added;
    added += 0.002 * at.latency_ns * (&at - stretch.observations.data()) / kObservations;
  }
  EXPECT_EQ(judge(stretch).status, Status::too_short);
}

TEST(Judge, AnEmptyNetworkThatStaysEmptyIsSteady) {
  Stretch stretch{.generated = 1000, .expected = 1000, .message = 1, .sources = 1};
  for (int i = 0; i <= kObservations; ++i) stretch.observations.push_back({1.0 * i, 0, 10.0 * i, 100.0 * i});
  EXPECT_EQ(judge(stretch).status, Status::ok);
}

TEST(Judge, AWindowOfAFewTicksTellsNothing) {
  Stretch stretch{.generated = 1000, .expected = 1000, .message = 1, .sources = 1};
  for (int i = 0; i < 5; ++i) stretch.observations.push_back({1.0 * i, 0, 0, 0});
  EXPECT_EQ(judge(stretch).status, Status::too_short);
}

}  // namespace
}  // namespace headway
