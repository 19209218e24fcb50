// SPDX-License-Identifier: Apache-2.0
// A run that begins in two ways, on one thread and on several, and goes on in the faster one. In parts, a
// small run takes more work than without, and the threads of a machine can be too far apart for short
// windows; a run in parts (parts.h) cannot go back to one without.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "headway/engine/simulation.h"

namespace headway {

using TrialClock = std::function<std::chrono::steady_clock::duration()>;

// `window`: how long threads of `parts` simulate before they exchange mail. Both are the same run at its
// start. `clock`: tests have another one.
std::unique_ptr<Simulation> try_both(
    std::unique_ptr<Simulation> alone, std::unique_ptr<Simulation> parts, Tick window,
    TrialClock clock = [] { return std::chrono::steady_clock::now().time_since_epoch(); });

}  // namespace headway
