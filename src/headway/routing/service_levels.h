// SPDX-License-Identifier: Apache-2.0
// Service levels: classes of packets, given at the source, that keep to lanes of their own. They are put on
// top of the lanes that a routing needs: every lane of the routing becomes `lanes` lanes, and the service
// level says which of them a packet takes. Two packets that are in different lanes of the routing are then in
// different lanes, so that a network without deadlock stays one (docs/modelling.md, "Service levels").
// Service levels and their tables of lanes: InfiniBand Architecture Specification 1.3, sections 7.6.5 and
// 7.6.6.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/routing/routes.h"
#include "headway/topology/graph.h"

namespace headway {

// The lane, of those that one lane of the routing has become, over a link that leaves a switch.
struct LaneTable {
  std::uint32_t levels = 1;  // service levels
  // 1 where the lane does not depend on it. Hops are the switches before this one; the last stands for all
  // later ones. Ports are numbered within their switch.
  std::uint32_t hops = 1;
  std::uint32_t inputs = 1;
  std::uint32_t outputs = 1;
  std::vector<std::uint8_t> lane;  // [((level * hops + hop) * inputs + input) * outputs + output]

  // Can a packet change its lane on its way?
  bool varies() const { return hops > 1 || inputs > 1 || outputs > 1; }
  std::uint8_t at(std::uint32_t level, std::uint32_t hop, std::uint32_t input, std::uint32_t output) const {
    const std::size_t row = (std::size_t{level} * hops + hop) * inputs + (inputs > 1 ? input : 0);
    return lane[row * outputs + (outputs > 1 ? output : 0)];
  }
  // Every level takes its lane modulo the lanes. Choice: that of OpenSM without a table.
  static LaneTable modulo(std::uint32_t levels, std::uint32_t lanes);
};

struct ServiceLevels {
  std::uint32_t lanes = 1;               // that every lane of the routing becomes
  PairLevels of_pair = {};               // of packets whose flow gives none
  std::vector<std::uint8_t> named = {};  // that flows give
  LaneTable table = LaneTable::modulo(1, 1);
};

inline constexpr std::uint32_t kMostServiceLevels = 64;
inline constexpr std::uint32_t kMostLevels = 256;  // of lane rules

// Puts service levels on top of the lanes of routes. Over the link of its node a packet takes the lane of its
// service level, modulo the lanes, if the table varies: an adapter has no table. Packets that choose among
// ports do so in as many lanes of choices.
// Throws SpecError (keys "switch.lane_table_file", "switch.lanes", "routing.file") if the rules have more
// than kMostLevels levels, kinds of links or lanes; if packets that choose among ports would change their
// lanes; if packets can wait for each other in a cycle. That is possible for routes that leave cycles to
// service levels, and around rings: there is no bubble in a ring where packets change their lanes.
Routes with_service_levels(Routes routes, const Graph& graph, const ServiceLevels& services);

}  // namespace headway
