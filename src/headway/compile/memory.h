// SPDX-License-Identifier: Apache-2.0
// Estimates the memory of a run before it starts. A network that is too large is refused with a number
// instead of being killed, and a run whose backlog grows too large is stopped in time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "headway/compile/machine.h"
#include "headway/spec/spec.h"

namespace headway {

struct Layout;
struct NetworkPlan;

// What a spec is checked for: to be simulated on this machine, or to read what is stored about its network,
// which needs less memory.
enum class Purpose : std::uint8_t { simulate, read };

// Memory of a run, in bytes.
struct MemoryNeed {
  std::uint64_t start = 0;     // for the network and its results; nearly exact
  std::uint64_t checking = 0;  // additional memory if invariants are checked
  // Additional memory if the network fills and delivers nothing: an upper bound. Does not include traces,
  // whose length is not known before they are read.
  std::uint64_t traffic = 0;

  // The larger value of each member.
  void include(const MemoryNeed& other) {
    start = std::max(start, other.start);
    checking = std::max(checking, other.checking);
    traffic = std::max(traffic, other.traffic);
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
  const NetworkPlan& network;
  std::function<const std::vector<std::uint32_t>&()> reachable;  // reachable_inputs; only called if needed
  std::span<const std::size_t> sources;                          // [flow] number of sources

  const Graph& graph() const;
};
// Like Network's own layout, but estimates the queues that traffic can reach.
Layout estimated_layout(const PlannedRun& run);
MemoryNeed memory_need(const PlannedRun& run);

// The maximum number of rows of pair-series (measure.tables). A pair has a row in a bin if a packet was
// delivered in it, and no destination has a link faster than `fastest`, or than the fastest of the graph.
double most_pair_rows(const EventSpec& spec, Rate fastest);
double most_pair_rows(const EventSpec& spec, const Graph& graph);
// The maximum number of rows of the table tree_series.
double most_tree_rows(const EventSpec& spec);
// The maximum number of columns of a table of the result (metrics/metric.h); without a table, of metrics of
// the run. Columns for all nodes, ports or stages count as one.
double most_columns(const EventSpec& spec, std::string_view table);

}  // namespace headway
