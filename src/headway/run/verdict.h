// SPDX-License-Identifier: Apache-2.0
// The verdict on a run without deadlock: first from its spec (changing loads, links whose demand exceeds
// their capacity), then from its window (steady_state.h). docs/verdicts.md explains both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headway/compile/build.h"
#include "headway/metrics/window.h"
#include "headway/run/steady_state.h"

namespace headway {

// A flow starts, stops, steps or follows a ramp, or links or routes change. A network can reach a steady
// state only between two changes.
struct Disturbance {
  Tick at = 0;
  bool of_network = false;  // else of a flow
  std::uint32_t flow = 0;
  double before = 0;
  double after = 0;
};

// In ascending order of time, of flows that have sources with a way to a destination. Traces are not
// included, because their load is never constant.
std::vector<Disturbance> disturbances_of(const Model& model);

struct Measured {
  const Model& model;
  std::span<const Disturbance> changes;
  const Window& window;
  std::span<const Reading> looks;  // from the start of the window, at equal intervals
  bool settled;                    // the warm-up was given, or its end was found
};
Verdict verdict_of(const Measured& measured);

}  // namespace headway
