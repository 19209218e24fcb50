// SPDX-License-Identifier: Apache-2.0
// Makes the engine of one instance; included only by the files that the build writes from instances.def.
#pragma once

#include "headway/engine/engine.h"
#include "headway/engine/instances.h"

namespace headway {

template <EngineShape kShape>
std::unique_ptr<PartSimulation> make_engine(const StateTables& tables, const PartOfRun& place,
                                            const Workload& workload, const SimulationOptions& options) {
  return std::make_unique<Engine<kShape>>(tables, place, workload, options);
}

}  // namespace headway
