// SPDX-License-Identifier: Apache-2.0
// Routes for a network in which links are down for a while.
#pragma once

#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

// The routes of `left`, which were made for the links that are up, and those of `before` where `left` has no
// path: packets then wait in front of the links that are down. No packet runs in a circle between the two: if
// a switch has no path to a node, no other switch on the way of `before` has one until a link that is down.
// Throws SpecError (key "routing.reroute_after") if there are too many different sets of ports.
RouteTable with_routes_before(const Graph& graph, const RouteTable& left, const RouteTable& before);

}  // namespace headway
