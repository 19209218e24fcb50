// SPDX-License-Identifier: Apache-2.0
// The instances of the engine: a shape each, as listed in instances.def.
#pragma once

#include <memory>
#include <span>

#include "headway/engine/shape.h"
#include "headway/engine/simulation.h"

namespace headway {

// An instance exists if it takes at most 0.85 of the instructions of a general one in networks that are
// common (decisions.md). Tests for cells cost 1 to 3 %, so only one shape has separate instances with and
// without.
inline constexpr EngineShape kFewPorts{.ports = PortCount::few};
inline constexpr EngineShape kFewPortsCells{.ports = PortCount::few, .cells = Feature::yes};
inline constexpr EngineShape kFewPortsByAge{.ports = PortCount::few, .arbitration = Arbitration::by_age};
inline constexpr EngineShape kFewAdaptive{
    .ports = PortCount::few, .adaptive = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kSomePorts{.cells = Feature::maybe};
inline constexpr EngineShape kAdaptive{.adaptive = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kLanes{.lanes = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kAdaptiveLanes{
    .adaptive = Feature::yes, .lanes = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kCioq{.cioq = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kCioqAdaptive{
    .cioq = Feature::yes, .adaptive = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kRare{.rare = Feature::maybe, .cells = Feature::maybe};
inline constexpr EngineShape kIsolation{.isolation = Feature::yes,
                                        .rare = Feature::maybe,
                                        .cells = Feature::maybe,
                                        .arbitration = Arbitration::any};

// The general instances run networks without a specialized one.
inline constexpr EngineShape general(PortCount ports) {
  return {.ports = ports,
          .cioq = Feature::maybe,
          .isolation = Feature::maybe,
          .overflow = Feature::maybe,
          .adaptive = Feature::maybe,
          .lanes = Feature::maybe,
          .rare = Feature::maybe,
          .cells = Feature::maybe,
          .arbitration = Arbitration::any};
}
inline constexpr EngineShape kGeneral = general(PortCount::some);
inline constexpr EngineShape kWideGeneral = general(PortCount::many);

// Defined in make_engine.h.
template <EngineShape kShape>
std::unique_ptr<Simulation> make_engine(const Network& network, const Workload& workload,
                                        const SimulationOptions& options);

struct EngineInstance {
  EngineShape shape;
  std::unique_ptr<Simulation> (*make)(const Network&, const Workload&, const SimulationOptions&);
};

// In the order of instances.def.
std::span<const EngineInstance> engine_instances();

}  // namespace headway
