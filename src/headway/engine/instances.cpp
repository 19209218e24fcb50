// SPDX-License-Identifier: Apache-2.0
// The only place that maps a network to the engine's template parameter: its shape selects the instance
// (architecture.md).
#include "headway/engine/instances.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "headway/engine/cut.h"
#include "headway/engine/parts.h"
#include "headway/engine/skip.h"
#include "headway/engine/state.h"
#include "headway/engine/state_memory.h"

namespace headway {
namespace {

constexpr EngineInstance kInstances[] = {
#define HEADWAY_INSTANCE(shape) {shape, &make_engine<shape>},
#include "headway/engine/instances.def"
#undef HEADWAY_INSTANCE
};

}  // namespace

std::span<const EngineInstance> engine_instances() { return kInstances; }

MemoryParts PartSimulation::own_memory() const {
  const OwnBytes own = own_bytes();
  MemoryParts parts;
  parts.add("sources", own.sources);
  parts.add(kOrderPart, own.order);
  parts.add("devices", own.devices);
  return parts;
}

MemoryParts PartSimulation::memory() const {
  const State* const here = &state();
  MemoryParts parts = memory_of({&here, 1});
  parts.add(own_memory());
  return parts;
}

EngineShape EngineShape::of(const Network& network) {
  const std::uint32_t radix = network.layout.most_ports;
  const auto present = [](bool has) { return has ? Feature::yes : Feature::no; };
  return {.ports = radix <= 8    ? PortCount::few
                   : radix <= 64 ? PortCount::some
                                 : PortCount::many,
          .cioq = present(network.has_output_units()),
          .isolation = present(network.isolation.has_value()),
          .overflow = present(network.overflow.has_value()),
          .adaptive = present(network.selection.has_value()),
          .lanes = present(network.has_lanes()),
          .rare = present(network.has_rings || network.links_differ || network.feedback_shares_links() ||
                          !network.weights.empty() || network.has_hosts()),
          .ends = present(network.marking || network.reaction || network.has_slow_nodes() || network.turns ||
                          network.has_lane_memory() || network.arrival_choice || network.output_queued ||
                          !network.changes.empty() || network.follow_rule || network.draws_by_message ||
                          network.routes.table.labels() > 0),
          .cells = present(network.has_cells()),
          .arbiter = traits_of(network.arbiter).policy};
}

namespace {

const EngineInstance& instance_for(const Network& network) {
  const EngineShape shape = EngineShape::of(network);
  const auto found = std::ranges::find_if(
      kInstances, [&](const EngineInstance& instance) { return instance.shape.serves(shape); });
  if (found == std::end(kInstances))
    throw std::logic_error("make_simulation: no instance serves this network");
  return *found;
}

// Null: the run has one thread.
std::unique_ptr<RunInParts> parts_if_possible(const EngineInstance& instance, const Network& network,
                                              const Workload& workload, const SimulationOptions& options) {
  if (options.threads < 2 && options.processes == nullptr) return nullptr;
  if (!why_one_thread(network, workload, options).empty()) return nullptr;
  if (options.processes == nullptr && !options.always_cut && skipping_pays(network, workload, options))
    return nullptr;
  if (options.processes == nullptr || !options.kept_of_jobs.causes)
    return make_parts(instance, network, workload, options);
  // The causes of a critical path lead from one part to another, so one process keeps them.
  if (!options.processes->leads() || options.threads < 2) return nullptr;
  SimulationOptions of_leader = options;
  of_leader.processes = nullptr;
  return make_parts(instance, network, workload, of_leader);
}

}  // namespace

std::unique_ptr<Simulation> make_simulation(const Network& network, const Workload& workload,
                                            const SimulationOptions& options) {
  const EngineInstance& instance = instance_for(network);
  if (auto parts = parts_if_possible(instance, network, workload, options)) return parts;
  StateTables tables(network, instance.shape.ports, instance.shape.may_have_cells(), options.seed);
  if (options.keep_sent) tables.keep_sent();
  tables.memory->jobs = std::make_shared<JobTables>(workload, network, options.kept_of_jobs);
  return instance.make(tables, {}, workload, options);
}

Parcel take_part(const Network& network, const Workload& workload, const SimulationOptions& options) {
  if (auto parts = parts_if_possible(instance_for(network), network, workload, options))
    return parts->serve();
  return options.processes->broadcast({});
}

}  // namespace headway
