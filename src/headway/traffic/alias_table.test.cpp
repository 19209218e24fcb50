// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/alias_table.h"

#include <gtest/gtest.h>

#include <numeric>

namespace headway {
namespace {

TEST(AliasTable, DrawsByWeight) {
  constexpr int kDraws = 200'000;
  const std::vector<double> cases[] = {{1},
                                       {3, 1},
                                       {0, 1, 0},
                                       {1, 2, 3, 4},
                                       {1000, 1, 1, 1, 1, 1},
                                       {0.1, 0.2, 0, 0.3, 0.4, 1e-3},
                                       {0, 0, 7, 7, 7}};
  for (const std::vector<double>& weights : cases) {
    const AliasTable table(weights);
    std::vector<int> count(weights.size(), 0);
    Rng rng(3, 4);
    for (int draw = 0; draw < kDraws; ++draw) ++count[table.next(rng)];
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    double square = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double expected = weights[i] / sum * kDraws;
      if (expected == 0)
        EXPECT_EQ(count[i], 0);
      else
        square += (count[i] - expected) * (count[i] - expected) / expected;
    }
    EXPECT_LT(square, 20.5);  // exceeded with probability 0.001 at 5 degrees of freedom
  }
}

}  // namespace
}  // namespace headway
