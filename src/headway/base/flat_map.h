// SPDX-License-Identifier: Apache-2.0
// A hash map from unsigned integers to small values with open addressing. For tables per (node, destination)
// pair whose size must depend on the traffic and not on the square of the number of nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "headway/base/fetch.h"
#include "headway/base/huge_vector.h"
#include "headway/base/rng.h"

namespace headway {

template <class Key, class Value = std::uint32_t>
class FlatMap {
 public:
  // Returns the value of the key, which is inserted as `initial` if it is new. The reference is valid until
  // the next call. The largest Key is reserved.
  Value& at(Key key, Value initial) {
    if (size_ == most_) grow();
    Entry& entry = entries_[slot_of(key)];
    if (entry.key == kUnused) {
      entry = {key, initial};
      ++size_;
    }
    return entry.value;
  }

  // The key may be absent.
  void erase(Key key) {
    if (entries_.empty()) return;
    std::size_t hole = slot_of(key);
    if (entries_[hole].key == kUnused) return;
    --size_;
    // An entry moves into the hole if a search for it would pass there.
    for (std::size_t slot = (hole + 1) & mask_; entries_[slot].key != kUnused; slot = (slot + 1) & mask_) {
      const std::size_t home = home_of(entries_[slot].key);
      if (((slot - home) & mask_) < ((slot - hole) & mask_)) continue;
      entries_[hole] = entries_[slot];
      hole = slot;
    }
    entries_[hole] = Entry{};
  }

  void clear() {
    std::fill(entries_.begin(), entries_.end(), Entry{});
    size_ = 0;
  }

  // Returns the value of the key, or `otherwise` if the key is absent.
  Value value(Key key, Value otherwise = {}) const {
    if (entries_.empty()) return otherwise;
    const Entry& entry = entries_[slot_of(key)];
    return entry.key == kUnused ? otherwise : entry.value;
  }

  // Visits all values, in no particular order.
  template <class Visit>
  void for_each_value(Visit&& visit) {
    for (Entry& entry : entries_)
      if (entry.key != kUnused) visit(entry.value);
  }

  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return entries_.capacity() * sizeof(Entry); }
  // The most that it takes until it has so many values: while it grows, it has two tables.
  static std::uint64_t most_bytes(std::uint64_t values) {
    return values == 0 ? 0
                       : std::max<std::uint64_t>(kFirst, std::bit_ceil(2 * values)) * sizeof(Entry) * 3 / 2;
  }

  // Prefetches for a following call of `at` with this key.
  void fetch(Key key) const {
    if (!entries_.empty()) headway::fetch(&entries_[home_of(key)]);
  }

 private:
  static constexpr Key kUnused = ~Key{0};
  static constexpr std::size_t kFirst = 16;
  struct Entry {
    Key key = kUnused;
    Value value = {};
  };

  std::size_t home_of(Key key) const { return mix64(key) & mask_; }
  // The slot of the key, or the free slot for it.
  std::size_t slot_of(Key key) const {
    std::size_t slot = home_of(key);
    while (entries_[slot].key != kUnused && entries_[slot].key != key) slot = (slot + 1) & mask_;
    return slot;
  }
  void grow() {
    HugeVector<Entry> old(entries_.empty() ? kFirst : entries_.size() * 2);
    old.swap(entries_);
    mask_ = entries_.size() - 1;
    most_ = entries_.size() / 2;
    for (const Entry& entry : old)
      if (entry.key != kUnused) entries_[slot_of(entry.key)] = entry;
  }

  HugeVector<Entry> entries_;  // a power of two, or none
  std::size_t size_ = 0;
  std::size_t mask_ = 0;  // entries_.size() - 1
  std::size_t most_ = 0;  // values before it grows
};

}  // namespace headway
