// SPDX-License-Identifier: Apache-2.0
// How large the parts of a network and of its state are. The state is allocated by these numbers, and the
// memory that a run needs is estimated by them before its network exists.
#pragma once

#include <cstdint>
#include <span>

#include "headway/engine/network_options.h"

namespace headway {

// How many queues the ports of a network have.
struct QueueCounts {
  const Graph& graph;
  const QueueMap& map;
  const NetworkOptions& options;
  // [port of the graph] queues of the map that traffic can enter there; empty: every port has all of them.
  std::span<const std::uint32_t> reachable;

  std::uint32_t at_input(PortId port) const {
    if (options.isolation) return 1 + options.isolation->lines;
    if (options.overflow) return Overflow::queues(*options.overflow);
    return reachable.empty() ? map.queues : reachable[port];
  }
  // Of the output unit of a switch's port. An output queue has the number of the queue that its packets will
  // enter next, if it is not the only one.
  std::uint32_t at_output_unit(PortId port) const {
    const PortId next = graph.peer_of(port);
    if (next == kNone) return 0;
    if (options.one_output_queue) return 1;
    return graph.is_node_port(next) && !reachable.empty() ? map.channels : at_input(next);
  }
};

struct Layout {
  explicit Layout(const QueueCounts& counts);

  std::uint32_t nodes;
  std::uint32_t switches;
  std::uint32_t switch_ports;  // inputs and outputs of switches
  std::uint32_t graph_ports;   // and of adapters
  std::uint32_t output_units;  // output units, each a port and a device
  std::uint32_t ports;         // in all
  std::uint32_t devices;       // in all
  std::uint64_t queues;        // in all
  std::uint32_t most_ports;    // of one device
  std::uint32_t set_words;     // 64-bit words per set of a device's ports
  // Request lists: one for each pair of an input and an output of a device whose inputs may have several
  // queues for one output. An adapter or an output unit has one output for all its queues.
  bool switches_have_lists;
  bool others_have_lists;
  std::uint64_t lists;
  std::uint32_t late_inputs;  // inputs at which a selection function chooses the output of a head
  bool has_weights;
  bool is_pooled;
  bool feedback_shares_links;
  std::uint64_t pool_bytes;  // of isolation or overflow queues, for a start
  Tick horizon;              // the farthest ahead that a hop schedules anything

  // What a state takes when it begins, all told. Packets and what waits come on top.
  std::uint64_t state_bytes() const;
};

// Schemes that map destinations to many queues keep only those that traffic can reach.
bool keeps_reachable_queues_only(const QueueMap& map);

}  // namespace headway
