// SPDX-License-Identifier: Apache-2.0
// The event queue: a typed timing wheel (one bucket per kind of event and tick) for everything a hop schedules, and a
// coarse second wheel for the far timers of sources. Measured 20-30 times cheaper per event than a heap
// (reference/engine.md section 1). Events of one bucket commute, so their order in it carries no meaning.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "headway/base/ids.h"

namespace headway {

// What can happen, in the order in which a tick handles it (DESIGN 3.2).
enum class EventKind : std::uint8_t {
  arrive,    // a header becomes switchable: queue, packet
  deliver,   // a tail reaches its node: packet
  release,   // a transfer ends: output port
  credit,    // room is reported to the sender: queue, the sender's output port
  generate,  // a source's time has come: source
};
inline constexpr int kEventKinds = 5;

struct Event {
  std::uint32_t a;
  std::uint32_t b;
};

class Wheel {
 public:
  // No event but `generate` is ever scheduled more than `horizon` ticks ahead.
  explicit Wheel(Tick horizon)
      : slots_(std::bit_ceil(std::max<std::uint64_t>(static_cast<std::uint64_t>(horizon) + 2, 64))),
        bucket_of_(slots_),
        occupied_(slots_ / 64),
        block_bits_(std::countr_zero(slots_)) {}

  Tick now() const { return now_; }

  void schedule(EventKind kind, Tick tick, std::uint32_t a, std::uint32_t b = 0) {
    const std::uint64_t slot = static_cast<std::uint64_t>(tick) & (slots_ - 1);
    bucket_of_[slot][static_cast<int>(kind)].push_back({a, b});
    occupied_[slot / 64] |= 1ULL << (slot % 64);
  }

  // A source's next generation, any distance ahead.
  void schedule_timer(Tick tick, std::uint32_t source) {
    const std::uint64_t block = static_cast<std::uint64_t>(tick) >> block_bits_;
    const std::uint64_t here = static_cast<std::uint64_t>(now_) >> block_bits_;
    if (block == here) return schedule(EventKind::generate, tick, source);
    // Farther than the coarse wheel reaches: wait in its last bucket and be placed again from there.
    const std::uint64_t placed = block - here < kCoarse ? block : here + kCoarse - 1;
    coarse_[placed % kCoarse].push_back({tick, source});
  }

  // Moves to the next tick before `end` that has events; false (now = end) if there is none.
  bool advance(Tick end) {
    while (now_ < end) {
      const Tick limit = std::min(end, block_end());
      const Tick next = next_occupied(limit);
      move_to(next);
      if (next < limit) return true;
    }
    return false;
  }

  std::vector<Event>& bucket(EventKind kind) {
    return bucket_of_[static_cast<std::uint64_t>(now_) & (slots_ - 1)][static_cast<int>(kind)];
  }
  // All events of this tick are done.
  void leave_tick() {
    const std::uint64_t slot = static_cast<std::uint64_t>(now_) & (slots_ - 1);
    for (auto& events : bucket_of_[slot]) events.clear();
    occupied_[slot / 64] &= ~(1ULL << (slot % 64));
    move_to(now_ + 1);
  }

  // Visits every scheduled event of a kind (not the far timers). For checks.
  template <class Visit>
  void for_each(EventKind kind, Visit&& visit) const {
    for (const auto& bucket : bucket_of_)
      for (const Event& event : bucket[static_cast<int>(kind)]) visit(event);
  }

 private:
  struct Timer {
    Tick tick;
    std::uint32_t source;
  };
  static constexpr std::uint64_t kCoarse = 1024;  // blocks of `slots_` ticks

  Tick block_end() const { return ((now_ >> block_bits_) + 1) << block_bits_; }

  // The first occupied tick in [now, end), or end. end - now <= slots.
  Tick next_occupied(Tick end) const {
    Tick tick = now_;
    while (tick < end) {
      const std::uint64_t slot = static_cast<std::uint64_t>(tick) & (slots_ - 1);
      const std::uint64_t word = occupied_[slot / 64] >> (slot % 64);
      if (word != 0) return std::min(end, tick + std::countr_zero(word));
      tick += 64 - static_cast<Tick>(slot % 64);
    }
    return end;
  }

  // Time goes on, by one block at most; the timers of a block that begins move to the fine wheel.
  void move_to(Tick tick) {
    const bool new_block = (tick >> block_bits_) != (now_ >> block_bits_);
    now_ = tick;
    if (!new_block) return;
    placing_.swap(coarse_[(static_cast<std::uint64_t>(now_) >> block_bits_) % kCoarse]);
    for (const Timer& timer : placing_) schedule_timer(timer.tick, timer.source);
    placing_.clear();
  }

  std::uint64_t slots_;
  std::vector<std::array<std::vector<Event>, kEventKinds>> bucket_of_;  // [tick mod slots][kind]
  std::vector<std::uint64_t> occupied_;                                 // bit per slot
  int block_bits_;
  Tick now_ = 0;
  std::array<std::vector<Timer>, kCoarse> coarse_;  // [block mod kCoarse]
  std::vector<Timer> placing_;
};

}  // namespace headway
