// SPDX-License-Identifier: Apache-2.0
// The sizes of the parts of a network and of its state. The state is allocated with these sizes, and the
// memory of a run is estimated from them before its network exists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "headway/base/memory_parts.h"
#include "headway/engine/network_options.h"

namespace headway {

// The numbers of queues of a network's ports.
struct QueueCounts {
  const Graph& graph;
  const QueueMap& map;
  const NetworkOptions& options;
  // [port of the graph] queues of the map that traffic can enter; empty: all queues at every port.
  std::span<const std::uint32_t> reachable;

  std::uint32_t at_input(PortId port) const {
    return static_cast<std::uint32_t>(
        queues_of_port(options, reachable.empty() ? map.queues : reachable[port]));
  }
  // Queues of the output unit of a switch's port. An output queue has the number of the queue that its
  // packets enter next or, with one queue per lane, the number of their lane.
  std::uint32_t at_output_unit(PortId port) const {
    const PortId next = graph.peer_of(port);
    if (next == kNone) return 0;
    if (options.one_output_queue) return options.lanes;
    if (!graph.is_node_port(next) || reachable.empty()) return at_input(next);
    return options.turns ? options.lanes * map.channels : map.channels;
  }
};

struct Layout {
  explicit Layout(const QueueCounts& counts);

  std::uint32_t nodes;
  std::uint32_t switches;
  std::uint32_t switch_ports;
  std::uint32_t graph_ports;       // ports of switches and adapters
  std::uint32_t output_units;      // output units, each a port and a device
  std::uint32_t ports;             // in all
  std::uint32_t devices;           // in all
  std::uint64_t queues;            // in all
  std::uint64_t injection_queues;  // of these
  std::uint64_t receive_lanes;     // lanes of the receive memory of all slow nodes
  std::uint32_t most_ports;        // maximum number of ports of a device
  std::uint32_t set_words;         // 64-bit words per set of a device's ports
  // Request lists: one for each pair of an input and an output of a device whose inputs may have several
  // queues for one output. An adapter or an output unit has one output for all its queues.
  bool switches_have_lists;
  bool others_have_lists;
  std::uint64_t lists;
  std::uint32_t late_inputs;  // inputs at which a selection function chooses the output of a head
  // Several groups of queues share outputs of switches, and round robin serves each of them in turn.
  bool has_group_pointers;
  bool has_weights;
  bool is_pooled;
  bool feedback_shares_links;
  bool counts_cells;           // counts the cells that the packets of each queue take
  bool links_change;           // during the run
  bool counts_ahead;           // counts the packets ahead at outputs, because switches choose by them
  std::uint64_t flow_entries;  // of the tables in which switches remember choices of flows
  std::uint64_t pool_bytes;    // initial memory of isolation or overflow queues
  std::uint64_t pool_turns;    // bytes of the turns of these queues, in each part
  std::uint64_t marks;         // pairs of an output and a lane that switches watch for marks
  std::uint64_t mark_bytes;    // of what they need for that
  std::uint64_t turn_bytes;    // of the turns of classes at outputs
  std::uint64_t lane_places;   // lanes that can pause their senders
  Tick horizon;                // the largest distance of an event that a hop schedules

  // Initial memory of a state. Packets and waiting messages are added to it.
  MemoryParts state_parts() const;
  // The part of this memory that each thread of a run has of its own.
  MemoryParts parts_of_thread() const;
  std::uint64_t state_bytes() const { return state_parts().total(); }
};

// Returns true for schemes that map destinations to many queues: only queues that traffic can reach are kept.
// With detours or choices, traffic can reach all of them.
bool keeps_reachable_queues_only(const QueueMap& map, const Routes& routes, const NetworkOptions& options);

}  // namespace headway
