// SPDX-License-Identifier: Apache-2.0
// Runs the engine and the naive simulator on one network and says where they first differ.
#pragma once

#include <cstdint>
#include <string>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"

namespace headway::reference {

// Empty if every packet is delivered in the same tick and every counter is the same; otherwise the first tick
// on which they differ, and how. The engine runs with its invariants checked if `check`.
std::string disagreement(const Network& network, const Workload& workload, std::uint64_t seed, Tick end,
                         bool check = false);

}  // namespace headway::reference
