// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/alias_table.h"

#include <algorithm>
#include <numeric>

namespace headway {

AliasTable::AliasTable(const std::vector<double>& weights) : columns_(weights.size()) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> height;  // 1 on average
  for (const double weight : weights) height.push_back(weight / sum * static_cast<double>(weights.size()));
  std::vector<std::uint32_t> low, high;
  for (std::uint32_t i = 0; i < height.size(); ++i) (height[i] < 1 ? low : high).push_back(i);
  while (!low.empty() && !high.empty()) {
    const std::uint32_t small = low.back(), large = high.back();
    low.pop_back();
    columns_[small] = {static_cast<std::uint64_t>(height[small] * 0x1p53), large};
    height[large] -= 1 - height[small];
    if (height[large] >= 1) continue;
    high.pop_back();
    low.push_back(large);
  }
  // the rest has the height 1, up to rounding, or the weight 0, which is never drawn
  const auto heaviest = static_cast<std::uint32_t>(std::ranges::max_element(weights) - weights.begin());
  for (const std::uint32_t i : low)
    if (weights[i] == 0) columns_[i] = {0, heaviest};
}

}  // namespace headway
