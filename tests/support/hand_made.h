// SPDX-License-Identifier: Apache-2.0
// Networks and workloads put together by hand, for tests that need what no spec can say: a wiring of its own,
// links that differ, a packet at a chosen tick. One tick is 1 ns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"

namespace headway::test {

struct Switching {
  std::uint32_t capacity = 2;  // packets per queue, at switches and adapters
  std::uint32_t packet_bytes = 8;
  std::int64_t routing_delay = 0;  // ns
  bool store_and_forward = false;
  ArbiterKind arbiter = ArbiterKind::round_robin;
  Admittance admittance = Admittance::per_destination;
  std::uint64_t admittance_limit = UINT64_MAX;
};

// Link delays must be whole nanoseconds, and their rates 1 B/ns divided by a whole number.
Network assemble(Graph graph, RouteTable routes, QueueMap queue_map, const Switching& switching);

// One switch with `ports` >= `nodes` ports, node n at port n; the other ports are not connected.
Graph star(std::uint32_t nodes, std::uint32_t ports, const Link& link = {});
RouteTable star_routes(std::uint32_t nodes);

// `switches` switches in a one-way ring, one node each; every packet goes round. Port 0 leads to the node,
// port 1 on.
Graph ring(std::uint32_t switches, const Link& link = {});
RouteTable ring_routes(std::uint32_t switches);

struct Message {
  NodeId source;
  NodeId destination;
  Tick tick;
};

// Every message comes from a source of its own, so that any number may share a tick.
Workload scripted(const std::vector<Message>& messages, std::uint32_t bytes, std::uint32_t packet_bytes);

// Destinations drawn uniformly among all nodes, the source included.
std::shared_ptr<const Destinations> anywhere(std::uint32_t nodes);
std::shared_ptr<const Destinations> always(NodeId destination);

// Every node in `nodes` sends one-packet messages without pause.
Workload saturated(const std::vector<NodeId>& nodes, std::shared_ptr<const Destinations> destinations,
                   std::uint32_t packet_bytes, Tick stop = INT64_MAX);

std::vector<NodeId> first_nodes(std::uint32_t count);

}  // namespace headway::test
