// SPDX-License-Identifier: Apache-2.0
// Compares the event queue with a sorted map.
#include "headway/engine/wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids due(Wheel& wheel, EventKind kind) {
  Ids ids;
  for (const Event& event : wheel.bucket(kind)) ids.push_back(event.a);
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(Wheel, VisitsEveryEventInItsTick) {
  constexpr Tick kHorizon = 100;
  Wheel wheel(kHorizon);
  Rng rng(1, 0);
  std::map<Tick, Ids> hops, timers;
  std::uint32_t id = 0;
  const auto schedule_some = [&](Tick now) {
    for (std::uint32_t i = rng.below(3); i > 0; --i) {
      const Tick tick = now + 1 + rng.below(kHorizon);
      wheel.schedule(EventKind::arrive, tick, id);
      hops[tick].push_back(id++);
    }
    for (std::uint32_t i = rng.below(2); i > 0; --i) {
      // near, in another turn of the fine wheel, and beyond the coarse one
      const std::uint32_t reach[] = {50, 5'000, 500'000};
      const Tick tick = now + 1 + rng.below(reach[rng.below(3)]);
      wheel.schedule_timer(tick, id);
      timers[tick].push_back(id++);
    }
  };
  wheel.schedule_timer(0, id);
  timers[0].push_back(id++);
  Tick last = -1;
  while (wheel.advance(1'000'000)) {
    const Tick now = wheel.now();
    ASSERT_LT(last, now);
    last = now;
    EXPECT_EQ(due(wheel, EventKind::arrive), hops[now]) << now;
    EXPECT_EQ(due(wheel, EventKind::generate), timers[now]) << now;
    EXPECT_TRUE(due(wheel, EventKind::credit).empty());
    hops.erase(now);
    timers.erase(now);
    if (now < 100'000) schedule_some(now);
    wheel.leave_tick();
  }
  EXPECT_TRUE(hops.empty());
  EXPECT_TRUE(timers.empty());
  EXPECT_EQ(wheel.now(), 1'000'000);
}

TEST(Wheel, StopsBeforeTheEndAndGoesOn) {
  Wheel wheel(10);
  wheel.schedule(EventKind::release, 5, 7);
  EXPECT_FALSE(wheel.advance(5));
  EXPECT_EQ(wheel.now(), 5);
  ASSERT_TRUE(wheel.advance(6));
  EXPECT_EQ(due(wheel, EventKind::release), Ids{7});
}

TEST(Bucket, HandlesInOrderWhatItPrepared) {
  Bucket bucket;
  Ids pushed, prepared, handled;
  for (std::uint32_t i = 0; i < 100; ++i) {
    bucket.push({2 * i, 0});
    pushed.push_back(2 * i);
  }
  bucket.for_each([&](Event event) { handled.push_back(event.a); },
                  [&](Event event) { prepared.push_back(event.a); });
  EXPECT_EQ(handled, pushed);
  EXPECT_EQ(prepared, pushed);
}

}  // namespace
}  // namespace headway
