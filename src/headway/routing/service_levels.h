// SPDX-License-Identifier: Apache-2.0
// Service levels: classes of packets, assigned at the source, that use separate lanes. They extend the lanes
// of a routing: every lane of the routing becomes `lanes` lanes, and the service level determines which of
// them a packet takes. Packets in different lanes of the routing stay in different lanes, so a network
// without deadlock stays free of deadlock (docs/modelling.md, "Service levels"). Service levels and their
// tables of lanes: InfiniBand Architecture Specification 1.3, sections 7.6.5 and 7.6.6.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/routing/routes.h"
#include "headway/topology/graph.h"

namespace headway {

// The lane on a link that leaves a switch, among the lanes that replace one lane of the routing.
struct LaneTable {
  std::uint32_t levels = 1;  // service levels
  // These sizes are 1 if the lane does not depend on them. The hop is the number of switches before this one;
  // the last hop stands for all later ones. Ports are numbered within their switch.
  std::uint32_t hops = 1;
  std::uint32_t inputs = 1;
  std::uint32_t outputs = 1;
  std::vector<std::uint8_t> lane;  // [((level * hops + hop) * inputs + input) * outputs + output]

  // Returns true if a packet can change its lane on its path.
  bool varies() const { return hops > 1 || inputs > 1 || outputs > 1; }
  std::uint8_t at(std::uint32_t level, std::uint32_t hop, std::uint32_t input, std::uint32_t output) const {
    const std::size_t row = (std::size_t{level} * hops + hop) * inputs + (inputs > 1 ? input : 0);
    return lane[row * outputs + (outputs > 1 ? output : 0)];
  }
  // Every level takes the lane (level modulo `lanes`). Choice: as in OpenSM without a table.
  static LaneTable modulo(std::uint32_t levels, std::uint32_t lanes);
};

struct ServiceLevels {
  std::uint32_t lanes = 1;               // per lane of the routing
  PairLevels of_pair = {};               // for packets whose flow sets none
  std::vector<std::uint8_t> named = {};  // set by flows
  LaneTable table = LaneTable::modulo(1, 1);
};

inline constexpr std::uint32_t kMostServiceLevels = 64;
inline constexpr std::uint32_t kMostLevels = 256;  // of lane rules

// Adds service levels to the lanes of routes. If the table varies, a packet takes the lane (service level
// modulo `lanes`) on its node's link, because an adapter has no table. Packets that choose among ports have
// as many lanes of choices. Throws SpecError (keys "switch.lane_table_file", "switch.lanes", "routing.file")
// if the rules have more than kMostLevels levels, kinds of links or lanes; if packets that choose among ports
// would change their lanes; or if packets can wait for each other in a cycle. Cycles are possible for routes
// that leave them to service levels, and around rings, because there is no bubble in a ring in which packets
// change their lanes.
Routes with_service_levels(Routes routes, const Graph& graph, const ServiceLevels& services);

}  // namespace headway
