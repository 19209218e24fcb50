// SPDX-License-Identifier: Apache-2.0
// The result of a routing function: the table of output ports, the rules of lanes and, for non-minimal
// routing, the detours.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "headway/base/shared_vector.h"
#include "headway/routing/lanes.h"
#include "headway/routing/minimal_ports.h"
#include "headway/routing/route_table.h"

namespace headway {

// Which switch decides whether a packet goes over its waypoint.
enum class Detour : std::uint8_t {
  always,       // Valiant
  local,        // the switch of its source, by the queues behind its own links (UGAL-L)
  global,       // that switch, by the queues behind the first links of class `watched` on both paths (UGAL-G)
  progressive,  // as local, and again at every switch until the packet leaves its source's part (PAR)
};

// A packet on a detour goes to a random waypoint first, and from there to its destination. Waypoints are
// parts of the network: single switches, or the groups of a dragonfly. The parts of source and destination
// are not drawn, and packets that stay in a part take no detour. Choice: Valiant (1982) draws among all
// parts; a waypoint in the part of source or destination is no detour.
struct Detours {
  Detour kind = Detour::always;
  std::uint32_t waypoints = 0;
  SharedVector<std::uint32_t> waypoint_of;  // [switch] its part
  RouteTable to_waypoint;                   // at(switch, waypoint): towards any switch of it
  std::uint8_t watched = 0;                 // class of links, for global decisions
  std::uint32_t bias = 0;                   // packets by which the detour's queue must be shorter
  // From several ports of a table, a packet takes the one with the fewest packets ahead when it arrives at
  // the switch; otherwise it draws one. Not with `always`.
  bool by_load = false;

  std::uint64_t bytes() const { return waypoint_of.bytes() + to_waypoint.bytes(); }
};

// Cycles of channels that wait for each other, in the table of the routes.
enum class Cycles : std::uint8_t {
  impossible,
  left_to_services,  // the lanes of service levels must break them (service_levels.h)
  accepted,          // by the user
};

// With `choices`, a packet can leave a switch by any of several ports, in separate lanes after those of the
// rules. The table and the rules are the escape: a packet takes them if no port is free, and can return to
// the lane of choices at the next switch. The network has no deadlock if the escape has none, because the
// head of every queue can take it (Duato, "A new theory of deadlock-free adaptive routing in wormhole
// networks", IEEE TPDS 4(12), 1993; for packets that are stored in one queue: Duato, IEEE TPDS 7(8), 1996). A
// packet that escapes begins at the first level of its service level.
struct Routes {
  RouteTable table;
  LaneRules lanes = {};
  std::optional<Detours> detours = {};
  std::optional<MinimalPorts> choices = {};
  Cycles cycles = Cycles::impossible;

  Routes() = default;
  // NOLINTNEXTLINE: implicit on purpose
  Routes(RouteTable its_table, LaneRules its_lanes = {}, std::optional<Detours> its_detours = {})
      : table(std::move(its_table)), lanes(std::move(its_lanes)), detours(std::move(its_detours)) {}

  std::uint32_t lane_count() const { return lanes.lanes() + (choices ? lanes.service_lanes() : 0); }
  std::uint64_t bytes() const {
    return table.bytes() + lanes.bytes() + (detours ? detours->bytes() : 0) +
           (choices ? choices->bytes() : 0);
  }
};

}  // namespace headway
