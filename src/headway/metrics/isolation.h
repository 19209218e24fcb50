// SPDX-License-Identifier: Apache-2.0
// Metrics of congestion isolation: the number of CFQs by place and time, the signals between ports, and
// the times to isolate and to release a hot spot. All of them are defined here, as in window.h. Only networks
// with isolation have these metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "headway/engine/simulation.h"
#include "headway/metrics/metric.h"

namespace headway {

struct IsolationWatch {
  std::optional<NodeId> destination;  // count the CFQs allocated for it
  bool ports = false;                 // record the number of CFQs of every port
};

// The state at the end of a bin.
struct IsolationReading {
  Tick tick = 0;
  IsolationCounts counts;
  std::vector<std::uint32_t> of_stage;  // [stage] active CFQs, if the network has stages
  std::uint32_t watched = 0;            // CFQs in switches allocated for the watched destination
  std::vector<std::uint8_t> of_port;    // [switch port], if enabled
};
IsolationReading read_isolation(const Network& network, const StateView& view, Tick tick,
                                const IsolationWatch& watch);

// A measured window, with readings at its start and at the end of every bin.
struct IsolationWindow {
  const Network& network;
  const Workload& workload;
  const IsolationWatch& watch;
  std::span<const IsolationReading> readings;
};
std::span<const MetricOf<IsolationWindow>> isolation_metrics();

}  // namespace headway
