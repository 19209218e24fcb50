// SPDX-License-Identifier: Apache-2.0
// The verdict on a run without deadlock: first from its spec (changing loads, links whose demand exceeds
// their capacity), then from its window (steady_state.h). docs/verdicts.md explains both.
#pragma once

#include <span>
#include <vector>

#include "headway/compile/build.h"
#include "headway/metrics/window.h"
#include "headway/run/load_changes.h"
#include "headway/run/steady_state.h"

namespace headway {

struct Measured {
  const Model& model;
  std::span<const LoadChange> changes;
  const Window& window;
  std::span<const Reading> looks;  // from the start of the window, at equal intervals
  bool settled;                    // the warm-up was given, or its end was found
};
Verdict verdict_of(const Measured& measured);

}  // namespace headway
