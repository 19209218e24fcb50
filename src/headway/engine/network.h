// SPDX-License-Identifier: Apache-2.0
// The constant data of a network during a run, as flat tables of integers; the hot code reads nothing else of
// it. Built once from Graph, Routes and QueueMap, and shared by threads. Networks share their graphs and
// route tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "headway/base/divisor.h"
#include "headway/base/huge_vector.h"
#include "headway/base/ids.h"
#include "headway/engine/layout.h"
#include "headway/engine/network_options.h"
#include "headway/queueing/queue_map.h"
#include "headway/routing/routes.h"
#include "headway/topology/graph.h"

namespace headway {

// One port's constants. A node's adapter is treated as a switch with this one port: its input side holds the
// injection queues, its output side is the link to the leaf switch. The output unit of a CIOQ switch's port
// is such a switch, too: its input side holds the output queues, filled by the crossbar, and its output side
// is the link.
struct Port {
  PortId peer = kNone;            // input this port's output sends to
  PortId source = kNone;          // output that feeds this port's input
  std::uint32_t first_queue = 0;  // global id of queue 0 of this port's input side
  std::uint32_t queues = 0;
  std::uint32_t owner = 0;     // device
  std::uint16_t local = 0;     // number within its owner
  std::uint16_t capacity = 0;  // full packets per queue of the input side
  std::uint16_t credits = 0;   // the same memory in credits: packet slots or cells
  std::uint32_t delay = 0;     // of the outgoing link, in ticks
  std::uint32_t ticks_per_byte = 0;
  // Input side of a switch: ticks in which a byte leaves it at the rate of the link into it or, with output
  // units, `crossbar_speedup` times that rate.
  std::uint32_t read_ticks_per_byte = 0;
  std::uint32_t ring_input = kNone;  // for an output of a ring: number of the input whose packets continue on
                                     // the ring; otherwise kNone
};

// Queues of one port, for schemes with so many queues that only those reachable by traffic are kept: which
// queue numbers exist, and how many exist before each word of 64.
struct ReachableQueues {
  std::vector<std::uint64_t> exists;  // bit per queue number of the scheme
  std::vector<std::uint32_t> before;  // [word]

  std::uint32_t index(std::uint32_t queue) const {
    const std::uint64_t below = exists[queue / 64] & ((1ULL << (queue % 64)) - 1);
    return before[queue / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }
  std::uint32_t count() const {
    return before.back() + static_cast<std::uint32_t>(std::popcount(exists.back()));
  }
};

// How a network finds the queue of a packet: by the key of its map, in the order of QueueKey, or by
// destination among the queues that exist.
enum class QueueLookup : std::uint8_t { none, output, destination, table, reachable };
static_assert(static_cast<int>(QueueLookup::table) == static_cast<int>(QueueKey::table));

// The output port that a packet requests at a switch. draw() returns a number below 2^32; it is called only
// if there are several candidates (docs/modelling.md, "Look-ahead").
template <class Draw>
[[gnu::always_inline]] inline std::uint16_t output_at(const RouteTable& routes, SwitchId sw, NodeId source,
                                                      NodeId destination, Draw&& draw) {
  const PortRange candidates = routes.of_pair(sw, source, destination);
  if (candidates.count == 1) return candidates.first;
  return static_cast<std::uint16_t>(
      routes.port(sw, destination, candidates, static_cast<std::uint32_t>(draw() * candidates.count >> 32)));
}

struct Network : NetworkOptions {
  // Compiles the tables. If a scheme has many queues, only those that traffic can reach are kept. Throws
  // std::invalid_argument with the first rule that the network would break.
  Network(std::shared_ptr<const Graph> shared_graph, Routes routes, QueueMap queue_map,
          const NetworkOptions& options);
  Network(Graph graph, Routes routes, QueueMap queue_map, const NetworkOptions& options)
      : Network(std::make_shared<const Graph>(std::move(graph)), std::move(routes), std::move(queue_map),
                options) {}

  std::shared_ptr<const Graph> shared_graph;
  const Graph& graph;
  Routes routes;  // at the start; without choices if there is no selection function
  QueueMap queue_map;
  // Ports in the order of the graph: of switches, then of adapters; then one output unit per switch port, if
  // there are any. Devices: switches, then adapters, then output units. Queues are in the order of ports.
  HugeVector<Port> ports;          // [port]
  std::vector<PortId> first_port;  // [device], and one past the last
  std::uint32_t queues = 0;        // in all
  bool has_rings = false;          // links form rings, which bubbles keep from filling up
  bool links_differ = false;       // links differ in rate: a packet may have to wait for its tail
  std::vector<ReachableQueues>
      reachable;  // [port of the graph], or empty: every port has all queues of the scheme
  // [node] the account of the first lane of its receive memory, or the sink; behind the sink, accounts are in
  // the order of nodes. Empty if no node is slow.
  std::vector<std::uint32_t> receive_account;
  // Packets join a queue of their lane when they arrive; their senders know the lane only.
  bool sorts_arrivals = false;
  QueueLookup queue_lookup;
  Divisor cell;       // the size of a cell; without cells, a packet takes a single one
  Divisor lane_unit;  // with pauses: PauseRules::unit_bytes
  Layout layout;

  MemoryParts memory() const;

  std::uint32_t nodes() const { return layout.nodes; }
  bool has_hosts() const { return !graph.hosts().none(); }  // nodes of the spec have several, or aggregators
  std::uint32_t switches() const { return layout.switches; }
  std::uint32_t devices() const { return layout.devices; }
  std::uint32_t radix(std::uint32_t device) const { return first_port[device + 1] - first_port[device]; }
  bool is_switch(std::uint32_t device) const { return device < switches(); }
  bool is_adapter(std::uint32_t device) const { return device - switches() < nodes(); }
  std::uint32_t adapter(NodeId node) const { return switches() + node; }
  // The switch of a node.
  SwitchId switch_of(NodeId node) const { return ports[graph.peer_of(adapter_port(node))].owner; }
  PortId adapter_port(NodeId node) const { return layout.switch_ports + node; }
  bool is_adapter_port(PortId port) const { return port - layout.switch_ports < nodes(); }
  // The port itself; for an output unit, the switch's port.
  PortId graph_port(PortId port) const { return port < layout.graph_ports ? port : ports[port].source; }
  // The input port, of the graph, whose feedback goes back over the link of this output.
  PortId feedback_of(PortId link) const { return graph_port(link); }
  // The port whose output side is the link that leaves this port of the graph.
  PortId link_port(PortId port) const {
    return has_output_units() && !is_adapter_port(port) ? layout.graph_ports + port : port;
  }
  // The serial number by which a packet draws paths: its own, or that of the first packet of its message.
  std::uint32_t drawn_by(std::uint32_t serial, std::uint32_t message) const {
    return draws_by_message ? message : serial;
  }
  // Ticks in which a byte crosses a switch from an input to an output, of which a byte takes `out`: the
  // faster of the two sets the rate.
  std::uint32_t crossing_ticks_per_byte(PortId input, std::uint32_t out) const {
    return output_queued ? out : std::min(ports[input].read_ticks_per_byte, out);
  }
  // Returns true if the input of a packet is free before the link of the output has sent it: the link is
  // slower, and the rest of the packet is in the place at the output. Output units store packets themselves,
  // and the memory of an output-queued switch does.
  bool link_outlasts(PortId input, std::uint32_t out) const {
    return !has_output_units() && !output_queued && ports[input].read_ticks_per_byte < out;
  }
  // Returns true if switches store packets that arrive over a slower link than they leave by.
  bool stores_slow_packets() const { return links_differ && !holds_faster_links; }
  // The account of credits for a node, of its first lane: receive memory or, if it consumes packets at once,
  // the sink (flow_control.h).
  std::uint32_t account_of_node(NodeId node) const { return is_slow(node) ? receive_account[node] : queues; }
  // How long a slow node takes to consume a packet.
  Tick consumption(NodeId node, std::uint32_t bytes) const;
  double ns(double ticks) const { return ticks * tick.ns.to_double(); }
  std::vector<PortId> ports_of_queues() const;  // [queue] the port whose input side holds it

  // The lane that a queue of an input port of a switch belongs to.
  std::uint32_t lane_of_queue(PortId input, std::uint32_t queue) const {
    return lanes == 1 ? 0 : (queue - ports[input].first_queue) / queues_per_lane(input);
  }
  // The queues of the lane of a queue, if they share its memory; none if senders of the port count the
  // credits of its queues.
  struct QueueRange {
    std::uint32_t first = 0;
    std::uint32_t queues = 0;
  };
  std::optional<QueueRange> shared_lane(PortId input, std::uint32_t queue) const;
  // The account of the room that a packet takes in this queue of an input port of a switch.
  std::uint32_t account_of_queue(PortId input, std::uint32_t queue) const {
    return ports[input].first_queue + lane_of_queue(input, queue) * queues_per_lane(input);
  }
  // A lane of a port of the graph: of an input of a switch or, for the port of an adapter, of its node's
  // receive memory; for marks, of an output.
  std::size_t lane_place(PortId input, std::uint32_t lane) const { return std::size_t{input} * lanes + lane; }

  bool has_lanes() const { return lanes > 1 || routes.detours; }
  // For packets of a service level. The lanes of choices are the last ones.
  std::uint32_t lane_of_choices(std::uint8_t service) const {
    return routes.lanes.lanes() + routes.lanes.lane_of(service);
  }
  // Queues of an input port that belong to one lane.
  std::uint32_t queues_per_lane(PortId input) const {
    return reachable.empty() ? queue_map.queues : queues_per_lane(ports[input]);
  }
  std::uint32_t queues_per_lane(const Port& port) const { return port.queues / lanes; }
  // The number, within its lane, of the queue that a packet waits in at a switch's input port; 0 if its
  // sender decides.
  std::uint32_t queue_on_arrival(PortId input, std::uint32_t output, NodeId source,
                                 NodeId destination) const {
    if (queue_lookup == QueueLookup::output) return queue_map.queue_of[output];
    if (queue_lookup == QueueLookup::none) return 0;
    if (queue_lookup == QueueLookup::destination) return queue_map.queue_of[destination];
    if (queue_lookup == QueueLookup::reachable)
      return reachable[input].index(queue_map.queue_of[destination]);
    return queue_in_table(input, output, source, destination);
  }

  // The queue that its sender knows: the account of its room.
  std::uint32_t queue_at(PortId input, std::uint32_t output, NodeId source, NodeId destination) const {
    return sorts_arrivals ? 0 : queue_on_arrival(input, output, source, destination);
  }

  // NetworkOptions::credits_of without a division.
  std::uint32_t cells_of(std::uint32_t bytes) const { return cell.rounded_up(bytes); }
  // NetworkOptions::lane_credits_of without a division.
  std::uint32_t lane_credits(std::uint32_t bytes) const { return lane_unit.rounded_up(bytes); }

  // Slots that a packet needs in the queue it enters through an output of a switch: one more than its own if
  // it joins a ring, so that packets of the ring can advance (docs/modelling.md, "Rings").
  std::uint32_t slots_needed(std::uint32_t input, PortId output) const {
    const std::uint32_t goes_on = ports[output].ring_input;
    return goes_on == kNone || goes_on == input ? 1 : 2;
  }

  // Credits that a packet of this input must leave behind the port of choice that it takes. A packet from a
  // node leaves half of the room to packets in the network, which need it to move on (docs/modelling.md,
  // "Choose").
  std::uint32_t room_to_leave(PortId input) const {
    return routes.choices && graph.is_node_port(graph.source_of(input)) ? capacity * queue_map.channels / 2
                                                                        : 0;
  }

  // The outputs of a switch among which a selection function chooses for packets to a destination. The output
  // of an escape is one of them.
  template <class Visit>
  void for_each_candidate(SwitchId sw, NodeId destination, Visit&& visit) const {
    if (routes.choices) {
      PortList room;
      for (const std::uint16_t port : routes.choices->at(sw, destination, room)) visit(first_port[sw] + port);
      return;
    }
    const PortRange range = routes.table.at(sw, destination);
    for (std::uint32_t i = 0; i < range.count; ++i) visit(first_port[sw] + range.first + i);
  }

 private:
  // Out of line, to keep it out of the code of hops with other schemes.
  [[gnu::noinline, gnu::cold]] std::uint32_t queue_in_table(PortId input, std::uint32_t output, NodeId source,
                                                            NodeId destination) const;
  void number_devices();
  void set_room(Port& port, std::uint32_t credits, std::uint32_t credits_of_full_packet) const;
  void lay_ports(const QueueCounts& counts);
  std::vector<std::uint32_t> byte_ticks(const Rational& speedup) const;
  void lay_output_units(const QueueCounts& counts);
  void number_queues();
  void number_receive_lanes();
};

}  // namespace headway
