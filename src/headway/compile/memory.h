// SPDX-License-Identifier: Apache-2.0
// Estimates the memory of a run before it starts. A network that is too large is refused with a number
// instead of being killed, and a run whose backlog grows too large is stopped in time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "headway/base/memory_parts.h"
#include "headway/compile/machine.h"
#include "headway/metrics/tables.h"
#include "headway/spec/spec.h"

namespace headway {

struct Layout;
struct Plan;

// What a spec is checked for: to be simulated on this machine, or to read what is stored about its network,
// which needs less memory.
enum class Purpose : std::uint8_t { simulate, read };

// Memory of a run, in bytes.
struct MemoryNeed {
  std::uint64_t start = 0;     // for the network and its results: an upper bound
  std::uint64_t network = 0;   // of this: parts_at_start, which are nearly exact
  std::uint64_t results = 0;   // besides the network, if results have a usual size
  std::uint64_t thread = 0;    // additional memory for each thread of the run but the first
  std::uint64_t checking = 0;  // additional memory if invariants are checked
  // Additional memory if the network fills and delivers nothing: an upper bound. Does not include traces,
  // whose length is not known before they are read.
  std::uint64_t traffic = 0;
  double overtaking = 0;  // pairs whose packets can overtake each other: at most; in `traffic`

  // The larger value of each member.
  void include(const MemoryNeed& other) {
    start = std::max(start, other.start);
    network = std::max(network, other.network);
    results = std::max(results, other.results);
    thread = std::max(thread, other.thread);
    checking = std::max(checking, other.checking);
    traffic = std::max(traffic, other.traffic);
    overtaking = std::max(overtaking, other.overtaking);
  }
};

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
};
// Like Network's own layout, but estimates the queues that traffic can reach.
Layout estimated_layout(const PlannedRun& run);
// The memory of the network, of the workload and of its simulation before there is traffic, in the parts of
// Network::memory and Simulation::memory.
MemoryParts parts_at_start(const PlannedRun& run, const Layout& layout);
MemoryNeed memory_need(const PlannedRun& run);

}  // namespace headway
