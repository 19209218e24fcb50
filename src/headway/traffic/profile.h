// SPDX-License-Identifier: Apache-2.0
// Load over time in constant pieces, compiled from the load of a flow (a number, or points connected by steps
// or ramps) and from the window in which the flow is active.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/traffic/instant.h"

namespace headway {

struct LoadProfile {
  struct Piece {
    Instant from;  // the piece ends at the next one's `from`; the last one has no end
    double load;   // fraction of the link rate; 0 = silent
  };
  std::vector<Piece> pieces;  // ascending in `from`, the first at 0
};

struct LoadPoint {
  Tick at;
  double load;
};

struct LoadPlan {
  // Ascending in `at`, at least one; the first load also holds before, the last one after.
  std::vector<LoadPoint> points;
  // Between two points the load changes linearly; otherwise it changes at the second point.
  bool ramp = false;
  Tick start = 0;         // silent before
  Tick stop = INT64_MAX;  // silent from this time on
};

// Mean load over [from, to), from < to.
double mean_load(const LoadProfile& profile, Tick from, Tick to);

// One message occupies the node's link for `message_ticks`; no piece of a ramp is shorter than that, except
// the last one.
LoadProfile compile(const LoadPlan& plan, std::int64_t message_ticks);

}  // namespace headway
