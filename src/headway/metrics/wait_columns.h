// SPDX-License-Identifier: Apache-2.0
// Cells that say where a packet on a critical path waited (PacketWait::at), for the tables of critical paths.
#pragma once

#include "headway/metrics/measured_run.h"

namespace headway {

inline Cell switch_of_wait(const MeasuredRun& run, PortId at) {
  const Graph& graph = run.network().graph;
  return graph.is_node_port(at) ? kNaN : graph.switch_of(at);
}
inline Cell node_of_wait(const MeasuredRun& run, PortId at) {
  const Graph& graph = run.network().graph;
  return graph.is_node_port(at) ? graph.node_of(at) : kNaN;
}
inline Cell port_of_wait(const MeasuredRun& run, PortId at) { return run.network().ports[at].local; }

}  // namespace headway
