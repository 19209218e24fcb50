// SPDX-License-Identifier: Apache-2.0
// The logarithm for exponential gaps: a table of log2 built by exact squaring, with linear interpolation and
// a second-order term. libm's log can differ by an ulp between machines, which would change the times of
// events.
#include "headway/base/rng.h"

#include "headway/base/wide.h"

namespace headway {
namespace {

constexpr int kTableBits = 10;
constexpr int kTableSize = 1 << kTableBits;
constexpr std::uint64_t kLn2Q32 = 2977044472ULL;  // ln(2) * 2^32, rounded

// log2(x / 2^62) in units of 2^-40, for x in [2^62, 2^63], one bit of the result per squaring.
constexpr std::uint64_t log2_q40(std::uint64_t x) {
  if (x == (1ULL << 63)) return 1ULL << 40;
  std::uint64_t result = 0;
  for (int bit = 39; bit >= 0; --bit) {
    x = static_cast<std::uint64_t>((static_cast<Wide>(x) * x) >> 62);
    if (x >= (1ULL << 63)) {
      result |= 1ULL << bit;
      x >>= 1;
    }
  }
  return result;
}

struct Log2Table {
  std::array<std::uint64_t, kTableSize + 1> value{};
  Log2Table() {
    for (std::uint64_t i = 0; i <= kTableSize; ++i)
      value[i] = log2_q40((1ULL << 62) + (i << (62 - kTableBits)));
  }
};

}  // namespace

std::uint64_t minus_log_q32(std::uint64_t u) {
  static const Log2Table table;
  const int zeros = std::countl_zero(u);
  const std::uint64_t fraction = (u << zeros) << 1;  // the bits after the leading one, as a 64-bit fraction
  const std::uint64_t index = fraction >> (64 - kTableBits);
  const std::uint64_t rest = (fraction << kTableBits) >> 32;  // position between two table entries, in 2^-32
  const std::uint64_t low = table.value[index];
  const std::uint64_t step = table.value[index + 1] - low;
  // The chord lies below log2 by r(1-r) h^2 / (2 ln 2 m^2) at position r between entries h = 2^-10 apart,
  // mantissa m = x / 2^10: 185 / x^2 in units of 2^-40 for r(1-r) in units of 2^-32.
  const std::uint64_t x = (1ULL << kTableBits) + index;
  const std::uint64_t bow = ((rest * ((1ULL << 32) - rest)) >> 32) * 185 / (x * x);
  const std::uint64_t log2_mantissa = low + ((step * rest) >> 32) + bow;
  const std::uint64_t minus_log2 = (static_cast<std::uint64_t>(zeros + 1) << 40) - log2_mantissa;
  return static_cast<std::uint64_t>((static_cast<Wide>(minus_log2) * kLn2Q32) >> 40);
}

}  // namespace headway
