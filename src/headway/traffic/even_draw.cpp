// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/even_draw.h"

#include <algorithm>

namespace headway {

EvenDraw::EvenDraw(std::uint32_t nodes, const std::vector<NodeId>& set, bool include_self)
    : count_(static_cast<std::uint32_t>(set.size())),
      include_self_(include_self),
      set_(set),
      place_of_(nodes, kNone) {
  std::ranges::sort(set_);
  for (std::uint32_t place = 0; place < count_; ++place) place_of_[set_[place]] = place;
}

}  // namespace headway
