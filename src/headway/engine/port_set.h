// SPDX-License-Identifier: Apache-2.0
// A set of the ports of one device, as a view of bit words: one word for up to 64 ports, more for wider
// switches. The width is a template parameter so that the usual case is plain 64-bit arithmetic.
#pragma once

#include <bit>
#include <cstdint>

namespace headway {

// The lowest or highest port of a word; 0 if there is none.
inline std::uint32_t lowest_bit(std::uint64_t ports) {
  return static_cast<std::uint32_t>(std::countr_zero(ports == 0 ? 1 : ports));
}
inline std::uint32_t highest_bit(std::uint64_t ports) {
  return 63 - static_cast<std::uint32_t>(std::countl_zero(ports | 1));
}

// The first of a word of ports in rotating order from `first`, which may be one past the last; 0 if there is
// none.
inline std::uint32_t first_from(std::uint64_t ports, std::uint32_t first) {
  if (ports == 0) return 0;
  return (first + static_cast<std::uint32_t>(std::countr_zero(std::rotr(ports, static_cast<int>(first))))) &
         63;
}

// Visits the ports of a word in rotating order from `first`, which may be one past the last, until `visit`
// returns true.
template <class Visit>
[[gnu::always_inline]] inline void visit_bits(std::uint64_t ports, std::uint32_t first, Visit&& visit) {
  // rotated so that `first` is bit 0; ports beyond the radix are never members
  for (std::uint64_t bits = std::rotr(ports, static_cast<int>(first)); bits != 0; bits &= bits - 1)
    if (visit((first + static_cast<std::uint32_t>(std::countr_zero(bits))) & 63)) return;
}

// Moves each field of `kWidth` bits of a word from place i to place i XOR `mix`, without branches. With four
// fields and mix = 1, neighbours change places: 3 2 1 0 becomes 2 3 0 1; with mix = 2, pairs do: 1 0 3 2.
template <std::uint32_t kWidth>
[[gnu::always_inline]] inline std::uint64_t mixed(std::uint64_t word, std::uint32_t mix) {
  for (std::uint32_t half = kWidth; half < 64; half *= 2) {
    const std::uint64_t low = ~0ULL / ((1ULL << half) + 1);  // the lower half of each pair of halves
    const std::uint32_t shift = mix * kWidth & half;         // 0: the halves stay
    word = (word & low) << shift | (word & ~low) >> shift;
  }
  return word;
}

template <bool kWide>
class PortSet {
 public:
  PortSet(std::uint64_t* words, std::uint32_t count) : words_(words), count_(kWide ? count : 1) {}

  void insert(std::uint32_t port) { words_[word(port)] |= bit(port); }
  void erase(std::uint32_t port) { words_[word(port)] &= ~bit(port); }
  // Without a branch, which the processor could not predict.
  void erase_if(bool condition, std::uint32_t port) {
    words_[word(port)] &= ~(static_cast<std::uint64_t>(condition) << (port & 63));
  }
  bool contains(std::uint32_t port) const { return (words_[word(port)] & bit(port)) != 0; }
  bool empty() const {
    for (std::uint32_t w = 0; w < words(); ++w)
      if (words_[w] != 0) return false;
    return true;
  }
  std::uint32_t size() const {
    std::uint32_t members = 0;
    for (std::uint32_t w = 0; w < words(); ++w)
      members += static_cast<std::uint32_t>(std::popcount(words_[w]));
    return members;
  }

  // The members that two sets have in common. Visits them in rotating order from `first`, until `visit`
  // returns true.
  class Common {
   public:
    Common(PortSet a, PortSet b) : a_(a), b_(b) {}
    bool empty() const {
      for (std::uint32_t w = 0; w < a_.words(); ++w)
        if ((a_.words_[w] & b_.words_[w]) != 0) return false;
      return true;
    }
    bool has_several() const {
      std::uint64_t seen = 0;
      for (std::uint32_t w = 0; w < a_.words(); ++w) {
        const std::uint64_t bits = a_.words_[w] & b_.words_[w];
        if ((bits & (bits - 1)) != 0 || (bits != 0 && seen != 0)) return true;
        seen |= bits;
      }
      return false;
    }
    // Divides [0, 2^32) into equal parts, one per member in ascending order; returns the member whose part
    // contains the place.
    std::uint32_t at_share(std::uint64_t place) const {
      std::uint64_t members = 0;
      for (std::uint32_t w = 0; w < a_.words(); ++w)
        members += static_cast<std::uint64_t>(std::popcount(a_.words_[w] & b_.words_[w]));
      std::uint64_t before = place * members >> 32;
      std::uint32_t found = 0;
      visit_from(0, [&](std::uint32_t port) {
        found = port;
        return before-- == 0;
      });
      return found;
    }
    template <class Visit>
    [[gnu::always_inline]] void visit_from(std::uint32_t first, Visit&& visit) const {
      if constexpr (!kWide) {
        visit_bits(*a_.words_ & *b_.words_, first, visit);
      } else {
        const std::uint32_t start = word(first) < a_.words() ? word(first) : 0;
        const std::uint64_t from_first = ~0ULL << (first & 63);
        if (scan(start, from_first, visit)) return;
        for (std::uint32_t w = start + 1; w < a_.words(); ++w)
          if (scan(w, ~0ULL, visit)) return;
        for (std::uint32_t w = 0; w < start; ++w)
          if (scan(w, ~0ULL, visit)) return;
        scan(start, ~from_first, visit);
      }
    }

    // Visits them in ascending order of `port` XOR `mix`.
    template <class Visit>
    [[gnu::always_inline]] void visit_mixed(std::uint32_t mix, Visit&& visit) const {
      const std::uint32_t words = std::bit_ceil(a_.words());
      for (std::uint32_t i = 0; i < words; ++i) {
        const std::uint32_t w = i ^ (mix / 64 & (words - 1));
        if (kWide && w >= a_.words()) continue;
        std::uint64_t bits = a_.words_[w] & b_.words_[w];
        if (bits == 0) continue;
        if (mix != 0) bits = mixed<1>(bits, mix & 63);
        for (; bits != 0; bits &= bits - 1)
          visit(w * 64 + (static_cast<std::uint32_t>(std::countr_zero(bits)) ^ (mix & 63)));
      }
    }

   private:
    template <class Visit>
    bool scan(std::uint32_t w, std::uint64_t mask, Visit&& visit) const {
      for (std::uint64_t bits = a_.words_[w] & b_.words_[w] & mask; bits != 0; bits &= bits - 1)
        if (visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)))) return true;
      return false;
    }
    PortSet a_;
    PortSet b_;
  };

 private:
  static std::uint32_t word(std::uint32_t port) { return kWide ? port / 64 : 0; }
  static std::uint64_t bit(std::uint32_t port) { return 1ULL << (port & 63); }
  std::uint32_t words() const { return kWide ? count_ : 1; }

  std::uint64_t* words_;
  std::uint32_t count_;
};

}  // namespace headway
