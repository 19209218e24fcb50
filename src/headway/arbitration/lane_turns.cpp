// SPDX-License-Identifier: Apache-2.0
#include "headway/arbitration/lane_turns.h"

#include <algorithm>

namespace headway {

bool LaneTurns::is_complete() const {
  if (classes == 0 || classes > kMostClasses || (limit && levels.size() != 2)) return false;
  std::uint32_t with_turns = 0;
  for (const Level& level : levels)
    for (const Entry& entry : level)
      if (entry.of_class < classes && entry.units > 0) with_turns |= 1U << entry.of_class;
  return with_turns + 1 == 1U << classes &&
         std::ranges::all_of(class_of, [&](std::uint32_t of_lane) { return of_lane < classes; });
}

std::size_t LaneTurns::level_of(std::uint32_t of_class) const {
  const auto found = std::ranges::find_if(levels, [&](const Level& level) {
    return std::ranges::find(level, of_class, &Entry::of_class) != level.end();
  });
  return static_cast<std::size_t>(found - levels.begin());
}

std::uint64_t LaneTurns::most_turns(std::uint32_t bytes) const {
  const std::int64_t each = units_per_byte * bytes;
  std::int64_t most = 1;
  for (const Level& level : levels) {
    std::int64_t turns = 0;
    if (level.size() > 1)
      for (const Entry& entry : level) turns += std::max<std::int64_t>(1, entry.units / each);
    most = std::max(most, turns);
  }
  return static_cast<std::uint64_t>(most + limit.value_or(0) / each);
}

}  // namespace headway
