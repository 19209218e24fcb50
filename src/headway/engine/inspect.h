// SPDX-License-Identifier: Apache-2.0
// Checks the invariants of a state. It visits everything, so it is never part of the hot path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headway/base/error.h"
#include "headway/engine/simulation.h"
#include "headway/engine/state.h"

namespace headway {

// Call it between ticks. Throws InvariantError with a dump of the place if an invariant does not hold.
void check_invariants(State& state);

// "switch 3 port 1", by the names of the network file.
std::string place_of(const Network& network, PortId port);

// "tick 1234: rule broken: what (value)".
std::string fail_text(const State& state, std::string_view what, std::uint64_t value);

}  // namespace headway
