// SPDX-License-Identifier: Apache-2.0
// The path of a packet under a routing with one path per pair.
#pragma once

#include <functional>
#include <stdexcept>

#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway::test {

// Calls visit(output) for every link from the source's adapter to the node where the path ends.
inline void walk(const Graph& graph, const RouteTable& routes, NodeId source, NodeId destination,
                 const std::function<void(PortId)>& visit) {
  PortId output = graph.node_port(source);
  for (std::uint32_t hops = 0; hops <= graph.switches(); ++hops) {
    visit(output);
    if (graph.is_node_port(graph.peer_of(output))) return;
    const SwitchId sw = graph.switch_of(graph.peer_of(output));
    output = graph.port(sw, routes.of_pair(sw, source, destination).first);
  }
  throw std::logic_error("the path goes round in a circle");
}

}  // namespace headway::test
