// SPDX-License-Identifier: Apache-2.0
// Are the invariants of a state kept? A pass over everything; never part of the hot path.
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

// "switch 3 port 1", by the names of the network file.
std::string place_of(const Network& network, PortId port);

// "tick 1234: rule broken: what (value)".
std::string fail_text(const State& state, std::string_view what, std::uint64_t value);

}  // namespace headway
