// SPDX-License-Identifier: Apache-2.0
// A set of cells of a wheel, at most 4096. Finds the next one in a few steps.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace headway {

class CellSet {
 public:
  static constexpr std::uint64_t kMost = 64 * 64;

  bool empty() const { return filled_ == 0; }
  bool contains(std::uint64_t cell) const { return (words_[cell / 64] >> cell % 64 & 1) != 0; }
  void insert(std::uint64_t cell) {
    words_[cell / 64] |= std::uint64_t{1} << cell % 64;
    filled_ |= std::uint64_t{1} << cell / 64;
  }
  void erase(std::uint64_t cell) {
    std::uint64_t& word = words_[cell / 64];
    word &= ~(std::uint64_t{1} << cell % 64);
    if (word == 0) filled_ &= ~(std::uint64_t{1} << cell / 64);
  }
  // The first cell of the set that is not before `cell`, or kMost.
  std::uint64_t first_from(std::uint64_t cell) const {
    if (const std::uint64_t rest = words_[cell / 64] >> cell % 64; rest != 0)
      return cell + static_cast<std::uint64_t>(std::countr_zero(rest));
    const std::uint64_t later = filled_ >> cell / 64 >> 1;
    if (later == 0) return kMost;
    const std::uint64_t word = cell / 64 + 1 + static_cast<std::uint64_t>(std::countr_zero(later));
    return word * 64 + static_cast<std::uint64_t>(std::countr_zero(words_[word]));
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t word = 0; word < words_.size(); ++word)
      for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<std::uint64_t>(std::countr_zero(rest)));
  }

 private:
  std::array<std::uint64_t, kMost / 64> words_{};
  std::uint64_t filled_ = 0;  // the words that are not zero
};

}  // namespace headway
