// SPDX-License-Identifier: Apache-2.0
// Time of message generation, in fixed point: a mean gap that is no whole number of ticks is kept without
// rounding bias; the message is generated at the tick the instant falls in.
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
