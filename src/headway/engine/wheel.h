// SPDX-License-Identifier: Apache-2.0
// The event queue: a typed timing wheel with one bucket per kind of event and tick for all events of hops,
// and a coarse second wheel for the distant timers of sources. It is 20 to 30 times cheaper per event than a
// heap (docs/decisions.md). Events of one bucket commute, so their order has no meaning, with one exception:
// if a link delivers two packets in the same tick, the one that was sent first comes first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "headway/base/ids.h"
#include "headway/engine/in_turn.h"

namespace headway {

// The kinds of events, in the order in which a tick handles them (modelling.md).
enum class EventKind : std::uint8_t {
  arrive,    // a header becomes switchable: queue, packet
  deliver,   // a tail reaches its node: packet
  release,   // a switch's transfer ends: switch, its input << 16 | output
  sent,      // a transfer of an adapter or output unit ends: device, its freed room (FreedRoom::word)
  credit,    // room is reported to the sender: freed room, the sender's output port
  generate,  // a source is due: source
  vacate,    // feedback shares links: memory is free, or (kNone) a link has carried its feedback: the link's
             // output port, freed room or kNone
  control,   // isolation: a message arrives: message, output port; or a port is to be settled: kNone, port;
             // adaptive routing: an output queue has become shorter: switch
};
inline constexpr int kEventKinds = 8;

struct Event {
  std::uint32_t a;
  std::uint32_t b;
};

// The events of one kind in one tick. Keeps its memory when cleared; adding one is a store and an increment.
class Bucket {
 public:
  static constexpr std::uint32_t kAhead = 6;

  // Handles the events in order, with the prefetching of in_turn.
  template <class Handle, class... Prepare>
  [[gnu::always_inline]] inline void for_each(Handle&& handle, Prepare&&... prepare) const {
    in_turn<kAhead>(
        size_, kManyTurns, [&](std::uint32_t i) __attribute__((always_inline)) { handle(events_[i]); },
        [&](std::uint32_t i) { prepare(events_[i]); }...);
  }

  void push(Event event) {
    if (size_ == capacity_) grow();
    events_[size_++] = event;
  }
  Event* begin() { return events_.get(); }
  Event* end() { return events_.get() + size_; }
  const Event* begin() const { return events_.get(); }
  const Event* end() const { return events_.get() + size_; }
  std::uint32_t size() const { return size_; }
  void clear() { size_ = 0; }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    const std::uint32_t capacity = std::max(2 * capacity_, 16U);
    auto events = std::make_unique<Event[]>(capacity);
    std::copy(begin(), end(), events.get());
    events_ = std::move(events);
    capacity_ = capacity;
  }

  std::unique_ptr<Event[]> events_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

class Wheel {
 public:
  // Only `generate` events are scheduled more than `horizon` ticks ahead.
  explicit Wheel(Tick horizon)
      : mask_(cells(horizon) - 1),
        buckets_((mask_ + 1) * kStride),
        occupied_(mask_ + 1),
        block_bits_(std::popcount(mask_)) {}

  // Initial memory of a wheel.
  static std::uint64_t bytes(Tick horizon) {
    return cells(horizon) * (kStride * sizeof(Bucket) + sizeof(std::uint32_t));
  }

  Tick now() const { return now_; }

  [[gnu::always_inline]] void schedule(EventKind kind, Tick tick, std::uint32_t a, std::uint32_t b = 0) {
    const std::uint64_t cell = static_cast<std::uint64_t>(tick) & mask_;
    buckets_[cell * kStride + static_cast<std::uint64_t>(kind)].push({a, b});
    occupied_[cell] = 1;
  }

  // Schedules a source's next generation, at any distance.
  [[gnu::always_inline]] void schedule_timer(Tick tick, std::uint32_t source) {
    if (tick < block_end()) return schedule(EventKind::generate, tick, source);
    schedule_later(tick, source);
  }

  // Moves to the next tick before `end` that has events. Returns false, with now = end, if there is none.
  bool advance(Tick end) {
    while (now_ < end) {
      const Tick limit = std::min(end, block_end());
      const Tick next = next_occupied(limit);
      move_to(next);
      if (next < limit) return true;
    }
    return false;
  }

  Bucket& bucket(EventKind kind) { return buckets_[cell_now() * kStride + static_cast<std::uint64_t>(kind)]; }

  // Call it when all events of this tick are handled.
  void leave_tick() {
    Bucket* buckets = &buckets_[cell_now() * kStride];
    for (int kind = 0; kind < kEventKinds; ++kind) buckets[kind].clear();
    occupied_[cell_now()] = 0;
    move_to(now_ + 1);
  }

  // Visits every scheduled event of a kind (not the far timers). For checks.
  template <class Visit>
  void for_each(EventKind kind, Visit&& visit) const {
    for_each_at(kind, [&](const Event& event, Tick) { visit(event); });
  }
  // The same with the tick of the event.
  template <class Visit>
  void for_each_at(EventKind kind, Visit&& visit) const {
    for (std::uint64_t cell = 0; cell <= mask_; ++cell)
      for (const Event& event : buckets_[cell * kStride + static_cast<std::uint64_t>(kind)])
        visit(event, now_ + static_cast<Tick>((cell - cell_now()) & mask_));
  }

 private:
  struct Timer {
    Tick tick;
    std::uint32_t source;
  };
  static constexpr std::uint64_t kCoarse = 1024;  // blocks; a block has as many ticks as there are cells
  static constexpr std::uint64_t kStride = 8;     // buckets per cell (a tick): a power of two >= kEventKinds

  static std::uint64_t cells(Tick horizon) {
    return std::bit_ceil(std::max<std::uint64_t>(static_cast<std::uint64_t>(horizon) + 2, 64));
  }
  std::uint64_t cell_now() const { return static_cast<std::uint64_t>(now_) & mask_; }
  Tick block_end() const { return ((now_ >> block_bits_) + 1) << block_bits_; }

  // Schedules into a later block. Beyond the reach of the coarse wheel, the event waits in the last bucket
  // and is placed again from there.
  [[gnu::noinline]] void schedule_later(Tick tick, std::uint32_t source) {
    const std::uint64_t block = static_cast<std::uint64_t>(tick) >> block_bits_;
    const std::uint64_t here = static_cast<std::uint64_t>(now_) >> block_bits_;
    const std::uint64_t placed = block - here < kCoarse ? block : here + kCoarse - 1;
    coarse_[placed % kCoarse].push_back({tick, source});
  }

  // The first tick with events in [now, end), or end. Visits every cell at most once, because end is in this
  // turn of the wheel.
  Tick next_occupied(Tick end) const {
    const auto from = occupied_.begin() + static_cast<Tick>(cell_now());
    return now_ + (std::find(from, from + (end - now_), 1) - from);
  }

  // Advances the time by one block at most; moves the timers of a block that begins to the fine wheel.
  void move_to(Tick tick) {
    const bool new_block = (tick >> block_bits_) != (now_ >> block_bits_);
    now_ = tick;
    if (!new_block) return;
    placing_.swap(coarse_[(static_cast<std::uint64_t>(now_) >> block_bits_) % kCoarse]);
    for (const Timer& timer : placing_) schedule_timer(timer.tick, timer.source);
    placing_.clear();
  }

  std::uint64_t mask_;           // number of cells, a power of two, minus one
  std::vector<Bucket> buckets_;  // [tick mod cells * kStride + kind]
  // [tick mod cells] 1 if it has events. Not bytes: a store to a byte may alias everything, and the reloads
  // cost 10 %.
  std::vector<std::uint32_t> occupied_;
  int block_bits_;
  Tick now_ = 0;
  std::array<std::vector<Timer>, kCoarse> coarse_;  // [block mod kCoarse]
  std::vector<Timer> placing_;
};

}  // namespace headway
