// SPDX-License-Identifier: Apache-2.0
// The event queue: a typed timing wheel with one bucket per kind of event and tick, and levels of coarser
// wheels for later events. It is 20 to 30 times cheaper per event than a heap (docs/decisions.md). Its time
// and its memory follow the events, not the ticks. Events of one bucket commute, so their order has no
// meaning, with one exception: if a link delivers two packets in the same tick, the one that was sent first
// comes first. The events of a bucket therefore keep the order in which they were scheduled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "headway/base/ids.h"
#include "headway/config/limits.h"
#include "headway/engine/cell_set.h"
#include "headway/engine/in_turn.h"

namespace headway {

// The kinds of events, in the order in which a tick handles them (modelling.md).
enum class EventKind : std::uint8_t {
  arrive,    // a header becomes switchable: queue, packet
  deliver,   // a tail reaches its node: packet, 0; or a slow node has consumed a packet: packet, 1
  release,   // a switch's transfer ends: switch, its input << 16 | output
  sent,      // a transfer of an adapter or output unit ends: device, its freed room (FreedRoom::word); or a
             // link of a switch has sent a packet of a faster input: switch, input << 16 | output
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

// An event with its tick.
struct TimedEvent {
  Tick tick;
  Event event;
  EventKind kind;
};

// The events of one kind in one tick. Keeps its memory when cleared. A bucket without memory is full.
class Bucket {
 public:
  static constexpr std::uint32_t kAhead = 6;

  bool empty() const { return end_ == events_.get(); }
  bool is_full() const { return end_ == limit_; }
  // Only if it is not full.
  void add(const Event& event) { *end_++ = event; }
  [[gnu::noinline, gnu::cold]] void grow() {
    const std::uint32_t before = size(), capacity = std::max(2 * before, 8U);
    auto events = std::make_unique<Event[]>(capacity);
    std::copy(begin(), end(), events.get());
    events_ = std::move(events);
    end_ = events_.get() + before;
    limit_ = events_.get() + capacity;
  }
  Event* begin() { return events_.get(); }
  Event* end() { return end_; }
  const Event* begin() const { return events_.get(); }
  const Event* end() const { return end_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - events_.get()); }
  std::uint32_t capacity() const { return static_cast<std::uint32_t>(limit_ - events_.get()); }
  std::uint64_t bytes() const { return std::uint64_t{capacity()} * sizeof(Event); }
  void clear() { end_ = events_.get(); }
  // Takes the events out for which take(event) returns true.
  template <class Take>
  void take_if(Take&& take) {
    end_ = std::remove_if(begin(), end(), take);
  }
  void swap(Bucket& other) {
    events_.swap(other.events_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
  }

  // Handles the events in order, with the prefetching of in_turn.
  template <class Handle, class... Prepare>
  [[gnu::always_inline]] inline void for_each(Handle&& handle, Prepare&&... prepare) const {
    const Event* const events = begin();
    in_turn<kAhead>(
        size(), kManyTurns, [&](std::uint32_t i) __attribute__((always_inline)) { handle(events[i]); },
        [&](std::uint32_t i) { prepare(events[i]); }...);
  }

 private:
  std::unique_ptr<Event[]> events_;
  Event* end_ = nullptr;
  Event* limit_ = nullptr;  // of its memory
};

// The events of one tick.
class TickEvents {
 public:
  Bucket& bucket(EventKind kind) { return buckets_[static_cast<std::size_t>(kind)]; }
  // Calls handle(bucket) if there are events of this kind. They are then done.
  template <class Handle>
  [[gnu::always_inline]] void take(EventKind kind, Handle&& handle) {
    Bucket& events = bucket(kind);
    if (events.empty()) return;
    handle(events);
    events.clear();
  }

 private:
  friend class Wheel;
  std::array<Bucket, kEventKinds> buckets_;
  TickEvents* next_unused_ = nullptr;
  bool has_long_ = false;  // one of the buckets may be long
};

// The events of many ticks, in the order in which they were scheduled. Its memory is chunks, which lists hand
// on to each other, because most lists are short: some timers that are far ahead. A list without chunks is
// full.
class LaterEvents {
 public:
  static constexpr std::uint32_t kChunk = 31;
  struct Entry {
    Entry() = default;
    Entry(EventKind kind, Tick tick, Event event)
        : word(static_cast<std::uint64_t>(tick) << kKindBits | static_cast<std::uint64_t>(kind)),
          event(event) {}
    Tick tick() const { return static_cast<Tick>(word >> kKindBits); }
    EventKind kind() const { return static_cast<EventKind>(word % kEventKinds); }

    std::uint64_t word;  // its tick and kind
    Event event;
  };
  struct Chunk {
    std::array<Entry, kChunk> entries;
    Chunk* next = nullptr;
  };

  bool is_full() const { return end_ == limit_; }
  // Only if it is not full.
  void add(const Entry& entry) { *end_++ = entry; }
  // Only if it is full.
  void add_chunk(Chunk& chunk) {
    (first_ == nullptr ? first_ : last_->next) = &chunk;
    last_ = &chunk;
    chunk.next = nullptr;
    end_ = chunk.entries.data();
    limit_ = end_ + kChunk;
  }
  // Calls visit for every entry, and leave(chunk) after those of a chunk.
  template <class Visit, class Leave>
  void for_each(Visit&& visit, Leave&& leave) const {
    for (Chunk* chunk = first_; chunk != nullptr;) {
      const Entry* const end = chunk == last_ ? end_ : chunk->entries.data() + kChunk;
      for (const Entry* entry = chunk->entries.data(); entry != end; ++entry) visit(*entry);
      leave(*std::exchange(chunk, chunk->next));
    }
  }

 private:
  static constexpr int kKindBits = std::countr_zero(std::uint32_t{kEventKinds});
  static_assert(limits::kTickAfterRuns + limits::kTicksOfRun < Tick{1} << (64 - kKindBits));

  Entry* end_ = nullptr;
  Entry* limit_ = nullptr;  // of the last chunk
  Chunk* first_ = nullptr;
  Chunk* last_ = nullptr;
};

// The fine wheel has a cell for each of the next 4096 ticks. Time is divided into blocks, as long as the
// horizon but at most as the fine wheel. The fine wheel holds the events of this block and, if the horizon
// fits, those of all hops. The others wait in levels, which take less memory: a cell of the first level is a
// block, a cell of a higher level all cells of the level below. When time enters a cell, its events move
// down. An event waits in the lowest level at which its cell is not that of the present, so events of one
// tick meet in the order in which they were scheduled.
//
// The memory of a bucket goes to the next tick that takes its place, which may have no events of this kind
// for some time. Long buckets, those of large networks, therefore hand their memory over kind by kind: ticks
// that are far ahead have only the memory of those kinds whose events are known so early.
//
// In a part of a run, delays of links to other parts contain kAbroad (parts.h), so that the hot code needs no
// test for such links: their events are too late for the fine wheel, as far as it can tell.
class Wheel {
 public:
  static constexpr Tick kAbroad = Tick{1} << 31;

  // Only schedule_at_any_distance schedules events more than `horizon` ticks ahead.
  explicit Wheel(Tick horizon)
      : block_bits_(std::countr_zero(block(horizon))),
        hops_fit_(static_cast<std::uint64_t>(horizon) + 2 <= kCells) {
    cells_.fill(&none_);
    levels_[0] = std::make_unique<Level>();
    begin_block();
  }
  Wheel(const Wheel&) = delete;
  Wheel& operator=(const Wheel&) = delete;

  // The most memory of a wheel whose events lie within a block, without these events.
  static std::uint64_t bytes(Tick horizon) {
    return sizeof(Wheel) + sizeof(Level) + block(horizon) * sizeof(TickEvents);
  }
  // The memory that it has now.
  std::uint64_t bytes() const;
  // About what this many events of hops take in a large network, with the spare room of their buckets.
  static double bytes_of_events(double events) { return 1.5 * sizeof(Event) * events; }

  Tick now() const { return now_; }

  [[gnu::always_inline]] void schedule(EventKind kind, Tick tick, std::uint32_t a, std::uint32_t b = 0) {
    if (tick < hops_end_) [[likely]]
      return place(kind, tick, {a, b});
    schedule_hop_later(kind, tick, {a, b});
  }

  // Schedules a source's next generation, at any distance.
  [[gnu::always_inline]] void schedule_timer(Tick tick, std::uint32_t source) {
    schedule_at_any_distance(EventKind::generate, tick, source);
  }
  [[gnu::always_inline]] void schedule_at_any_distance(EventKind kind, Tick tick, std::uint32_t a,
                                                       std::uint32_t b = 0) {
    if (tick < block_end_) return place(kind, tick, {a, b});
    schedule_later(kind, tick, {a, b});
  }

  // Moves to the next tick before `end` that has events. Returns false, with now = end, if there is none.
  bool advance(Tick end) {
    while (now_ < end) {
      const Tick next = now_ + static_cast<Tick>(occupied_.first_from(cell_now()) - cell_now());
      if (next < std::min(block_end_, end)) {
        now_ = next;
        return true;
      }
      move_to(std::min(next < block_end_ ? next : next_block(), end));
    }
    return false;
  }

  // No event is earlier.
  Tick next() const {
    const Tick next = now_ + static_cast<Tick>(occupied_.first_from(cell_now()) - cell_now());
    return next < block_end_ ? next : next_block();
  }

  // The delay of a link to any part.
  static Tick delay_of(std::uint32_t of_link) { return of_link & (kAbroad - 1); }
  // The delay of a message over a link if it may have a delay of its own.
  static Tick delay_or(std::optional<Tick> own, std::uint32_t of_link) {
    return own ? *own + (of_link & kAbroad) : of_link;
  }

  // From now on, events of hops from kAbroad ticks ahead on are collected for other parts, with ticks without
  // kAbroad.
  void send_abroad(std::vector<TimedEvent>& events) { abroad_ = &events; }

  TickEvents& events() { return *cells_[cell_now()]; }

  // Call it when all events of this tick have been taken.
  void leave_tick() {
    TickEvents* events = std::exchange(cells_[cell_now()], &none_);
    if (events->has_long_) [[unlikely]]
      take_long(*events);
    events->next_unused_ = std::exchange(unused_, events);
    occupied_.erase(cell_now());
    move_to(now_ + 1);
  }

  // Takes the events out for which take(kind, tick, event) returns true. Only between ticks.
  template <class Take>
  void take_if(Take&& take);
  // Begins again, at this tick. There must be no events.
  void restart(Tick tick) {
    now_ = tick;
    begin_block();
  }
  // Exchanges time and events. For events of other parts of the run, there is no exchange.
  void exchange(Wheel& other);

  // Calls visit(kind, tick, event) for every event.
  template <class Visit>
  void for_each_event(Visit&& visit) const {
    occupied_.for_each([&](std::uint64_t cell) {
      const Tick tick = now_ + static_cast<Tick>((cell - cell_now()) % kCells);
      for (std::size_t kind = 0; kind < kEventKinds; ++kind)
        for (const Event& event : cells_[cell]->buckets_[kind])
          visit(static_cast<EventKind>(kind), tick, event);
    });
    for (const std::unique_ptr<Level>& level : levels_) {
      if (level == nullptr) continue;
      level->occupied.for_each([&](std::uint64_t cell) {
        level->cells[cell].for_each(
            [&](const LaterEvents::Entry& later) { visit(later.kind(), later.tick(), later.event); },
            [](LaterEvents::Chunk&) {});
      });
    }
  }
  // Visits every scheduled event of a kind. For checks.
  template <class Visit>
  void for_each(EventKind kind, Visit&& visit) const {
    for_each_at(kind, [&](const Event& event, Tick) { visit(event); });
  }
  // Calls visit(event, tick) for every event of this kind.
  template <class Visit>
  void for_each_at(EventKind kind, Visit&& visit) const {
    occupied_.for_each([&](std::uint64_t cell) {
      for (const Event& event : cells_[cell]->bucket(kind))
        visit(event, now_ + static_cast<Tick>((cell - cell_now()) % kCells));
    });
    for (const std::unique_ptr<Level>& level : levels_) {
      if (level == nullptr) continue;
      level->occupied.for_each([&](std::uint64_t cell) {
        level->cells[cell].for_each(
            [&](const LaterEvents::Entry& later) {
              if (later.kind() == kind) visit(later.event, later.tick());
            },
            [](LaterEvents::Chunk&) {});
      });
    }
  }

 private:
  static constexpr std::uint64_t kCells = CellSet::kMost;
  static constexpr std::uint32_t kLong = 512;  // events: 4 KiB
  static constexpr int kLevelBits = 10;
  static constexpr std::uint64_t kLevelCells = 1 << kLevelBits;
  static constexpr std::size_t kLevels = 6;  // with 64 cells of the fine wheel, all ticks of 63 bits
  struct Level {
    std::array<LaterEvents, kLevelCells> cells;
    CellSet occupied;
  };

  static std::uint64_t block(Tick horizon) {
    return std::clamp<std::uint64_t>(std::bit_ceil(static_cast<std::uint64_t>(horizon) + 2), 64, kCells);
  }
  std::uint64_t cell_now() const { return static_cast<std::uint64_t>(now_) % kCells; }

  [[gnu::always_inline]] void place(EventKind kind, Tick tick, Event event) {
    const std::uint64_t cell = static_cast<std::uint64_t>(tick) % kCells;
    Bucket* bucket = &cells_[cell]->bucket(kind);
    if (bucket->is_full()) [[unlikely]]
      bucket = &make_room(cell, kind);
    bucket->add(event);
  }

  // The bucket has no room, or its cell no buckets yet.
  [[gnu::noinline]] Bucket& make_room(std::uint64_t cell, EventKind kind) {
    if (cells_[cell] == &none_) {
      if (unused_ == nullptr) [[unlikely]]
        return add_unused(cell, kind);
      cells_[cell] = std::exchange(unused_, unused_->next_unused_);
      occupied_.insert(cell);
    }
    Bucket& bucket = cells_[cell]->bucket(kind);
    return bucket.is_full() ? enlarge(*cells_[cell], kind) : bucket;
  }
  [[gnu::noinline, gnu::cold]] Bucket& add_unused(std::uint64_t cell, EventKind kind) {
    unused_ = &all_.emplace_back();
    return make_room(cell, kind);
  }
  [[gnu::noinline, gnu::cold]] Bucket& enlarge(TickEvents& events, EventKind kind) {
    Bucket& bucket = events.bucket(kind);
    std::vector<Bucket>& spare = spare_long_[static_cast<std::size_t>(kind)];
    if (bucket.capacity() == 0 && !spare.empty()) {
      bucket.swap(spare.back());
      spare.pop_back();
    } else {
      bucket.grow();
    }
    events.has_long_ |= bucket.capacity() >= kLong;
    return bucket;
  }

  [[gnu::noinline, gnu::cold]] void take_long(TickEvents& events) {
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
      if (events.buckets_[kind].capacity() < kLong) continue;
      spare_long_[kind].emplace_back();
      spare_long_[kind].back().swap(events.buckets_[kind]);
    }
    events.has_long_ = false;
  }

  int shift_of(std::size_t level) const { return block_bits_ + kLevelBits * static_cast<int>(level); }
  std::uint64_t cell_of(Tick tick, std::size_t level) const {
    return (static_cast<std::uint64_t>(tick) >> shift_of(level)) % kLevelCells;
  }

  [[gnu::noinline]] void schedule_hop_later(EventKind kind, Tick tick, Event event) {
    if (!add_to_first_level(kind, tick, event)) schedule_hop_much_later(kind, tick, event);
  }
  // A function of its own, so that schedule_hop_later saves no registers.
  [[gnu::noinline]] void schedule_hop_much_later(EventKind kind, Tick tick, Event event) {
    if (abroad_ != nullptr && tick - now_ >= kAbroad)
      abroad_->push_back({tick - kAbroad, event, kind});
    else
      schedule_at_any_level(kind, tick, event);
  }

  // Schedules into a later block.
  [[gnu::noinline]] void schedule_later(EventKind kind, Tick tick, Event event) {
    if (!add_to_first_level(kind, tick, event)) schedule_at_any_level(kind, tick, event);
  }
  // False if the tick is too late for this level or its cell has no room.
  [[gnu::always_inline]] bool add_to_first_level(EventKind kind, Tick tick, Event event) {
    if (static_cast<std::uint64_t>(tick ^ now_) >> block_bits_ >= kLevelCells) [[unlikely]]
      return false;
    LaterEvents& events = levels_[0]->cells[cell_of(tick, 0)];
    if (events.is_full()) [[unlikely]]
      return false;
    events.add({kind, tick, event});
    return true;
  }
  [[gnu::noinline]] void schedule_at_any_level(EventKind kind, Tick tick, Event event) {
    std::size_t number = 0;
    for (Tick differing = (tick ^ now_) >> shift_of(1); differing != 0; differing >>= kLevelBits) ++number;
    if (levels_[number] == nullptr) [[unlikely]]
      levels_[number] = std::make_unique<Level>();
    const std::uint64_t cell = cell_of(tick, number);
    levels_[number]->occupied.insert(cell);
    LaterEvents& events = levels_[number]->cells[cell];
    if (events.is_full()) {
      if (unused_chunks_ == nullptr) unused_chunks_ = &chunks_.emplace_back();
      LaterEvents::Chunk& chunk = *unused_chunks_;
      unused_chunks_ = chunk.next;
      events.add_chunk(chunk);
    }
    events.add({kind, tick, event});
  }

  // The begin of the next block that may have events, if this one has none left.
  [[gnu::noinline]] Tick next_block() const {
    if (!occupied_.empty()) return block_end_;
    for (std::size_t number = 0; number < kLevels; ++number) {
      if (levels_[number] == nullptr) continue;
      const std::uint64_t cell = levels_[number]->occupied.first_from(cell_of(now_, number));
      if (cell == CellSet::kMost) continue;
      const int shift = shift_of(number);
      return ((now_ >> shift >> kLevelBits << kLevelBits) + static_cast<Tick>(cell)) << shift;
    }
    return std::numeric_limits<Tick>::max();
  }

  // Skips no events.
  void move_to(Tick tick) {
    now_ = tick;
    if (tick >= block_end_) begin_block();
  }

  [[gnu::noinline]] void begin_block() {
    block_end_ = ((now_ >> block_bits_) + 1) << block_bits_;
    hops_end_ = hops_fit_ ? block_end_ + kAbroad / 2 : block_end_;
    for (std::size_t number = kLevels; number-- > 0;) {
      if (levels_[number] == nullptr) continue;
      Level& level = *levels_[number];
      const std::uint64_t cell = cell_of(now_, number);
      if (!level.occupied.contains(cell)) continue;
      level.occupied.erase(cell);
      const LaterEvents moving = std::exchange(level.cells[cell], {});
      moving.for_each(
          [&](const LaterEvents::Entry& later) {
            if (later.tick() < block_end_)
              place(later.kind(), later.tick(), later.event);
            else
              schedule_later(later.kind(), later.tick(), later.event);
          },
          [&](LaterEvents::Chunk& chunk) { chunk.next = std::exchange(unused_chunks_, &chunk); });
    }
  }

  int block_bits_;
  bool hops_fit_;  // the events of hops never wait in a level
  Tick now_ = 0;
  Tick block_end_;
  Tick hops_end_;  // the fine wheel takes the events of hops before this tick
  TickEvents* unused_ = nullptr;
  std::vector<TimedEvent>* abroad_ = nullptr;  // null: there are no other parts
  std::deque<TickEvents> all_;
  std::array<std::unique_ptr<Level>, kLevels> levels_;  // those above the first: null until used
  std::deque<LaterEvents::Chunk> chunks_;
  LaterEvents::Chunk* unused_chunks_ = nullptr;
  std::array<std::vector<Bucket>, kEventKinds> spare_long_;  // [kind] empty lists of earlier ticks
  CellSet occupied_;
  // [tick mod kCells] none_ if it has no events: its buckets are full, so one test finds both that the cell
  // is empty and that the bucket has no room.
  std::array<TickEvents*, kCells> cells_;
  TickEvents none_;
};

template <class Take>
void Wheel::take_if(Take&& take) {
  occupied_.for_each([&](std::uint64_t cell) {
    const Tick tick = now_ + static_cast<Tick>((cell - cell_now()) % kCells);
    bool is_empty = true;
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
      Bucket& bucket = cells_[cell]->buckets_[kind];
      bucket.take_if([&](const Event& event) { return take(static_cast<EventKind>(kind), tick, event); });
      is_empty &= bucket.empty();
    }
    if (!is_empty) return;
    TickEvents* const events = std::exchange(cells_[cell], &none_);
    events->next_unused_ = std::exchange(unused_, events);
    occupied_.erase(cell);
  });
  for (const std::unique_ptr<Level>& level : levels_) {
    if (level == nullptr) continue;
    const CellSet occupied = level->occupied;
    occupied.for_each([&](std::uint64_t cell) {
      level->occupied.erase(cell);
      const LaterEvents waiting = std::exchange(level->cells[cell], {});
      waiting.for_each(
          [&](const LaterEvents::Entry& later) {
            if (!take(later.kind(), later.tick(), later.event))
              schedule_at_any_level(later.kind(), later.tick(), later.event);
          },
          [&](LaterEvents::Chunk& chunk) { chunk.next = std::exchange(unused_chunks_, &chunk); });
    });
  }
}

inline void Wheel::exchange(Wheel& other) {
  std::swap(now_, other.now_);
  std::swap(block_end_, other.block_end_);
  std::swap(hops_end_, other.hops_end_);
  std::swap(unused_, other.unused_);
  all_.swap(other.all_);
  levels_.swap(other.levels_);
  chunks_.swap(other.chunks_);
  std::swap(unused_chunks_, other.unused_chunks_);
  spare_long_.swap(other.spare_long_);
  std::swap(occupied_, other.occupied_);
  for (std::uint64_t cell = 0; cell < kCells; ++cell) {
    TickEvents *const here = cells_[cell], *const there = other.cells_[cell];
    cells_[cell] = there == &other.none_ ? &none_ : there;
    other.cells_[cell] = here == &none_ ? &other.none_ : here;
  }
}

inline std::uint64_t Wheel::bytes() const {
  std::uint64_t bytes = sizeof(Wheel) + all_.size() * sizeof(TickEvents);
  const auto add = [&](const auto& buckets) {
    for (const Bucket& bucket : buckets) bytes += bucket.bytes();
  };
  for (const TickEvents& events : all_) add(events.buckets_);
  for (const std::vector<Bucket>& spare : spare_long_) add(spare);
  for (const std::unique_ptr<Level>& level : levels_)
    if (level != nullptr) bytes += sizeof(Level);
  return bytes + chunks_.size() * sizeof(LaterEvents::Chunk);
}

}  // namespace headway
