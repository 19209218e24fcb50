// SPDX-License-Identifier: Apache-2.0
// Finds the first shape that serves a network and makes the engine of it; for instances_ARBITER.cpp only.
#pragma once

#include <iterator>
#include <stdexcept>
#include <utility>

#include "headway/engine/engine.h"
#include "headway/engine/instances.h"

namespace headway {

template <class Arbiter>
std::unique_ptr<Simulation> make_engine(const Network& network, const Workload& workload,
                                        const SimulationOptions& options) {
  const EngineShape shape = EngineShape::of(network);
  std::unique_ptr<Simulation> engine;
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (void)((kEngineShapes[kIndex].serves(shape) &&
            (engine =
                 std::make_unique<Engine<Arbiter, kEngineShapes[kIndex]>>(network, workload, options))) ||
           ...);
  }(std::make_index_sequence<std::size(kEngineShapes)>());
  if (engine == nullptr) throw std::logic_error("make_engine: no instance serves this shape");
  return engine;
}

}  // namespace headway
