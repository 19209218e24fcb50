// SPDX-License-Identifier: Apache-2.0
// The tick of a spec: the largest duration that divides every duration in it exactly (modelling.md), so that
// simulated time is integers without rounding.
#pragma once

#include <string>
#include <vector>

#include "headway/spec/spec.h"

namespace headway {

struct NamedDuration {
  std::string key;  // of the spec that it comes from
  Duration duration;
};

// The durations that must be whole ticks: byte times and delays of all links, the routing delay, and every
// point in time the spec names.
std::vector<NamedDuration> durations_of(const EventSpec& spec, const std::vector<Link>& links);

Duration tick_of(const EventSpec& spec, const std::vector<Link>& links);

// `duration` in ticks; the tick must divide it.
std::int64_t ticks(const Duration& duration, const Duration& tick);

}  // namespace headway
