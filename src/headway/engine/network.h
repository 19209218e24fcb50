// SPDX-License-Identifier: Apache-2.0
// The border between the cold and the hot world: everything about a network that stays constant
// during a run, as flat tables of integers. Built once from Graph, RouteTable and QueueMap; shared by
// threads.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "headway/arbitration/arbiter_kind.h"
#include "headway/base/ids.h"
#include "headway/base/rng.h"
#include "headway/base/units.h"
#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/queueing/queue_map.h"
#include "headway/routing/route_table.h"
#include "headway/selection/rule.h"
#include "headway/topology/graph.h"
#include "headway/traffic/admittance.h"

namespace headway {

// One port's constants. A node's adapter is treated as a switch with this one port: its input side holds the
// injection queues, its output side is the link to the leaf switch. So is the output stage of a CIOQ switch's
// port: its input side holds the output queues, filled by the crossbar, and its output side is the link.
struct Port {
  PortId peer = kNone;            // input this port's output sends to
  PortId source = kNone;          // output that feeds this port's input
  std::uint32_t first_queue = 0;  // global id of queue 0 of this port's input side
  std::uint32_t queues = 0;
  std::uint32_t owner = 0;     // device
  std::uint16_t local = 0;     // number within its owner
  std::uint16_t capacity = 0;  // packets per queue of the input side
  std::uint32_t delay = 0;     // of the outgoing link, in ticks
  std::uint32_t ticks_per_byte = 0;
  std::uint32_t ring_input = kNone;  // in a ring: number of the input whose packets go on in it; else none
};

// Queues of one port when a scheme has so many that only those traffic can reach are kept: which queue
// numbers exist, and how many exist before each word of 64.
struct ReachableQueues {
  std::vector<std::uint64_t> exists;  // bit per queue number of the scheme
  std::vector<std::uint32_t> before;  // [word]

  std::uint32_t index(std::uint32_t queue) const {
    const std::uint64_t below = exists[queue / 64] & ((1ULL << (queue % 64)) - 1);
    return before[queue / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }
};

// What a network needs beside its graph, routes and queue map. Times in ticks.
struct NetworkOptions {
  Duration tick{1};  // length of one tick; divides every link's byte time and delay
  Tick routing_delay = 0;
  bool store_and_forward = false;
  // Cut-through: does a packet that comes by a slower link than it leaves by go on at once, too, and hold the
  // faster one until its tail has come? If not, the switch stores it first.
  bool holds_faster_links = false;
  ArbiterKind arbiter = ArbiterKind::round_robin;
  Admittance admittance = Admittance::per_destination;
  std::uint32_t packet_bytes = 64;        // of a full packet, at most 65,535
  std::uint32_t capacity = 16;            // packets per queue of a switch's input port, at most 65,535
  std::uint32_t injection_capacity = 16;  // packets per injection queue, at most 65,535
  std::uint32_t output_capacity = 0;      // packets per output queue, at most 65,535; 0: no output stage (IQ)
  bool one_output_queue = false;          // per port, or as many as at an input port
  Rational crossbar_speedup{1};           // of the crossbar over the output's link; 1 without an output stage
  // Weighted round robin among the queues of an adapter or output stage: [queue] packets in a row; empty:
  // they take turns as `arbiter` says.
  std::vector<std::uint16_t> weights;
  // Of a packet that carries credits back over the link; 0: credits have a path of their own.
  std::uint32_t credit_bytes = 0;
  std::uint64_t admittance_limit = UINT64_MAX;  // packets waiting per node
  // The queues of an input port share its memory of `capacity` packets under these rules; the queue map is
  // that of a single queue, the one that packets arrive in. Not with output stages; needs one path per pair.
  std::optional<IsolationRules> isolation;
  // Likewise, under these rules; not both.
  std::optional<OverflowRules> overflow;
  std::optional<SelectionRule>
      selection;         // chooses among several outputs at the head; none: known on arrival
  bool in_order = true;  // one path and an in-order scheme: every pair's packets arrive in order
};

struct Network : NetworkOptions {
  // Compiles the tables. Every link needs a delay of at least one tick in sum with the routing delay, because
  // devices must not see each other's decisions of the same tick. Queues of a scheme with many are kept only
  // where traffic can reach. Throws std::invalid_argument if a limit of the options is exceeded.
  Network(Graph graph, RouteTable routes, QueueMap queue_map, const NetworkOptions& options);
  static bool keeps_reachable_queues_only(const QueueMap& map);
  static bool links_go_both_ways(const Graph& graph);

  Graph graph;
  RouteTable routes;
  QueueMap queue_map;
  // Ports as in the graph: of switches, then of adapters; then one output stage per switch port, if there are
  // any. Devices likewise: switches, adapters, output stages. Queues in the order of ports.
  std::vector<Port> ports;         // [port]
  std::vector<PortId> first_port;  // [device], and one past the last
  std::uint32_t queues = 0;        // in all
  bool has_rings = false;          // of links, kept from filling up
  bool links_differ = false;       // in rate: a packet may have to wait for its tail
  std::vector<ReachableQueues>
      reachable;  // [port of the graph], or empty: every port has all queues of the scheme

  std::uint32_t nodes() const { return graph.nodes(); }
  std::uint32_t switches() const { return graph.switches(); }
  std::uint32_t devices() const { return static_cast<std::uint32_t>(first_port.size()) - 1; }
  std::uint32_t radix(std::uint32_t device) const { return first_port[device + 1] - first_port[device]; }
  bool is_pooled() const { return isolation || overflow; }  // the queues of a port share its memory
  std::uint32_t notification_bytes() const { return isolation ? isolation->notification_bytes : 0; }
  // Do credits or notifications go back over the links of packets?
  bool feedback_shares_links() const { return credit_bytes > 0 || notification_bytes() > 0; }
  bool has_output_stages() const { return output_capacity > 0; }
  bool is_switch(std::uint32_t device) const { return device < switches(); }
  bool is_adapter(std::uint32_t device) const { return device - switches() < nodes(); }
  std::uint32_t adapter(NodeId node) const { return switches() + node; }
  PortId adapter_port(NodeId node) const { return graph.node_port(node); }
  bool is_adapter_port(PortId port) const { return port - graph.switch_ports() < nodes(); }
  // The input port, of the graph, whose feedback goes back over the link of this output.
  PortId feedback_of(PortId link) const { return link < graph.ports() ? link : ports[link].source; }
  // The port whose output side is the link that leaves this port of the graph.
  PortId link_port(PortId port) const {
    return has_output_stages() && !is_adapter_port(port) ? graph.ports() + port : port;
  }
  // Do switches store packets from slower links than they leave by?
  bool stores_slow_packets() const { return links_differ && !holds_faster_links; }
  double ns(double ticks) const { return ticks * tick.ns.to_double(); }

  // The number, at a switch's input port, of the queue that a packet enters; 0 if its sender decides.
  std::uint32_t queue_at(PortId input, std::uint32_t output, NodeId destination) const {
    if (queue_map.key == QueueKey::output) return queue_map.queue_of[output];
    if (queue_map.key != QueueKey::destination) return 0;
    const std::uint32_t queue = queue_map.queue_of[destination];
    return reachable.empty() ? queue : reachable[input].index(queue);
  }

  // Slots that a packet must leave free in the queue it enters through an output of a switch: one if it joins
  // a ring, so that the ring can go on turning (docs/modelling.md, "Rings").
  std::uint16_t slots_to_leave(std::uint32_t input, PortId output) const {
    const std::uint32_t goes_on = ports[output].ring_input;
    return goes_on == kNone || goes_on == input ? 0 : 1;
  }

  // The output port that a packet requests at a switch. A draw below 2^32 is asked for only where chance
  // decides (docs/modelling.md, "Look-ahead").
  template <class Draw>
  [[gnu::always_inline]] std::uint16_t output_at(SwitchId sw, NodeId source, NodeId destination,
                                                 Draw&& draw) const {
    const PortRange candidates = routes.of_pair(sw, source, destination);
    if (candidates.count == 1) return candidates.first;
    return static_cast<std::uint16_t>(candidates.first + (draw() * candidates.count >> 32));
  }
};

}  // namespace headway
