// SPDX-License-Identifier: Apache-2.0
// Deadlock: queues that wait for room in each other (docs/modelling.md). Visits all queues, so it is never
// part of the hot path.
#pragma once

#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

// The packets that can never move, and a cycle of queues that wait for each other.
Stall find_stall(const State& state);

}  // namespace headway
