// SPDX-License-Identifier: Apache-2.0
// Compares the event queue with a sorted map.
#include "headway/engine/wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <vector>

#include "headway/base/rng.h"
#include "headway/config/limits.h"

namespace headway {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids due(Wheel& wheel, EventKind kind) {
  Ids ids;
  wheel.events().take(kind, [&](const Bucket& events) {
    for (const Event& event : events) ids.push_back(event.a);
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

struct Schedule {
  const char* name;
  Tick horizon;
  std::uint32_t hops;    // at most, per tick with events
  std::uint32_t timers;  // at most, per tick with events
  Tick reach;            // of timers, at most
  Tick end;

  friend void PrintTo(const Schedule& schedule, std::ostream* out) { *out << schedule.name; }
};

// Runs a random schedule beside sorted maps, which keep the order in which events of a tick were scheduled.
class Wheels : public testing::TestWithParam<Schedule> {};

TEST_P(Wheels, VisitEveryEventInItsTickAndInOrder) {
  const Schedule& schedule = GetParam();
  Wheel wheel(schedule.horizon);
  Rng rng(1, 0);
  std::map<Tick, Ids> arrivals, credits, timers;
  std::uint32_t id = 0;
  const auto below = [&](Tick most) {  // all magnitudes are likely
    return static_cast<Tick>(rng.below_long(static_cast<std::uint64_t>(most >> rng.below(8)) + 1));
  };
  const auto add_timer = [&](Tick tick) {
    wheel.schedule_timer(tick, id);
    timers[tick].push_back(id++);
  };
  const auto schedule_some = [&](Tick now) {
    for (std::uint32_t i = rng.below(schedule.hops + 1); i > 0; --i) {
      const Tick tick = now + 1 + below(schedule.horizon - 1);
      const bool arrives = rng.below(2) == 0;
      wheel.schedule(arrives ? EventKind::arrive : EventKind::credit, tick, id);
      (arrives ? arrivals : credits)[tick].push_back(id++);
    }
    for (std::uint32_t i = rng.below(schedule.timers + 1); i > 0; --i)
      add_timer(now + 1 + below(schedule.reach - 1));
  };
  const auto expect_due = [&](EventKind kind, std::map<Tick, Ids>& twin) {
    Ids ids;
    wheel.events().take(kind, [&](const Bucket& events) {
      for (const Event& event : events) ids.push_back(event.a);
    });
    if (kind == EventKind::generate) std::ranges::sort(ids), std::ranges::sort(twin[wheel.now()]);
    EXPECT_EQ(ids, twin[wheel.now()]) << wheel.now();
    twin.erase(wheel.now());
  };
  const auto expect_scheduled = [&](EventKind kind, const std::map<Tick, Ids>& twin) {
    std::map<Tick, Ids> found;
    wheel.for_each_at(kind, [&](const Event& event, Tick tick) { found[tick].push_back(event.a); });
    EXPECT_EQ(found, twin) << wheel.now();
  };
  const auto next = [&] {
    Tick first = schedule.end;
    for (const auto* twin : {&arrivals, &credits, &timers})
      if (!twin->empty()) first = std::min(first, twin->begin()->first);
    return first;
  };
  // Half of the events, and then all, go into another wheel and come back.
  Wheel other(schedule.horizon);
  const auto move_and_return = [&] {
    std::vector<TimedEvent> taken;
    bool half = true;
    const auto take = [&](EventKind kind, Tick tick, const Event& event) {
      if (half && event.a % 2 == 0 && kind == EventKind::generate) return false;
      taken.push_back({tick, event, kind});
      return true;
    };
    wheel.take_if(take);
    other.exchange(wheel);
    wheel.restart(other.now());
    const auto schedule_taken = [&] {
      for (const TimedEvent& it : taken) wheel.schedule_at_any_distance(it.kind, it.tick, it.event.a);
    };
    schedule_taken();
    half = false;
    taken.clear();
    wheel.take_if(take);
    EXPECT_FALSE(wheel.advance(wheel.now() + 5000));
    wheel.exchange(other);
    schedule_taken();
  };
  add_timer(0);
  for (int visits = 0; wheel.now() < schedule.end; ++visits) {
    const Tick expected = next(), stop = std::min(schedule.end, wheel.now() + 1 + below(schedule.end));
    const bool found = wheel.advance(stop);
    ASSERT_EQ(found, expected < stop);
    ASSERT_EQ(wheel.now(), std::min(expected, stop));
    if (!found && visits % 3 == 0) move_and_return();
    if (!found) continue;
    if (visits % 500 == 0) {
      expect_scheduled(EventKind::arrive, arrivals);
      expect_scheduled(EventKind::credit, credits);
    }
    expect_due(EventKind::arrive, arrivals);
    expect_due(EventKind::credit, credits);
    expect_due(EventKind::generate, timers);
    EXPECT_EQ(wheel.events().bucket(EventKind::release).size(), 0U);
    if (wheel.now() < schedule.end / 2 && visits < 20'000)
      schedule_some(wheel.now());
    else if (visits > 20'000 && visits < 20'010)
      add_timer(wheel.now() + 1'000'000);  // far from everything
    wheel.leave_tick();
  }
  EXPECT_EQ(next(), schedule.end);
}

INSTANTIATE_TEST_SUITE_P(Schedules, Wheels,
                         testing::Values(Schedule{"dense", 72, 4, 1, 200, 40'000},
                                         Schedule{"sparse", 72, 1, 2, 100'000, 5'000'000},
                                         Schedule{"farTimers", 100, 3, 2, 1LL << 30, 1LL << 32},
                                         Schedule{"fullCells", 4094, 2, 1, 20'000, 500'000},
                                         Schedule{"hopsInLevels", 4095, 2, 1, 20'000, 500'000},
                                         Schedule{"fineTicks", 140'000, 2, 1, 1'000'000, 50'000'000},
                                         Schedule{"longLinks", 3'000'000'000, 2, 1, 1LL << 40, 1LL << 42}),
                         [](const auto& instance) { return instance.param.name; });

// 1000 times 100 ms of ticks of 1 ps without events: a visit to every tick would take days.
TEST(Wheel, CrossesIdleTimeAtOnce) {
  constexpr Tick kIdle = 100'000'000'000;
  Wheel wheel(130);
  for (std::uint32_t round = 0; round < 1000; ++round) {
    wheel.schedule_timer(wheel.now() + kIdle, round);
    ASSERT_TRUE(wheel.advance(wheel.now() + 2 * kIdle));
    EXPECT_EQ(due(wheel, EventKind::generate), Ids{round});
    wheel.leave_tick();
  }
}

TEST(Wheel, StopsBeforeTheEndAndGoesOn) {
  Wheel wheel(10);
  wheel.schedule(EventKind::release, 5, 7);
  EXPECT_FALSE(wheel.advance(5));
  EXPECT_EQ(wheel.now(), 5);
  ASSERT_TRUE(wheel.advance(6));
  EXPECT_EQ(due(wheel, EventKind::release), Ids{7});
}

// A state that is written and read schedules such timers anew.
TEST(Wheel, KnowsTicksAfterAllRuns) {
  constexpr Tick kFar = limits::kTickAfterRuns;
  Wheel wheel(130);
  wheel.schedule_timer(kFar, 1);
  wheel.schedule_timer(kFar + limits::kTicksOfRun, 2);
  EXPECT_FALSE(wheel.advance(limits::kTicksOfRun));
  std::map<Tick, Ids> found;
  wheel.for_each_at(EventKind::generate,
                    [&](const Event& event, Tick tick) { found[tick].push_back(event.a); });
  EXPECT_EQ(found, (std::map<Tick, Ids>{{kFar, {1}}, {kFar + limits::kTicksOfRun, {2}}}));
}

// Transfers that end soon, and a timer in every tick of the block: ticks that are far ahead have no memory
// for transfers.
TEST(Wheel, LongBucketsHandTheirMemoryOver) {
  constexpr std::uint32_t kTransfers = 4096;
  constexpr Tick kTime = 4;
  Wheel wheel(500);
  Tick timers = 0;
  Ids expected;
  for (std::uint32_t i = 0; i < kTransfers; ++i) expected.push_back(i);
  for (Tick tick = 0; tick < 3000; ++tick) {
    for (; timers < tick + 500; ++timers) wheel.schedule_timer(timers + 1, 1);
    for (const std::uint32_t transfer : expected) wheel.schedule(EventKind::release, tick + kTime, transfer);
    ASSERT_TRUE(wheel.advance(tick + 2));
    EXPECT_EQ(wheel.now(), tick + 1);
    if (wheel.now() >= kTime) {
      ASSERT_EQ(due(wheel, EventKind::release), expected);
    }
    wheel.leave_tick();
  }
  EXPECT_LT(wheel.bytes(), 2 * (kTime + 1) * kTransfers * sizeof(Event) + Wheel::bytes(500) + 200'000);
}

// Blocks of 4096 ticks with many hops, and one timer far ahead in each: a block with a timer takes no memory
// for the hops that it will have.
TEST(Wheel, MemoryOfLaterEventsFollowsTheEvents) {
  constexpr std::uint32_t kHops = 1000;
  constexpr Tick kBlock = 4096, kAhead = 10 * kBlock, kFar = 800 * kBlock;
  Wheel wheel(kAhead + kBlock);
  for (Tick block = 0; block < 1500 * kBlock; block += kBlock) {
    wheel.advance(block);
    wheel.schedule_timer(block + kFar, 1);
    for (std::uint32_t i = 0; i < kHops; ++i) wheel.schedule(EventKind::arrive, block + kAhead + 4 * i, i);
    for (; wheel.advance(block + kBlock); wheel.leave_tick()) {
      due(wheel, EventKind::arrive);
      due(wheel, EventKind::generate);
    }
  }
  const std::uint64_t hops = 11 * kHops * sizeof(TimedEvent), timers = 800 * sizeof(LaterEvents::Chunk);
  EXPECT_LT(wheel.bytes(), Wheel::bytes(kAhead) + hops + timers);
}

TEST(Bucket, HandlesInOrderWhatItPrepared) {
  Bucket bucket;
  Ids pushed, prepared, handled;
  for (std::uint32_t i = 0; i < 100; ++i) {
    if (bucket.is_full()) bucket.grow();
    bucket.add({2 * i, 0});
    pushed.push_back(2 * i);
  }
  bucket.for_each([&](Event event) { handled.push_back(event.a); },
                  [&](Event event) { prepared.push_back(event.a); });
  EXPECT_EQ(handled, pushed);
  EXPECT_EQ(prepared, pushed);
}

}  // namespace
}  // namespace headway
