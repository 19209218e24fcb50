// SPDX-License-Identifier: Apache-2.0
// Draws a number from 0 to n - 1 by weights, with two random numbers whatever n is. Source: Vose, "A linear
// algorithm for generating random numbers with a given distribution", IEEE Trans. Software Eng. 17(9), 1991,
// after Walker 1977.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/rng.h"

namespace headway {

class AliasTable {
 public:
  // At least one weight must be above 0, none below.
  explicit AliasTable(const std::vector<double>& weights);

  std::uint32_t next(Rng& rng) const {
    const std::uint32_t column = rng.below(static_cast<std::uint32_t>(columns_.size()));
    const Column& drawn = columns_[column];
    return rng.next() >> 11 < drawn.threshold ? column : drawn.alias;
  }

 private:
  struct Column {
    std::uint64_t threshold = 1ULL << 53;  // probability of the column's own number, in 2^-53
    std::uint32_t alias = 0;
  };
  std::vector<Column> columns_;
};

}  // namespace headway
