// SPDX-License-Identifier: Apache-2.0
// A loop that prefetches memory for its coming turns.
#pragma once

#include <algorithm>
#include <cstdint>

namespace headway {

inline constexpr std::uint32_t kManyTurns = 64;

// Calls handle(i) for i = 0 .. turns - 1. If turns >= many, each `prepare` is called with i before that: the
// last one kAhead turns before handle(i), the last but one 2 * kAhead turns before it, and so on. So each can
// read what the previous one has fetched. With kAhead = 2 and two functions `prepare`:
//
//     prepare 1    0  1  2  3  4  5
//     prepare 2          0  1  2  3  4  5
//     handle                   0  1  2  3  4  5
template <std::uint32_t kAhead, class Handle, class... Prepare>
[[gnu::always_inline]] inline void in_turn(std::uint32_t turns, std::uint32_t many, Handle&& handle,
                                           Prepare&&... prepare) {
  if (turns == 0) return;
  // One loop for both, so that `handle` is inlined once. Without preparation, its first pass handles all.
  std::uint32_t turn = 0, step = 0;
  do {
    std::uint32_t end = turns;  // of this pass
    if (turns >= many) [[unlikely]] {
      do {
        turn = step++;
        const auto prepare_due = [&](auto&& each) {
          if (turn < turns) each(turn);
          turn -= kAhead;  // a negative turn wraps to a large number and is skipped
        };
        (prepare_due(prepare), ...);
      } while (turn >= turns);
      end = 0;  // a pass of one turn
    }
    do handle(turn);
    while (++turn < end);
  } while (turn < turns);
}

}  // namespace headway
