// SPDX-License-Identifier: Apache-2.0
// The one place where the engine's template parameters meet their values (architecture.md).
#include <stdexcept>

#include "headway/engine/engine.h"

namespace headway {
namespace {

template <class Arbiter, bool kWide>
std::unique_ptr<Simulation> make(const Network& network, const Workload& workload,
                                 const SimulationOptions& options) {
  if (network.has_output_stages())
    return std::make_unique<Engine<Arbiter, kWide, true>>(network, workload, options);
  return std::make_unique<Engine<Arbiter, kWide, false>>(network, workload, options);
}

template <class Arbiter>
std::unique_ptr<Simulation> make(const Network& network, const Workload& workload,
                                 const SimulationOptions& options) {
  for (std::uint32_t device = 0; device < network.devices(); ++device)
    if (network.radix(device) > 64) return make<Arbiter, true>(network, workload, options);
  return make<Arbiter, false>(network, workload, options);
}

}  // namespace

std::unique_ptr<Simulation> make_simulation(const Network& network, const Workload& workload,
                                            const SimulationOptions& options) {
  switch (network.arbiter) {
    case ArbiterKind::round_robin:
      return make<RoundRobin>(network, workload, options);
    case ArbiterKind::oldest_first:
      return make<OldestFirst>(network, workload, options);
    case ArbiterKind::random:
      return make<RandomArbiter>(network, workload, options);
  }
  throw std::logic_error("make_simulation: no such arbiter");
}

}  // namespace headway
