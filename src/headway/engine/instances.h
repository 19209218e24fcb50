// SPDX-License-Identifier: Apache-2.0
// The list of engine shapes that exist. Every arbiter has each of them, compiled in one file per arbiter. The
// first that serves a network runs it.
#pragma once

#include <memory>

#include "headway/arbitration/arbiters.h"
#include "headway/engine/shape.h"
#include "headway/engine/simulation.h"

namespace headway {

inline constexpr EngineShape kEngineShapes[] = {
    {.wide = false, .queued = false, .varied = false},
    {.wide = true, .queued = false, .varied = false},
    {.wide = false, .queued = true, .varied = false},
    {.wide = true, .queued = true, .varied = false},
    {.wide = false, .queued = false, .varied = true},
    {.wide = true, .queued = false, .varied = true},
    {.wide = false, .queued = true, .varied = true},
    {.wide = true, .queued = true, .varied = true},
    {.wide = false, .pooled = true, .owned = false, .varied = true},
    {.wide = true, .pooled = true, .owned = false, .varied = true},
    {.wide = false, .pooled = true, .owned = true, .varied = true},
    {.wide = true, .pooled = true, .owned = true, .varied = true},
    {.wide = false, .queued = false, .chosen = true, .varied = false},
    {.wide = false, .queued = false, .chosen = true, .varied = true},
    {.wide = true, .queued = false, .chosen = true, .varied = true},
    {.wide = false, .queued = true, .chosen = true, .varied = true},
    {.wide = true, .queued = true, .chosen = true, .varied = true},
};

// The engine of the network's shape. Defined and instantiated by instances_ARBITER.cpp.
template <class Arbiter>
std::unique_ptr<Simulation> make_engine(const Network& network, const Workload& workload,
                                        const SimulationOptions& options);

}  // namespace headway
