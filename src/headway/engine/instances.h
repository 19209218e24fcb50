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
inline constexpr EngineShape kAdaptiveLanes{.adaptive = Feature::yes, .lanes = Feature::yes};
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
          .cells = Feature::maybe,
          .arbitration = arbitration};
}
inline constexpr EngineShape kGeneral = general(PortCount::some, Arbitration::round_robin);
inline constexpr EngineShape kGeneralAnyArbiter = general(PortCount::some, Arbitration::any);
inline constexpr EngineShape kWideGeneral = general(PortCount::many, Arbitration::any);

// The same for networks that count cells, because a general instance would cost much more than the cells.
constexpr EngineShape with_cells(EngineShape shape) {
  shape.cells = Feature::yes;
  return shape;
}
inline constexpr EngineShape kFewPortsCells = with_cells(kFewPorts);
inline constexpr EngineShape kSomePortsCells = with_cells(kSomePorts);
inline constexpr EngineShape kCioqCells = with_cells(kCioq);
inline constexpr EngineShape kFewAdaptiveCells = with_cells(kFewAdaptive);
inline constexpr EngineShape kAdaptiveCells = with_cells(kAdaptive);

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
