// SPDX-License-Identifier: Apache-2.0
// Networks and workloads made by hand, for tests that need what a spec cannot express: other wirings, links
// that differ, a packet at a chosen tick.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "headway/engine/network.h"
#include "headway/engine/workload.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/routing.h"
#include "headway/selection/selection.h"
#include "headway/topology/topology.h"

namespace headway::test {

// One switch with `ports` >= `nodes` ports, node n at port n; the other ports are not connected.
Graph star(std::uint32_t nodes, std::uint32_t ports, const Link& link = {});
RouteTable star_routes(std::uint32_t nodes);

// `switches` switches in a one-way ring, one node each; all packets travel in the same direction. Port 0
// leads to the node, port 1 to the next switch.
Graph ring(std::uint32_t switches, const Link& link = {});
RouteTable ring_routes(std::uint32_t switches);

// The same graph with random links: one to four ticks per byte and delays of up to `longest` ticks, drawn
// from the seed.
Graph with_any_links(const Graph& graph, std::uint64_t seed, std::uint32_t longest);

// A network of registered parts. Injection queues get the capacity of the other queues. In-order delivery is
// guaranteed if the parts guarantee it. Adaptive routing selects by sadp unless the options say otherwise.
Network network_of(const Choice<Topology>& topology, std::string_view routing, const Choice<Scheme>& scheme,
                   const NetworkOptions& options);
Network network_of(Graph graph, std::string_view routing, const Choice<Scheme>& scheme,
                   NetworkOptions options);

// The options plus what the scheme needs besides its queue map.
NetworkOptions options_for(const Scheme& scheme, std::uint32_t nodes, NetworkOptions options);

struct Message {
  NodeId source;
  NodeId destination;
  Tick tick;
};

// Every message has a source of its own, so any number of messages may be generated in one tick.
Workload scripted(const std::vector<Message>& messages, std::uint32_t bytes, std::uint32_t packet_bytes);

// A trace that is kept in memory. Any node may send.
Trace listed_trace(std::vector<TimedMessage> messages, std::uint32_t nodes);

// Destinations drawn uniformly among all nodes, the source included.
std::shared_ptr<const Destinations> anywhere(std::uint32_t nodes);
std::shared_ptr<const Destinations> always(NodeId destination);
std::shared_ptr<const Destinations> each_to(std::vector<NodeId> destination_of);  // [source]
std::shared_ptr<const Destinations> one_of(
    std::vector<NodeId> destinations);  // drawn uniformly from the list

// Every node in `nodes` keeps `backlog` one-packet messages waiting.
Workload saturated(const std::vector<NodeId>& nodes, std::shared_ptr<const Destinations> destinations,
                   std::uint32_t packet_bytes, std::uint32_t backlog = 64);

// Every node in `nodes` makes a one-packet message with this probability (below 1) in every slot of as many
// ticks as a packet has bytes, so that all packets of the network move in step (the slotted model of the
// literature).
Workload slotted(const std::vector<NodeId>& nodes, std::shared_ptr<const Destinations> destinations,
                 std::uint32_t packet_bytes, double probability);

std::vector<NodeId> first_nodes(std::uint32_t count);

}  // namespace headway::test
