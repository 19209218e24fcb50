// SPDX-License-Identifier: Apache-2.0
// The instances of the engine: a shape each, as listed in instances.def.
#pragma once

#include <memory>
#include <span>

#include "headway/engine/shape.h"
#include "headway/engine/simulation.h"

namespace headway {

// An instance exists if it saves time in networks that users run (docs/decisions.md has the measurements). To
// test for cells costs 2 to 8 % of the instructions, so the most common shapes have none; networks with cells
// run in an instance that tests. CIOQ switches have one for each.
inline constexpr EngineShape kFewPorts{.ports = PortCount::few};
inline constexpr EngineShape kFewPortsByAge{.ports = PortCount::few, .arbiter = ArbiterKind::oldest_first};
inline constexpr EngineShape kFewAdaptive{.ports = PortCount::few, .adaptive = Feature::yes};
inline constexpr EngineShape kSomePorts{};
inline constexpr EngineShape kCioq{.cioq = Feature::yes};
inline constexpr EngineShape kCioqCells{.cioq = Feature::yes, .cells = Feature::yes};
inline constexpr EngineShape kAdaptive{.adaptive = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kLanes{.lanes = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kAdaptiveLanes{
    .adaptive = Feature::yes, .lanes = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kCioqAdaptive{
    .cioq = Feature::yes, .adaptive = Feature::yes, .cells = Feature::maybe};
inline constexpr EngineShape kRare{.rare = Feature::maybe, .cells = Feature::maybe};
inline constexpr EngineShape kIsolation{.isolation = Feature::yes,
                                        .rare = Feature::maybe,
                                        .ends = Feature::maybe,
                                        .cells = Feature::maybe,
                                        .any_arbiter = true};

// The general instances run networks without a specialized one.
inline constexpr EngineShape general(PortCount ports) {
  return {.ports = ports,
          .cioq = Feature::maybe,
          .isolation = Feature::maybe,
          .overflow = Feature::maybe,
          .adaptive = Feature::maybe,
          .lanes = Feature::maybe,
          .rare = Feature::maybe,
          .ends = Feature::maybe,
          .cells = Feature::maybe,
          .any_arbiter = true};
}
inline constexpr EngineShape kGeneral = general(PortCount::some);
inline constexpr EngineShape kWideGeneral = general(PortCount::many);

struct PartOfRun;
struct State;
struct StateTables;

// The simulation of a part of a run, or of all of it.
class PartSimulation : public Simulation {
 public:
  virtual State& state() = 0;
  virtual const State& state() const = 0;
  virtual Jobs& own_jobs() = 0;
  // Besides the state.
  struct OwnBytes {
    std::uint64_t sources, order, devices;
  };
  virtual OwnBytes own_bytes() const = 0;

  MemoryParts own_memory() const;
  MemoryParts memory() const override;  // with the state
};

// Defined in make_engine.h.
template <EngineShape kShape>
std::unique_ptr<PartSimulation> make_engine(const StateTables& tables, const PartOfRun& place,
                                            const Workload& workload, const SimulationOptions& options);

struct EngineInstance {
  EngineShape shape;
  std::unique_ptr<PartSimulation> (*make)(const StateTables&, const PartOfRun&, const Workload&,
                                          const SimulationOptions&);
};

// In the order of instances.def.
std::span<const EngineInstance> engine_instances();

}  // namespace headway
