// SPDX-License-Identifier: Apache-2.0
// Division of 32-bit numbers by a run constant with one multiplication (Lemire, Kaser and Kurz, 2019).
#pragma once

#include <cstdint>

#include "headway/base/wide.h"

namespace headway {

class Divisor {
 public:
  explicit Divisor(std::uint32_t divisor = 1) : reciprocal_(~0ULL / divisor) {}
  // With 1/d rounded down, the error of (n + 1) / d is less than 2^-32, so the result lies between n div d
  // and the next integer.
  std::uint32_t quotient(std::uint32_t n) const {
    return static_cast<std::uint32_t>((Wide{reciprocal_} * (n + 1ULL)) >> 64);
  }

  // n / d rounded up, for n > 0: the quotient of n - 1, plus 1.
  std::uint32_t rounded_up(std::uint32_t n) const {
    return static_cast<std::uint32_t>((Wide{reciprocal_} * n) >> 64) + 1;
  }

 private:
  std::uint64_t reciprocal_;
};

}  // namespace headway
