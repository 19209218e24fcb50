// SPDX-License-Identifier: Apache-2.0
// A loop that prefetches memory for its coming turns.
#pragma once

#include <algorithm>
#include <cstdint>

namespace headway {

inline constexpr std::uint32_t kManyTurns = 64;

// Calls handle(i) for i = 0 .. turns - 1. If turns >= many, each `prepare` is called with i before that, in
// groups of kAhead turns: the last one before the group of i is handled, the last but one before the group
// before it is handled, and so on. So each can read what the previous one has fetched. With kAhead = 2 and
// two functions `prepare`:
//
//     prepare 1    0 1   2 3   4 5
//     prepare 2          0 1   2 3   4 5
//     handle                   0 1   2 3   4 5
template <std::uint32_t kAhead, class Handle, class... Prepare>
[[gnu::always_inline]] inline void in_turn(std::uint32_t turns, std::uint32_t many, Handle&& handle,
                                           Prepare&&... prepare) {
  // One loop for both, so that `handle` is inlined once; without preparation, all turns are one group.
  std::uint32_t next = 0;  // the first turn of the next group for the first `prepare`
  for (std::uint32_t turn = 0; turn < turns;) {
    std::uint32_t end = turns;
    if (turns >= many) [[unlikely]] {
      for (; next <= turn + kAhead * sizeof...(prepare); next += kAhead) {
        std::uint32_t first = next;  // a negative turn wraps to a large number and is skipped
        const auto prepare_group = [&](auto&& each) {
          for (std::uint32_t i = first; i < std::min(first + kAhead, turns); ++i) each(i);
          first -= kAhead;
        };
        (prepare_group(prepare), ...);
      }
      end = std::min(turn + kAhead, turns);
    }
    do handle(turn);
    while (++turn != end);
  }
}

}  // namespace headway
