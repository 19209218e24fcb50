// SPDX-License-Identifier: Apache-2.0
// Small random choices for tests, from a separate random stream.
#pragma once

#include <cstdint>

#include "headway/base/rng.h"

namespace headway::test {

class Dice {
 public:
  explicit Dice(std::uint64_t number) : rng_(number, 0) {}
  // Uniform in [low, high].
  std::uint32_t from(std::uint32_t low, std::uint32_t high) { return low + rng_.below(high - low + 1); }
  bool one_in(std::uint32_t n) { return rng_.below(n) == 0; }

 private:
  Rng rng_;
};

}  // namespace headway::test
