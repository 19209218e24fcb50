// SPDX-License-Identifier: Apache-2.0
// Time of message generation, in fixed point: a mean gap that is not a whole number of ticks has no rounding
// bias. A message is generated at the tick that contains the instant.
#pragma once

#include <cstdint>

#include "headway/base/ids.h"

namespace headway {

inline constexpr int kInstantBits = 20;
using Instant = std::int64_t;  // ticks * 2^kInstantBits
inline constexpr Instant kNever = INT64_MAX;
constexpr Tick tick_of(Instant instant) { return instant >> kInstantBits; }
constexpr Instant instant_of(Tick tick) { return tick << kInstantBits; }

}  // namespace headway
