// SPDX-License-Identifier: Apache-2.0
// A hash map from 64-bit keys to 32-bit values with open addressing: for tables per (node, destination) pair that must
// follow the traffic and not the square of the nodes. Entries are never removed.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/rng.h"

namespace headway {

class FlatMap {
 public:
  // The value of the key, inserted as `initial` if new. The reference holds until the next call.
  std::uint32_t& at(std::uint64_t key, std::uint32_t initial) {
    if (entries_.size() < 2 * (size_ + 1)) grow();
    Entry& entry = entries_[slot_of(key)];
    if (!entry.used) {
      entry = {key, initial, true};
      ++size_;
    }
    return entry.value;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t value = 0;
    bool used = false;
  };

  // The key's slot, or the free one where it belongs.
  std::size_t slot_of(std::uint64_t key) const {
    std::size_t slot = mix64(key) & (entries_.size() - 1);
    while (entries_[slot].used && entries_[slot].key != key) slot = (slot + 1) & (entries_.size() - 1);
    return slot;
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.used) entries_[slot_of(entry.key)] = entry;
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace headway
