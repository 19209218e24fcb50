// SPDX-License-Identifier: Apache-2.0
// The event queue alone: every event that is taken schedules another, as hops do. Goal: at most 3 ns per
// event.
#include "headway/engine/wheel.h"

#include <benchmark/benchmark.h>

#include "headway/base/rng.h"

namespace headway {
namespace {

void events_that_schedule_events(benchmark::State& state) {
  constexpr Tick kHorizon = 72;
  Wheel wheel(kHorizon);
  Rng rng(1, 0);
  for (std::uint32_t i = 0; i < state.range(0); ++i)
    wheel.schedule(EventKind::arrive, 1 + rng.below(kHorizon), i, 0);
  std::int64_t events = 0;
  Tick end = 0;
  for (auto _ : state) {
    end += 1000;
    while (wheel.advance(end)) {
      wheel.events().take(EventKind::arrive, [&](const Bucket& arrivals) {
        for (const Event event : arrivals)
          wheel.schedule(EventKind::arrive, wheel.now() + ((event.a & 1) != 0 ? 68 : 4), event.a, event.b);
        events += arrivals.size();
      });
      wheel.leave_tick();
    }
  }
  state.SetItemsProcessed(events);
}
BENCHMARK(events_that_schedule_events)->Arg(100)->Arg(2'000)->Arg(40'000);

void timers(benchmark::State& state) {
  Wheel wheel(72);
  for (std::uint32_t source = 0; source < 256; ++source) wheel.schedule_timer(source, source);
  std::int64_t events = 0;
  Tick end = 0;
  for (auto _ : state) {
    end += 1000;
    while (wheel.advance(end)) {
      wheel.events().take(EventKind::generate, [&](const Bucket& due) {
        for (const Event event : due) wheel.schedule_timer(wheel.now() + state.range(0), event.a);
        events += due.size();
      });
      wheel.leave_tick();
    }
  }
  state.SetItemsProcessed(events);
}
BENCHMARK(timers)->Arg(50)->Arg(1'000)->Arg(1'000'000);

}  // namespace
}  // namespace headway
