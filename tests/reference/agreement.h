// SPDX-License-Identifier: Apache-2.0
// Runs the engine and the reference simulator on one network and says where they first differ.
#pragma once

#include <cstdint>
#include <string>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/spec/spec.h"

namespace headway::reference {

// Empty if every packet is delivered in the same tick and every counter is the same; otherwise the first tick
// on which they differ, and how. The engine runs with its invariants checked if `check`.
//
// For a valid spec without traces, up to this simulated time. The engine runs what is compiled from the spec;
// the reference simulator takes the spec and its graph.
std::string disagreement(const EventSpec& spec, const Duration& end, bool check = false);
// For a network that no spec describes. The reference simulator takes what the network was made from.
std::string disagreement(const Network& network, const Workload& workload, std::uint64_t seed, Tick end,
                         bool check = false);

}  // namespace headway::reference
