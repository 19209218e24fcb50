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
    {.ports = PortCount::few, .queued = false, .varied = false},
    {.ports = PortCount::some, .queued = false, .varied = false},
    {.ports = PortCount::many, .queued = false, .varied = false},
    {.ports = PortCount::some, .queued = true, .varied = false},
    {.ports = PortCount::many, .queued = true, .varied = false},
    {.ports = PortCount::some, .queued = false, .varied = true},
    {.ports = PortCount::many, .queued = false, .varied = true},
    {.ports = PortCount::some, .queued = true, .varied = true},
    {.ports = PortCount::many, .queued = true, .varied = true},
    {.ports = PortCount::some, .pooled = true, .owned = false, .varied = true},
    {.ports = PortCount::many, .pooled = true, .owned = false, .varied = true},
    {.ports = PortCount::some, .pooled = true, .owned = true, .varied = true},
    {.ports = PortCount::many, .pooled = true, .owned = true, .varied = true},
    {.ports = PortCount::few, .queued = false, .chosen = true, .varied = false},
    {.ports = PortCount::some, .queued = false, .chosen = true, .varied = false},
    {.ports = PortCount::some, .queued = false, .chosen = true, .varied = true},
    {.ports = PortCount::many, .queued = false, .chosen = true, .varied = true},
    {.ports = PortCount::some, .queued = true, .chosen = true, .varied = true},
    {.ports = PortCount::many, .queued = true, .chosen = true, .varied = true},
};

// The engine of the network's shape. Defined and instantiated by instances_ARBITER.cpp.
template <class Arbiter>
std::unique_ptr<Simulation> make_engine(const Network& network, const Workload& workload,
                                        const SimulationOptions& options);

}  // namespace headway
