// SPDX-License-Identifier: Apache-2.0
// Deadlock: queues that wait for room in each other (docs/modelling.md). Visits all queues, so it is never
// part of the hot path.
#pragma once

#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

// The packets that can never move, and a cycle of queues that wait for each other.
// `parts`: the states of all parts of the run.
Stall find_stall(std::span<const State* const> parts);

}  // namespace headway
