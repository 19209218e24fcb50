// SPDX-License-Identifier: Apache-2.0
// The verdict on a run that did not deadlock: what its spec alone says (loads that change, links that are
// asked for too much), then what its window shows (steady_state.h). docs/verdicts.md explains both.
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
  std::span<const Reading> looks;  // from the window's start on, at equal distances
  bool settled;                    // the warm-up was given, or its end was found
};
Verdict verdict_of(const Measured& measured);

}  // namespace headway
