// SPDX-License-Identifier: Apache-2.0
// Advances a simulation within the memory of its run.
#pragma once

#include "headway/engine/simulation.h"
#include "headway/run/run.h"

namespace headway {

// Throws OutOfMemory if the backlog exceeds what the simulation can use.
void simulate(Simulation& simulation, const Network& network, Tick to, const RunOptions& options);

}  // namespace headway
