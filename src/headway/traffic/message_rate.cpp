// SPDX-License-Identifier: Apache-2.0
#include "headway/traffic/message_rate.h"

#include <algorithm>
#include <cmath>

#include "headway/base/wide.h"

namespace headway {

void MessageRate::add(Instant from, double messages_per_tick) {
  // Division and scaling by a power of two give identical bits on every machine. A gap that is too long for
  // its field (2^39 ticks) counts as rate 0.
  const double gap = std::ldexp(1.0 / messages_per_tick, kGapBits);
  const bool silent = !(messages_per_tick > 0) || gap >= 0x1p63;
  pieces_.push_back({from, silent ? 0 : static_cast<std::uint64_t>(std::max(1LL, std::llround(gap)))});
}

Instant MessageRate::after(Instant from, std::uint64_t messages) const {
  constexpr int kShift = 32 + kGapBits - kInstantBits;    // from messages * gap to an instant
  if (!pieces_.empty() && from >= pieces_.back().from) {  // most draws: the load does not change any more
    const Wide wait = (Wide{messages} * pieces_.back().gap) >> kShift;
    const bool is_due = pieces_.back().gap != 0 && wait < static_cast<Wide>(kNever - from);
    return is_due ? from + static_cast<Instant>(wait) : kNever;
  }
  auto piece = std::ranges::upper_bound(pieces_, from, {}, &Piece::from);
  if (piece != pieces_.begin()) --piece;
  for (; piece != pieces_.end(); ++piece) {
    const Instant begin = std::max(from, piece->from);
    const Instant end = piece + 1 == pieces_.end() ? kNever : (piece + 1)->from;
    if (piece->gap == 0 || begin >= end) continue;
    const Wide wait = (Wide{messages} * piece->gap) >> kShift;
    if (wait < static_cast<Wide>(end - begin)) return begin + static_cast<Instant>(wait);
    const Wide due = (static_cast<Wide>(end - begin) << kShift) / piece->gap;
    messages -= static_cast<std::uint64_t>(std::min<Wide>(due, messages));
  }
  return kNever;
}

}  // namespace headway
