// SPDX-License-Identifier: Apache-2.0
// The labels of one rank of a GOAL file: a hash table with open addressing. A file can have ten million
// labels and twice as many references, so labels that differ in their last character only, like l120 to l129,
// are neighbours in memory: their home is a block of 16 slots that the other characters choose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/hash.h"
#include "headway/base/rng.h"

namespace headway {

class Labels {
 public:
  struct Label {
    std::uint64_t first;  // character in the texts
    std::uint32_t size;
    std::uint32_t op;
    std::uint32_t line;
  };

  // The labels are those of another rank from now on.
  void clear() {
    labels_.clear();
    texts_.clear();
    if (++generation_ == 0) slots_.clear();
  }

  // Adds the label; returns the label of that name if there is one, and null otherwise.
  const Label* add(std::string_view text, std::uint32_t op, std::uint32_t line) {
    if (labels_.size() >= slots_.size() / 2) grow();
    Slot& slot = slots_[slot_of(text, hash(text))];
    if (slot.generation == generation_) return &labels_[slot.label];
    slot = {generation_, hash(text), static_cast<std::uint32_t>(labels_.size())};
    labels_.push_back({texts_.size(), static_cast<std::uint32_t>(text.size()), op, line});
    texts_ += text;
    return nullptr;
  }

  const Label* find(std::string_view text) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[slot_of(text, hash(text))];
    return slot.generation == generation_ ? &labels_[slot.label] : nullptr;
  }

  // The last `most` labels, for "did you mean".
  std::vector<std::string_view> last(std::size_t most) const {
    std::vector<std::string_view> all;
    for (std::size_t i = labels_.size() - std::min(most, labels_.size()); i < labels_.size(); ++i)
      all.push_back(text_of(labels_[i]));
    return all;
  }

 private:
  struct Slot {
    std::uint32_t generation = 0;  // of the rank that uses it
    std::uint32_t home = 0;        // before the mask
    std::uint32_t label = 0;
  };

  std::string_view text_of(const Label& label) const {
    return std::string_view(texts_).substr(label.first, label.size);
  }
  static std::uint32_t hash(std::string_view text) {
    const auto last = static_cast<unsigned char>(text.back());
    const std::uint64_t block = mix64(hash_of(text.substr(0, text.size() - 1)));
    return static_cast<std::uint32_t>(block) << 4 | (last & 15U);
  }
  std::size_t slot_of(std::string_view text, std::uint32_t home) const {
    std::size_t slot = home & (slots_.size() - 1);
    while (slots_[slot].generation == generation_ &&
           (slots_[slot].home != home || text_of(labels_[slots_[slot].label]) != text))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.generation != generation_) continue;
      std::size_t to = slot.home & (slots_.size() - 1);
      while (slots_[to].generation == generation_) to = (to + 1) & (slots_.size() - 1);
      slots_[to] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, or none
  std::vector<Label> labels_;
  std::string texts_;
  std::uint32_t generation_ = 1;
};

}  // namespace headway
