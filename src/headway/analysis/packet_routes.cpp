// SPDX-License-Identifier: Apache-2.0
#include "headway/analysis/packet_routes.h"

#include "headway/topology/distances.h"

namespace headway {

RouteKnowledge knowledge_of(const Routes& routes, bool selects) {
  if (selects || (routes.detours && routes.detours->by_load)) return RouteKnowledge::only_bounds;
  // with two parts, no waypoint is left to draw
  if (routes.detours && routes.detours->waypoints > 2)
    return routes.detours->kind == Detour::always ? RouteKnowledge::by_waypoint : RouteKnowledge::only_bounds;
  return routes.table.by_source() ? RouteKnowledge::by_pair : RouteKnowledge::by_destination;
}

Carrier::Carrier(const Graph& graph)
    : next_switch_(graph.switch_ports(), kNone),
      amount_(graph.switches()),
      visited_(graph.switches()),
      candidates_(graph.switches()) {
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) first_port_.push_back(graph.port(sw, 0));
  for (PortId port = 0; port < graph.switch_ports(); ++port)
    if (const PortId peer = graph.peer_of(port); peer != kNone && !graph.is_node_port(peer))
      next_switch_[port] = graph.switch_of(peer);
}

PacketRoutes::PacketRoutes(const Network& network)
    : network_(network), knowledge_(knowledge_of(network.routes, network.selection.has_value())) {
  for (NodeId node = 0; node < network.nodes(); ++node) {
    switch_from_.push_back(headway::switch_from(network.graph, node));
    switch_to_.push_back(headway::switch_to(network.graph, node));
  }
}

}  // namespace headway
