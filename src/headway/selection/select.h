// SPDX-License-Identifier: Apache-2.0
// Which of its candidates a packet takes: the one that its selection function prefers. If that one is not
// free, the packet takes the first free one after it in rotating order (the linear rotative search).
#pragma once

#include <cstdint>

#include "headway/selection/rule.h"

namespace headway {

// The candidate that the packet prefers.
template <class Ask>
[[gnu::always_inline]] inline std::uint32_t preferred(const SelectionRule& rule, const Ask& ask) {
  return std::visit([&](const auto& function) { return function.preferred(ask); }, rule.own);
}

// The first free candidate from the preferred one on; kNone: none is free.
template <class Free>
[[gnu::always_inline]] inline std::uint32_t first_free(std::uint32_t candidate, std::uint32_t candidates,
                                                       Free&& is_free) {
  for (std::uint32_t tried = 0; tried < candidates; ++tried) {
    if (is_free(candidate)) return candidate;
    if (++candidate == candidates) candidate = 0;
  }
  return kNone;
}

// The candidate that the packet takes, or kNone if none is free.
template <class Ask, class Free>
[[gnu::always_inline]] inline std::uint32_t select(const SelectionRule& rule, const Ask& ask,
                                                   Free&& is_free) {
  return first_free(preferred(rule, ask), ask.candidates, is_free);
}

// The switch's turn after a packet has taken a candidate, or was given its only one.
inline std::uint32_t next_turn(const SelectionRule& rule, std::uint32_t turn, std::uint32_t taken) {
  return std::visit([&](const auto& function) { return function.next_turn(turn, taken); }, rule.own);
}

}  // namespace headway
