// SPDX-License-Identifier: Apache-2.0
// The demand of every link: the traffic that crosses it if the network delivers all that is offered. It is
// exact where the routes are known (packet_routes.h).
//
// Traffic is carried per destination, not per pair: amounts that meet at a switch on the way to the same
// destination go on together. So do those to all nodes of a switch where the routing does not tell them
// apart. Valiant's routes are carried twice, to all waypoints and from there to all destinations.
#pragma once

#include <vector>

#include "headway/analysis/offered_traffic.h"
#include "headway/analysis/packet_routes.h"

namespace headway {

struct LinkDemand {
  std::vector<double> rate;  // [output port of the graph], in the unit of the traffic
  // If false, `rate` is a lower bound for links between switches: the routes are not known, or there was too
  // much traffic to follow.
  bool exact = true;
};

struct DemandWork {
  // Choice: at most this many crossings of links are followed, which takes 7 s on one core. It is more than
  // uniform traffic in a tree of 65,536 nodes has (2.9e8). A run of such a network that is long enough for a
  // verdict takes minutes.
  double most_crossings = 5e8;
  // Destinations are carried together in blocks (base/together.h), if these visit as many switches. Every
  // block takes memory for all ports.
  double visits_of_block = 1 << 22;
};

LinkDemand link_demand(const PacketRoutes& routes, const OfferedTraffic& traffic,
                       const DemandWork& work = {});

}  // namespace headway
