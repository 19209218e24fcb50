// SPDX-License-Identifier: Apache-2.0
// Estimates the memory of a run before it starts. A network that is too large is refused with a number
// instead of being killed, and a run whose backlog grows too large is stopped in time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "headway/base/memory_parts.h"
#include "headway/compile/memory_need.h"
#include "headway/spec/spec.h"

namespace headway {

class RouteTable;
struct Layout;
struct Plan;

// Memory of the graph alone, and of the network without queues. Both are known before anything is built.
std::uint64_t graph_memory(const Topology& topology);
std::uint64_t network_memory(const Topology& topology);

// [port] The number of destinations whose packets can enter its input; schemes with a queue per destination
// keep only these queues. Extrapolated from a sample of destinations, whose routes are followed.
std::vector<std::uint32_t> reachable_inputs(const Graph& graph, const RouteTable& routes);

// The properties of a run that a check knows before the network is built.
struct PlannedRun {
  const EventSpec& spec;
  const Plan& plan;
  std::function<const std::vector<std::uint32_t>&()> reachable;  // reachable_inputs; only called if needed

  const Graph& graph() const;
  std::size_t sources(std::size_t flow) const;  // number of nodes that send
};
// Like Network's own layout, but estimates the queues that traffic can reach.
Layout estimated_layout(const PlannedRun& run);
// The memory of the network, of the workload and of its simulation before there is traffic, in the parts of
// Network::memory and Simulation::memory.
MemoryParts parts_at_start(const PlannedRun& run, const Layout& layout);
MemoryNeed memory_need(const PlannedRun& run);

}  // namespace headway
