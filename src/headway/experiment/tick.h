// SPDX-License-Identifier: Apache-2.0
// The tick of a spec: the largest duration that divides every duration in it exactly (DESIGN 3.2), so that
// simulated time is integers without rounding.
#pragma once

#include <vector>

#include "headway/experiment/spec.h"

namespace headway {

// The durations that must be whole ticks: byte times and delays of all links, the routing delay, and every
// point in time the spec names.
Duration tick_of(const Spec& spec, const std::vector<Link>& links);

// `duration` in ticks, which divide it.
std::int64_t ticks(const Duration& duration, const Duration& tick);

}  // namespace headway
