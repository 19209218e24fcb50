// SPDX-License-Identifier: Apache-2.0
// How much memory a run takes, known before taking it: so that a network that is too large is refused with a
// number instead of being killed, and one whose sources offer more than it takes is stopped in time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "headway/compile/machine.h"
#include "headway/spec/spec.h"

namespace headway {

struct Layout;
struct NetworkPlan;

// What a run needs, in bytes.
struct MemoryNeed {
  std::uint64_t start = 0;     // by its network and its results: known exactly enough
  std::uint64_t checking = 0;  // more where invariants are checked
  // More at most, if the network fills and delivers nothing. Traces are left out: how long one is nobody
  // knows before it has been read.
  std::uint64_t traffic = 0;

  // Of several runs, whichever needs most of each.
  void include(const MemoryNeed& other) {
    start = std::max(start, other.start);
    checking = std::max(checking, other.checking);
    traffic = std::max(traffic, other.traffic);
  }
};

// Of the graph alone, and of the network that is simulated, without queues: known before anything is built.
std::uint64_t graph_memory(const Topology& topology);
std::uint64_t network_memory(const Topology& topology);

// [port] For how many destinations packets can enter its input: schemes with a queue per destination keep
// only such. Extrapolated from a sample of destinations, whose traffic is followed.
std::vector<std::uint32_t> reachable_inputs(const Graph& graph, const RouteTable& routes);

// What a check knows of a run before it builds it.
struct PlannedRun {
  const EventSpec& spec;
  const NetworkPlan& network;
  std::function<const std::vector<std::uint32_t>&()> reachable;  // reachable_inputs, where they are needed
  std::span<const std::size_t> sources;                          // how many, [flow]

  const Graph& graph() const;
};
// As the network's own, but with the queues that traffic can reach estimated.
Layout estimated_layout(const PlannedRun& run);
MemoryNeed memory_need(const PlannedRun& run);

// The most rows that a pair-series (measure.tables) can have: a pair with a row in a bin has had a packet
// delivered in it, at a destination whose link is no faster than `fastest`.
double most_pair_rows(const EventSpec& spec, Rate fastest);
// The most rows that the table tree_series can have, and its columns.
double most_tree_rows(const EventSpec& spec);
inline constexpr double kTreeSeriesColumns = 14;

}  // namespace headway
