// SPDX-License-Identifier: Apache-2.0
// Load over time as constant pieces, compiled from what a flow says: a load or points joined by steps or
// ramps, and the window it is active in.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/traffic/instant.h"

namespace headway {

struct LoadProfile {
  struct Piece {
    Instant from;  // the piece lasts until the next one's `from`, the last one for ever
    double load;   // fraction of the link rate; 0 = silent
  };
  std::vector<Piece> pieces;  // ascending in `from`, the first at 0
};

struct LoadPoint {
  Tick at;
  double load;
};

struct LoadPlan {
  std::vector<LoadPoint>
      points;             // ascending in `at`, at least one; the first load holds before, the last one after
  bool ramp = false;      // between two points the load changes linearly; otherwise at the second one
  Tick start = 0;         // silent before
  Tick stop = INT64_MAX;  // silent from here on
};

// Mean load over [from, to), from < to.
double mean_load(const LoadProfile& profile, Tick from, Tick to);

// One message takes `message_ticks` on the node's link; no piece of a ramp is shorter than that, up to its
// last one.
LoadProfile compile(const LoadPlan& plan, std::int64_t message_ticks);

}  // namespace headway
