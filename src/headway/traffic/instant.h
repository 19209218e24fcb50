// SPDX-License-Identifier: Apache-2.0
// Time of message generation, in fixed point: a mean gap that is not a whole number of ticks has no rounding
// bias. A message is generated at the tick that contains the instant.
#pragma once

#include <cstdint>

#include "headway/base/ids.h"
#include "headway/config/limits.h"

namespace headway {

inline constexpr int kInstantBits = 20;
using Instant = std::int64_t;  // ticks * 2^kInstantBits
inline constexpr Instant kNever = INT64_MAX;
static_assert(limits::kTicksOfRun <= 1LL << (62 - kInstantBits), "the end of a run plus a gap is an instant");
constexpr Tick tick_of(Instant instant) { return instant >> kInstantBits; }
constexpr Instant instant_of(Tick tick) { return tick << kInstantBits; }

}  // namespace headway
