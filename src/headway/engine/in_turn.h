// SPDX-License-Identifier: Apache-2.0
// A loop that prefetches memory for its coming turns.
#pragma once

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
  // One loop for both, so that `handle` is inlined once.
  const bool prepares = turns >= many;
  const std::uint32_t first = prepares ? kAhead * sizeof...(prepare) : 0;
  for (std::uint32_t step = 0; step < turns + first; ++step) {
    std::uint32_t turn = step;  // a negative turn wraps to a large number and is skipped
    if (prepares) [[unlikely]] {
      const auto prepare_due = [&](auto&& each) {
        if (turn < turns) each(turn);
        turn -= kAhead;
      };
      (prepare_due(prepare), ...);
      if (turn >= turns) continue;
    }
    handle(turn);
  }
}

}  // namespace headway
