// SPDX-License-Identifier: Apache-2.0
// The one place where the engine's template parameters meet their values: a network's arbiter and shape name
// its instance, each compiled in a file of its own arbiter (architecture.md).
#include <algorithm>
#include <stdexcept>

#include "headway/engine/instances.h"

namespace headway {

EngineShape EngineShape::of(const Network& network) {
  EngineShape shape;
  std::uint32_t radix = 0;
  for (std::uint32_t device = 0; device < network.devices(); ++device)
    radix = std::max(radix, network.radix(device));
  shape.ports = radix <= 8 ? PortCount::few : radix <= 64 ? PortCount::some : PortCount::many;
  shape.queued = network.has_output_stages();
  shape.pooled = network.is_pooled();
  shape.owned = network.overflow.has_value();
  shape.chosen = network.selection.has_value();
  shape.varied = network.has_rings || network.links_differ || network.feedback_shares_links() ||
                 !network.weights.empty();
  return shape;
}

std::unique_ptr<Simulation> make_simulation(const Network& network, const Workload& workload,
                                            const SimulationOptions& options) {
  switch (network.arbiter) {
    case ArbiterKind::round_robin:
      return make_engine<RoundRobin>(network, workload, options);
    case ArbiterKind::oldest_first:
    case ArbiterKind::oldest_injected:
      return make_engine<OldestFirst>(network, workload, options);
    case ArbiterKind::random:
      return make_engine<RandomArbiter>(network, workload, options);
  }
  throw std::logic_error("make_simulation: no such arbiter");
}

}  // namespace headway
