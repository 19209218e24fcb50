// SPDX-License-Identifier: Apache-2.0
// Looking at a state from outside: are its invariants kept, and can its packets still move? Passes over
// everything; never part of the hot path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

// Throws InvariantError, with a dump of the place, unless every invariant holds. Between ticks.
void check_invariants(State& state);

// Deadlock: queues that wait for room in each other (modelling.md). A full queue whose head waits for a
// full queue is stuck unless something along the chain can move.
Stall find_stall(const State& state);

// "tick 1234: rule broken: what (value)".
std::string fail_text(const State& state, std::string_view what, std::uint64_t value);

}  // namespace headway
