// SPDX-License-Identifier: Apache-2.0
// What the routing functions for any graph share.
#pragma once

#include <cstdint>

#include "headway/base/ids.h"
#include "headway/routing/port_range.h"
#include "headway/topology/graph.h"

namespace headway {

// The port of the destination's switch that leads to the destination.
inline PortRange port_to(const Graph& graph, NodeId node) {
  return {static_cast<std::uint16_t>(graph.local(graph.source_of(graph.node_port(node)))), 1};
}

}  // namespace headway
