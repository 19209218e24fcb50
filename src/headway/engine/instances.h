// SPDX-License-Identifier: Apache-2.0
// The instances of the engine: a shape each, as listed in instances.def.
#pragma once

#include <memory>
#include <span>

#include "headway/engine/shape.h"
#include "headway/engine/simulation.h"

namespace headway {

inline constexpr EngineShape kFewPorts{.ports = PortCount::few};
inline constexpr EngineShape kSomePorts{.ports = PortCount::some};
inline constexpr EngineShape kManyPorts{.ports = PortCount::many};
inline constexpr EngineShape kCioq{.cioq = Feature::yes};
inline constexpr EngineShape kRare{.rare = Feature::maybe};
inline constexpr EngineShape kIsolation{.isolation = Feature::yes, .rare = Feature::maybe};
inline constexpr EngineShape kOverflow{.overflow = Feature::yes};
inline constexpr EngineShape kFewAdaptive{.ports = PortCount::few, .adaptive = Feature::yes};
inline constexpr EngineShape kAdaptive{.adaptive = Feature::yes};
inline constexpr EngineShape kCioqAdaptive{.cioq = Feature::yes, .adaptive = Feature::yes};
inline constexpr EngineShape kLanes{.lanes = Feature::yes};
inline constexpr EngineShape kFewPortsByAge{.ports = PortCount::few, .arbitration = Arbitration::by_age};
inline constexpr EngineShape kIsolationByAge{
    .isolation = Feature::yes, .rare = Feature::maybe, .arbitration = Arbitration::by_age};

// The general instances run networks without a specialized one. Round robin up to 64 ports has its own.
inline constexpr EngineShape general(PortCount ports, Arbitration arbitration) {
  return {.ports = ports,
          .cioq = Feature::maybe,
          .isolation = Feature::maybe,
          .overflow = Feature::maybe,
          .adaptive = Feature::maybe,
          .lanes = Feature::maybe,
          .rare = Feature::maybe,
          .arbitration = arbitration};
}
inline constexpr EngineShape kGeneral = general(PortCount::some, Arbitration::round_robin);
inline constexpr EngineShape kGeneralAnyArbiter = general(PortCount::some, Arbitration::any);
inline constexpr EngineShape kWideGeneral = general(PortCount::many, Arbitration::any);

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
