// SPDX-License-Identifier: Apache-2.0
// 64 replications in a word: bit r belongs to replication r. A pass of word operations advances 64
// independent runs of the same network. Their spread gives the confidence intervals.
//
// Random bits are exact to 2^-32: U < p is decided bit by bit, most significant first, in all replications at
// once.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "headway/base/rng.h"

namespace headway::slotted {

using Replications = std::uint64_t;
inline constexpr std::uint32_t kReplications = 64;
inline constexpr Replications kAll = ~Replications{0};

using ReplicationCounts = std::array<std::uint64_t, kReplications>;  // a count per replication

// A probability as a multiple of 2^-32; 0 and 1 are exact.
struct Probability {
  std::uint64_t scaled = 0;  // 0 .. 2^32
  static Probability of(double p) { return {static_cast<std::uint64_t>(std::llround(p * 4294967296.0))}; }
};

// Sets each replication with probability p. Draws no word for 0 and 1, otherwise as many words as needed to
// decide every replication.
inline Replications bernoulli(Rng& rng, Probability p) {
  if (p.scaled >> 32) return kAll;
  Replications below = 0, undecided = kAll;
  auto rest = static_cast<std::uint32_t>(p.scaled);
  for (; rest != 0 && undecided != 0; rest <<= 1) {
    const Replications bit = rng.next();
    if (rest >> 31) {
      below |= undecided & ~bit;
      undecided &= bit;
    } else {
      undecided &= ~bit;
    }
  }
  return below;
}

// A uniform digit in [0, base) per replication, as `bits` planes, most significant first; base <= 2^bits.
inline void uniform_digit(Rng& rng, std::uint32_t base, std::uint32_t bits, Replications* planes) {
  for (std::uint32_t j = 0; j < bits; ++j) planes[j] = 0;
  for (Replications open = kAll; open != 0;) {  // replications that drew base or more draw again
    Replications below = 0, equal = kAll;
    for (std::uint32_t j = 0; j < bits; ++j) {
      const Replications drawn = rng.next();
      planes[j] = (planes[j] & ~open) | (drawn & open);
      if (base >> bits) continue;
      if (base >> (bits - 1 - j) & 1) {
        below |= equal & ~planes[j];
        equal &= planes[j];
      } else {
        equal &= ~planes[j];
      }
    }
    open = base >> bits ? 0 : ~below;
  }
}

// The replications whose planes contain this digit.
inline Replications equals(const Replications* planes, std::uint32_t bits, std::uint32_t digit) {
  Replications same = kAll;
  for (std::uint32_t j = 0; j < bits; ++j) same &= digit >> (bits - 1 - j) & 1 ? planes[j] : ~planes[j];
  return same;
}

// A count per replication, stored as up to two words per binary weight: adding one bit per replication costs
// one full adder on average.
class ReplicationCounter {
 public:
  static constexpr std::uint32_t kWeights = 56;
  using Planes = std::array<Replications, kWeights>;  // plane k: bit k of every replication's count

  void add(Replications word, std::uint32_t weight = 0) {
    for (; pending_[weight] == 2; ++weight) {
      const Replications a = words_[weight][0], b = words_[weight][1];
      words_[weight][0] = a ^ b ^ word;
      pending_[weight] = 1;
      word = (a & b) | ((a ^ b) & word);
    }
    words_[weight][pending_[weight]++] = word;
    if (weight >= used_) used_ = weight + 1;
  }

  std::uint32_t used() const {
    return used_ < kWeights ? used_ + 1 : kWeights;
  }  // planes that can be non-zero
  Planes planes() const {
    Planes result{};
    Replications carry = 0;
    for (std::uint32_t k = 0; k < used(); ++k) {
      const Replications a = pending_[k] > 0 ? words_[k][0] : 0, b = pending_[k] > 1 ? words_[k][1] : 0;
      result[k] = a ^ b ^ carry;
      carry = (a & b) | ((a ^ b) & carry);
    }
    return result;
  }
  ReplicationCounts counts() const {
    ReplicationCounts result{};
    const Planes bits = planes();
    for (std::uint32_t k = 0; k < kWeights; ++k)
      for (Replications rest = bits[k]; rest != 0; rest &= rest - 1)
        result[std::countr_zero(rest)] += std::uint64_t{1} << k;
    return result;
  }

 private:
  std::array<std::array<Replications, 2>, kWeights> words_{};  // [weight]
  std::array<std::uint8_t, kWeights> pending_{};               // words in use, [weight]
  std::uint32_t used_ = 0;
};

}  // namespace headway::slotted
