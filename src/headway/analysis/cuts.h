// SPDX-License-Identifier: Apache-2.0
// Bounds that hold for every routing: what the nodes of a part of the network send to the rest, or receive
// from it, has to cross the links between them.
#pragma once

#include <string>

#include "headway/analysis/offered_traffic.h"
#include "headway/analysis/packet_routes.h"

namespace headway {

struct Cut {
  std::string part;    // "group 3"; empty: no traffic leaves or enters a part
  bool leaves = true;  // the traffic that leaves it; otherwise that enters it
  double load = 0;     // its rate, divided by that of the links
};
// The cut with the highest load among the divisions of the network. Rates of the traffic are in bytes per
// tick.
Cut tightest_cut(const PacketRoutes& routes, const OfferedTraffic& traffic);

// Bytes per tick of the link that leaves a port of the graph; 0: there is none.
double bytes_per_tick(const Network& network, PortId output);
// bytes_per_tick, but at most what the node behind the link consumes.
double capacity_of(const Network& network, PortId output);

}  // namespace headway
