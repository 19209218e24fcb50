// SPDX-License-Identifier: Apache-2.0
// Applies selection functions: takes the preferred candidate or, if it is not free, the first free one after
// it in rotating order (the linear rotative search). A switch over the kind selects the function, so that a
// network only has the cost of its own function. Source: Gilabert et al., Euro-Par 2006, section 4.
#pragma once

#include "headway/selection/functions.h"

namespace headway {

template <class Ask>
[[gnu::always_inline]] inline std::uint32_t preferred(const Ask& ask) {
  switch (ask.rule.kind) {
    case SelectionKind::ff:
      return Ff::preferred(ask);
    case SelectionKind::ssp:
      return Ssp::preferred(ask);
    case SelectionKind::sdp:
      return Sdp::preferred(ask);
    case SelectionKind::sop:
      return Sop::preferred(ask);
    case SelectionKind::sadp:
      return Sadp::preferred(ask);
    case SelectionKind::cp:
      return Cp::preferred(ask);
    case SelectionKind::mc:
      return Mc::preferred(ask);
    case SelectionKind::rp:
      return Rp::preferred(ask);
  }
  return 0;
}

// The candidate that the packet takes, or kNone if none is free.
template <class Ask, class Free>
[[gnu::always_inline]] inline std::uint32_t select(const Ask& ask, Free&& is_free) {
  std::uint32_t candidate = preferred(ask);
  for (std::uint32_t tried = 0; tried < ask.candidates; ++tried) {
    if (is_free(candidate)) return candidate;
    if (++candidate == ask.candidates) candidate = 0;
  }
  return kNone;
}

// The switch's turn after a packet has taken a candidate.
inline std::uint32_t next_turn(SelectionKind kind, std::uint32_t turn, std::uint32_t taken) {
  if (kind == SelectionKind::cp) return turn + 1;
  return kind == SelectionKind::mc ? taken + 1 : turn;
}

}  // namespace headway
