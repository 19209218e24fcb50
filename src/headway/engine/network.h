// SPDX-License-Identifier: Apache-2.0
// The border between the cold and the hot world (DESIGN 1): everything about a network that stays constant during a
// run, as flat tables of integers. Built once from Graph, RouteTable and QueueMap; shared by threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headway/base/ids.h"
#include "headway/base/units.h"
#include "headway/queueing/queue_map.h"
#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

enum class ArbiterKind : std::uint8_t { round_robin, oldest_first, random };
enum class Admittance : std::uint8_t { per_destination, fifo };

// One port's constants. A node's adapter is treated as a switch with this one port: its input side holds the
// injection queues, its output side is the link to the leaf switch.
struct Port {
  PortId peer = kNone;            // input this port's output sends to
  PortId source = kNone;          // output that feeds this port's input
  std::uint32_t first_queue = 0;  // global id of queue 0 of this port's input side
  std::uint32_t queues = 0;
  std::uint32_t owner = 0;        // switch, or switches() + node for an adapter
  std::uint16_t local = 0;        // number within its owner
  std::uint16_t delay = 0;        // of the outgoing link, in ticks
  std::uint32_t ticks_per_byte = 0;
  std::uint32_t capacity = 0;     // packets per queue of the input side
};

struct Network {
  Graph graph;
  RouteTable routes;
  QueueMap queue_map;
  Duration tick;  // length of one tick
  std::vector<Port> ports;             // [port]
  std::vector<PortId> first_port;      // [owner], and one past the last; adapters follow the switches
  std::uint32_t queues = 0;            // in all
  std::int64_t routing_delay = 0;      // ticks
  bool store_and_forward = false;
  ArbiterKind arbiter = ArbiterKind::round_robin;
  Admittance admittance = Admittance::per_destination;
  std::uint32_t packet_bytes = 64;
  std::uint64_t admittance_limit = UINT64_MAX;  // packets per node
  bool in_order = true;                // one path and an in-order scheme: every pair's packets arrive in order

  std::uint32_t nodes() const { return graph.nodes(); }
  std::uint32_t switches() const { return graph.switches(); }
  double ns(double ticks) const { return ticks * tick.ns.to_double(); }
};

}  // namespace headway
