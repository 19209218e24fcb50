// SPDX-License-Identifier: Apache-2.0
// The options of a network besides its graph, routes and queue map, and the rules of a legal network. The
// same rules apply to specs and to programs that build networks by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/arbitration/lane_turns.h"
#include "headway/base/ids.h"
#include "headway/base/units.h"
#include "headway/config/limits.h"
#include "headway/congestion/markings.h"
#include "headway/congestion/pauses.h"
#include "headway/congestion/reactions.h"
#include "headway/congestion/rules.h"
#include "headway/engine/timed_change.h"
#include "headway/queueing/queue_map.h"
#include "headway/routing/routes.h"
#include "headway/selection/rule.h"
#include "headway/topology/graph.h"
#include "headway/traffic/admittance.h"
#include "headway/traffic/framing.h"

namespace headway {

// Limits of the engine's integers; kMostQueuesPerPort (queueing/queue_map.h) is another one.
inline constexpr std::uint32_t kMostPacketBytes = 0xffff;
inline constexpr std::uint32_t kMostCreditsPerQueue = 0xffff;
inline constexpr std::uint32_t kMostWeightedQueues = 64;

// Times in ticks.
struct NetworkOptions {
  Duration tick{1};  // length of one tick; divides every link's byte time and delay
  Tick routing_delay = 0;
  bool store_and_forward = false;
  // Cut-through: if true, a packet that arrives over a slower link than it leaves by also moves on at
  // once, and holds the faster link until its tail has arrived. If false, the switch stores it first.
  bool holds_faster_links = false;
  ArbiterKind arbiter = ArbiterKind::round_robin;
  Admittance admittance = Admittance::per_destination;
  std::uint32_t packet_bytes = 64;  // of a full packet: its frame
  std::uint32_t header_bytes = 0;   // of it, and of every packet
  std::uint32_t least_frame = 0;    // bytes of the shortest packet, which is padded
  // Memory is counted in credits: slots that hold one packet each, of any length, or cells of this size, of
  // which a packet takes as many as its own length needs. 0: slots.
  std::uint32_t cell_bytes = 0;
  // Credits per queue of a switch's input port or, if its queues share them, of a lane. With pauses, the
  // credits of this and of the receive memory are those of the lane (PauseRules::unit_bytes).
  std::uint32_t capacity = 16;
  std::uint32_t injection_capacity = 16;  // credits per injection queue
  std::uint32_t output_capacity = 0;      // credits per output queue; 0: no output unit (IQ)
  bool one_output_queue = false;          // per lane of a port; false: as many as at an input port
  bool output_queued = false;             // an input can send to all outputs at once
  Rational crossbar_speedup{1};           // crossbar rate over link rate; 1 without an output unit
  // Weighted round robin among the queues of an adapter or output unit: [queue] packets in a row; empty:
  // they take turns as `arbiter` says.
  std::vector<std::uint16_t> weights;
  // Classes of lanes take turns at every output; none: lanes share an output as queues do.
  std::optional<LaneTurns> turns;
  // From the routes: lanes per port, each with all queues of the map, and whether the lanes prevent packets
  // from waiting for each other around a ring, so that no bubbles are needed.
  std::uint32_t lanes = 1;
  bool lanes_break_rings = false;
  bool has_choices = false;      // packets choose among minimal outputs, and have an escape
  bool has_detours = false;      // packets go by waypoints
  bool decides_detours = false;  // switches choose between the direct path and a detour
  bool by_destination = true;    // packets for a destination continue on one path from where they meet
  // Size of a packet that carries credits or pauses back over the link; 0: they have a separate path.
  std::uint32_t credit_bytes = 0;
  // Lanes pause their senders when they hold too much; none: senders count credits.
  std::optional<PauseRules> pause;
  bool shares_lanes = false;  // without pauses: the queues of a lane share its memory, and its credits
  std::uint64_t admittance_limit = UINT64_MAX;  // credits of the packets that wait at a node
  // [node] fraction of its link's rate at which it consumes packets; 0: it consumes them at once. Empty: all
  // nodes do.
  std::vector<Rational> receive_rate;
  std::uint32_t receive_capacity = 0;  // credits per lane of the memory of a node with a rate
  // The queues of an input port share its memory of `capacity` credits under these rules; the queue map is
  // that of a single queue, the one that packets arrive in. Needs routes by destination.
  std::optional<IsolationRules> isolation;
  // Pooled ports in which destinations own queues, and one queue is for overflow.
  std::optional<OverflowRules> overflow;
  // Switches mark packets of congested outputs; with a reaction, sources slow down because of marks or
  // delays.
  std::optional<MarkingRules> marking;
  std::optional<ReactionRules> reaction;
  std::optional<SelectionRule>
      selection;  // chooses among the outputs of a head; none: the output is known on arrival
  std::optional<ArrivalChoice> arrival_choice;  // chooses among the outputs of a packet that arrives
  std::optional<FollowRule> follow_rule;        // with either: packets of a flow follow each other
  bool draws_by_message = false;                // the packets of a message draw the same paths
  // Which links messages take of nodes with several.
  LinkRule link_rule = LinkRule::hash;
  std::uint64_t link_salt = 0;  // of the hash
  bool one_path = true;         // of the packets of a message, in order, and of others of its pair and level
  bool in_order = true;         // and all of a pair have one level: its packets arrive in order
  std::vector<TimedChange> changes;  // by time; links before routes
  bool changes_rates = false;        // an event gives links another rate
  bool down_links_lose = false;      // a link that is down takes packets, which are lost; false: they wait

  // Sets the options that the routes determine.
  void follow(const Routes& routes) {
    lanes = routes.lane_count();
    lanes_break_rings = routes.lanes.break_rings();
    has_choices = routes.choices.has_value();
    has_detours = routes.detours.has_value();
    decides_detours = routes.detours && routes.detours->kind != Detour::always;
    by_destination = !routes.detours && !routes.choices && routes.table.by_destination();
  }
  Framing framing() const { return {packet_bytes - header_bytes, header_bytes, least_frame}; }
  // The credits that a packet takes: its slot, or its cells.
  std::uint32_t credits_of(std::uint32_t bytes) const {
    return cell_bytes == 0 ? 1 : (bytes - 1) / cell_bytes + 1;
  }
  // With pauses: the credits of a lane that a packet takes.
  std::uint32_t lane_credits_of(std::uint32_t bytes) const { return (bytes - 1) / pause->unit_bytes + 1; }
  bool has_cells() const { return cell_bytes > 0; }
  // Bytes of a credit of the memory of input ports: a slot, a cell or, with pauses, a unit of lanes.
  std::uint32_t bytes_of_credit() const {
    return pause ? pause->unit_bytes : has_cells() ? cell_bytes : packet_bytes;
  }
  // Returns true if rules depend on the cells that the packets of a queue take.
  bool counts_cells() const { return has_cells() && (isolation || (selection && has_output_units())); }
  std::uint32_t credits_of_packet() const { return credits_of(packet_bytes); }  // of a full packet
  bool needs_bubbles(const Graph& graph) const { return graph.has_rings() && !lanes_break_rings; }
  bool is_pooled() const { return isolation || overflow; }  // the queues of a port share its memory
  // Returns true if packets find their queue when they arrive, because their senders need not know it.
  bool sorts_arrivals(const QueueMap& map) const {
    return shares_lanes || (arrival_choice && map.uses_output());
  }
  // Returns true if what waits for each output of a switch is counted.
  bool counts_ahead() const { return decides_detours || arrival_choice; }
  // Returns true if `capacity` is that of a lane.
  bool has_lane_memory() const { return pause || shares_lanes; }
  bool has_output_units() const { return output_capacity > 0; }
  bool has_slow_nodes() const { return !receive_rate.empty(); }
  bool is_slow(NodeId node) const { return has_slow_nodes() && receive_rate[node] > Rational(0); }
  std::uint32_t signal_bytes() const { return isolation ? isolation->signal_bytes : 0; }
  // Returns true if credits or signals share the links with packets.
  // Of the routes that hold later.
  std::uint64_t bytes_of_changes() const;
  bool changes_routes() const {
    return std::ranges::any_of(changes, [](const TimedChange& change) { return change.link == kNone; });
  }
  bool feedback_shares_links() const { return credit_bytes > 0 || signal_bytes() > 0; }
};

// Full packets that every queue of a switch must have room for: with bubbles, one more.
inline std::uint32_t least_packets(const Graph& graph, const NetworkOptions& options) {
  return options.needs_bubbles(graph) ? 2 : 1;
}
// least_packets in credits.
inline std::uint32_t least_room(const Graph& graph, const NetworkOptions& options) {
  return least_packets(graph, options) * options.credits_of_packet();
}

// With pauses: the headroom of a lane behind its threshold, in its credits, with which no packet is lost
// (docs/modelling.md, "Pauses").
std::uint32_t lossless_headroom(const Graph& graph, const NetworkOptions& options);

// The number of queues of an input port that has `of_map` queues of the map in each lane.
std::uint64_t queues_of_port(const NetworkOptions& options, std::uint64_t of_map);
// The rule IllegalNetwork::queues_per_port. Can be asked before the map exists.
inline bool has_too_many_queues(const NetworkOptions& options, std::uint64_t of_map) {
  return queues_of_port(options, of_map) > kMostQueuesPerPort;
}

// The rules that a network can break. compile/plan/illegal_networks.cpp tells them in terms of a spec.
enum class IllegalNetwork : std::uint8_t {
  packet_size,        // 0, or above kMostPacketBytes
  cell_size,          // above that of a packet
  cells_in_rings,     // bubbles of cells can fall apart, so that no packet fits into one
  input_room,         // less than least_room, or above kMostCreditsPerQueue
  injection_room,     // less than a packet needs, or above kMostCreditsPerQueue
  output_room,        // as input_room, in networks with output units
  receive_rates,      // not one for each node, or not within 0 and 1
  receive_room,       // less than a packet needs, or above kMostCreditsPerQueue
  receive_credits,    // credits of nodes share no links
  queues_per_port,    // above kMostQueuesPerPort
  weights,            // not one weight for each queue, or a weight of 0
  weighted_queues,    // above kMostWeightedQueues
  weights_of_pool,    // pooled queues are served by plain round robin
  turns_of_lanes,     // not one class for each lane, above LaneTurns::kMostClasses, or a class without turns
  turns_and_weights,  // both turns of classes and weights of queues
  turns_at_random,    // turns need an arbiter with an order
  turns_of_late_choice,   // a head that chooses an output is granted at once, before classes take turns
  credit_size,            // above that of a packet
  credit_without_link,    // there is no link back to the sender
  two_pools,              // both isolation and overflow queues
  pool_of_queues,         // pooled memory, with several queues of the map
  pool_with_output_unit,  // pooled memory, with output units
  pool_of_lanes,          // pooled memory, with several lanes
  isolation_lines,        // above IsolationRules::kMostLines
  isolation_routes,       // isolation needs routes by destination
  isolation_in_rings,     // bubbles need packets in a ring to move on; a stopped flow would hold them back
  overflow_sets,          // not one set for each node
  signal_size,            // as credits
  signal_without_link,
  signal_without_delay,
  marks_of_isolation,        // there is no isolation
  marks_of_late_output,      // marks on arrival need the output then; a selection function chooses it later
  reaction_without_marks,    // nothing tells the sources
  reaction_of_fifo,          // a flow that waits would hold back the others of its node
  pauses_in_rings,           // bubbles need credits
  pauses_of_channels,        // a channel is chosen by its credits
  pauses_of_choices,         // an escape leaves credits
  pauses_of_detours,         // a detour is decided by credits
  pauses_of_most_credits,    // a selection function compares credits
  pauses_without_delay,      // a pause has effect in the same tick
  pause_thresholds,          // not 0 < XOFF, or not within the memory of a lane less its headroom
  pause_headroom,            // packets can be lost
  queues_of_outputs,         // an output-queued switch needs a queue for each output
  outputs_with_output_unit,  // such a switch has no output units
  lanes_of_pauses,           // pauses have lanes that share their memory without credits
  lanes_of_pool,             // pooled memory is shared already
  lanes_of_channels,         // a channel is chosen by its credits
  lanes_with_output_unit,    // output queues have the numbers of queues behind the link, which share credits
  lanes_in_rings,            // bubbles are rooms of queues
  choice_on_detours,         // a selection function together with detours
  kept_choice_of_escapes,    // a head that keeps to one output cannot take the escape
  followers_of_escapes,      // nor can one that follows others of its flow
  late_output_of_detours,    // a detour is decided on arrival, too late for queues by output
  queues_by_late_output,     // queues by output need the output on arrival; a selection function chooses it
                             // later
  pool_of_late_output,       // pooled memory needs it, too
  queues_of_arrivals,  // queues by output need lanes that share memory if the output is chosen on arrival
  arrivals_with_output_unit,      // what waits at outputs is not seen
  arrivals_of_pool,               // packets arrive in the first queue of a pooled memory
  changed_routes_of_late_choice,  // new routes lead to other ports than those that heads choose among
  changed_routes_of_detours,      // detours are made for all links
  changed_routes_of_isolation,    // lines follow the routes
  losses_of_late_choice,          // a head has taken room behind the link that goes down
  link_in_ticks,                  // a link's times are not whole ticks, or above limits::kTicksOfHop
  hop_without_delay,              // devices would see each other's decisions of the same tick
};

// Every rule that the network breaks, in the order above.
std::vector<IllegalNetwork> illegal(const Graph& graph, const QueueMap& map, const NetworkOptions& options);

// The duration in ticks; none if it is not a whole number from 0 to limits::kTicksOfHop.
std::optional<std::uint32_t> link_ticks(const Duration& duration, const Duration& tick);

}  // namespace headway
