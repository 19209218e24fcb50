// SPDX-License-Identifier: Apache-2.0
// Random numbers with a documented stream per entity. They are identical for all compilers and machines.
//
// Generator: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021),
// seeded by SplitMix64 from (seed, stream). A source or arbiter owns one stream, so its draws depend only on
// the seed and its own history. No std distribution is used, because these differ between libraries.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "headway/base/wide.h"

namespace headway {

// One step of SplitMix64; also the project's mixing function for hashes.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// The kinds of entity that own streams. The numbers are part of the reproducibility contract: never reuse
// one.
enum class StreamKind : std::uint8_t {
  source = 1,
  arbiter = 2,
  placement = 3,
  route = 4,
  pattern = 5,
  slotted = 6,
  trace = 8,
  photograph = 9,
  job_start = 10
};

// -ln(u / 2^64) in units of 2^-32 for u > 0, by integer arithmetic only (absolute error below 2^-28).
std::uint64_t minus_log_q32(std::uint64_t u);

class Rng {
 public:
  Rng() : Rng(0, 0) {}
  Rng(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t x = mix64(seed) ^ mix64(~stream);
    for (auto& word : state_) word = x = mix64(x);
  }
  Rng(std::uint64_t seed, StreamKind kind, std::uint64_t index)
      : Rng(seed, (static_cast<std::uint64_t>(kind) << 56) | index) {}

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound), without bias (Lemire, "Fast random integer generation in an interval", 2019).
  // bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    auto low = static_cast<std::uint32_t>(product);
    if (low < bound) {
      const std::uint32_t threshold = (0U - bound) % bound;
      while (low < threshold) {
        product = (next() >> 32) * bound;
        low = static_cast<std::uint32_t>(product);
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // A number below any bound; equal to `below` if the bound has 32 bits.
  std::uint64_t below_long(std::uint64_t bound) {
    if (bound <= UINT32_MAX) return below(static_cast<std::uint32_t>(bound));
    Wide product = Wide{next()} * bound;
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = Wide{next()} * bound;
    return static_cast<std::uint64_t>(product >> 64);
  }

  // Exponentially distributed with mean 1, in units of 2^-32.
  std::uint64_t exponential_q32() {
    const std::uint64_t u = next();
    return minus_log_q32(u == 0 ? 1 : u);
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace headway
