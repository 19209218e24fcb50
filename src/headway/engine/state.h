// SPDX-License-Identifier: Apache-2.0
// The variables of a run, or of a part of it that one thread simulates (parts.h). Operations on queues and
// requests are in requests.h, where packets go is in next_hop.h, and the choice of outputs is in adaptive.h.
// All memory is allocated at the start, except what grows with the number of packets. The layout of the
// records lets a hop touch few cache lines: one per device, one per port, one per packet (device.h,
// packet.h).
//
// All parts of a run share the tables by queue, port, device and node. Only the part that has a device writes
// its records.
//
// Invariants, which inspect.cpp checks: an input requests an output at its device's crossbar iff one of its
// queues has a head that wants it. With request lists, list (i, o) holds exactly those queues, in the order
// in which their heads became head. Credits of q + those of packets on their way to q and in q + credits on
// their way back = capacity. With pooled memory the same holds per port: its first queue is the account of
// its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "headway/arbitration/output_turns.h"
#include "headway/base/fetch.h"
#include "headway/base/huge_vector.h"
#include "headway/congestion/isolation.h"
#include "headway/congestion/overflow.h"
#include "headway/congestion/pauses.h"
#include "headway/engine/admittance.h"
#include "headway/engine/control.h"
#include "headway/engine/crossbar.h"
#include "headway/engine/cut.h"
#include "headway/engine/device.h"
#include "headway/engine/feedback.h"
#include "headway/engine/flow_control.h"
#include "headway/engine/network.h"
#include "headway/engine/packet.h"
#include "headway/engine/record.h"
#include "headway/engine/shape.h"
#include "headway/engine/wheel.h"

namespace headway {

// Input ports with pooled memory that are settled at the end of phase 3.
struct Unsettled {
  std::vector<PortId> ports;
  std::vector<std::uint8_t> marks;  // [port]

  void add(PortId port, bool arrived) {
    if (marks[port] == 0) ports.push_back(port);
    marks[port] |= arrived ? kArrived : kListed;
  }
  // Returns true if a packet has arrived at the port.
  bool take(PortId port) {
    const bool arrived = (marks[port] & kArrived) != 0;
    marks[port] = 0;
    return arrived;
  }

 private:
  static constexpr std::uint8_t kListed = 1, kArrived = 2;
};

struct JobTables;  // jobs.h

// The tables that all parts of a run share, in the order of State.
struct StateMemory {
  HugeVector<Queue> queues;
  HugeVector<PortState> ports;
  HugeVector<Device> devices;
  std::vector<std::uint64_t> wide_sets;
  std::vector<std::uint64_t> wide_requests;
  std::vector<RequestList> lists;
  std::vector<RequestList> unbound;
  std::vector<std::uint16_t> served;
  std::vector<std::uint16_t> cells_in;
  std::vector<Tick> consumed_by;
  std::vector<std::uint32_t> ahead;
  HugeVector<FlowEntry> flows;
  std::vector<SentPacket> sent;
  std::vector<LinkNow> links_now;
  PacketMemory packets;
  AdmittanceMemory admittance;
  std::unique_ptr<Pauses> pauses;
  std::unique_ptr<Control> control;
  std::unique_ptr<OutputTurns> turns;
  std::optional<Isolation::Tables> isolation;
  std::optional<Overflow::Tables> overflow;
  Feedback feedback;
  std::shared_ptr<JobTables> jobs;
};

// What is the same in all parts: constants, and the shared tables.
struct StateTables {
  StateTables(const Network& network, PortCount port_count, bool counts_credits, std::uint64_t seed);

  const Network& network;
  PortCount port_count;                        // the form of all crossbars
  bool counts_credits;                         // FreedRoom has a number of credits
  std::uint64_t seed_mix;                      // mix64(seed): part of every packet's salt
  std::uint32_t first_output_unit;             // the first device that is an output unit
  std::uint32_t set_words;                     // 64-bit words per set of ports
  std::uint32_t packet_credits;                // credits that a full packet takes
  std::uint32_t most_needed;                   // the largest number of credits that a packet can need
  std::vector<std::uint16_t> queue_of_output;  // [local output] its queue at an input, without request lists
  bool chooses_now = false;                    // heads choose in the round (FreeOutput::now)
  bool counts_all_routed = false;              // packets with one candidate move the turn of their switch
  bool keeps_preferred = false;  // heads keep to an output that is not free (NoneFree::preferred)
  bool may_keep = false;         // heads keep to an output for this reason or to follow others of their flow
  bool needs_spare_credit = false;   // an output is free only with a credit for each packet that waits there
  bool shorter_queue_frees = false;  // packets for several queues behind a link share one output queue
  // An output queue holds the packets of one of several lanes, or those before a link to a node do.
  bool output_queues_by_lane = false;

  std::shared_ptr<StateMemory> memory;  // of the rest

  // requests.h writes queues, lists and requests; AdaptiveChoice also sets the target of a queue whose head
  // it binds, and Engine resets `longest` when a measurement begins. Engine takes and frees the ports of
  // crossbars. They are in `devices` and `ports`, or in the two tables of words for wide crossbars.
  std::span<Queue> queues;                 // [queue]
  std::span<PortState> ports;              // [port]
  std::span<Device> devices;               // [device]
  std::span<std::uint64_t> wide_sets;      // of crossbars with many ports: [device][set][word]
  std::span<std::uint64_t> wide_requests;  // of crossbars with many ports: [port][word]
  std::span<RequestList> lists;            // [first_list of the device + input * radix + output]
  std::span<RequestList> unbound;          // [port] an input's queues whose heads have no output
  std::span<std::uint16_t> served;         // [queue] weighted round robin: packets in a row
  std::span<std::uint16_t> cells_in;       // [queue] that its packets take, or empty (Layout::counts_cells)

  // Engine writes when each slow node will have consumed all packets in its receive memory.
  std::span<Tick> consumed_by;  // [node], or empty

  // If switches choose by it, Engine and AtArrival count the packets ahead at each output of a switch:
  // packets in the switch that will leave by it, and packets that have left by it and whose credits have not
  // returned.
  std::span<std::uint32_t> ahead;  // [port of the graph], or empty

  // If packets of a flow follow each other: AtArrival and AdaptiveChoice write what switches remember.
  std::span<FlowEntry> flows;  // [switch * entries + entry], or empty

  // If someone asks: what each output sends, or sent last, and where to each input does. Engine writes it.
  std::span<SentPacket> sent;  // [port], or empty

  // What links that change are now (link_changes.h). Engine writes it.
  std::span<LinkNow> links_now;  // [port], or empty

  // pausing.h writes it; null if senders count credits.
  Pauses* pauses = nullptr;

  // Engine, AdaptiveChoice and Adapters write it; null if no packets are marked.
  Control* control;
  // TurnArbiter writes them; null if classes do not take turns.
  OutputTurns* turns;

  // Engine and PooledPorts add feedback that waits for a link; Engine takes it.
  Feedback& feedback;

  void keep_sent();  // allocates `sent`; not when there are parts of the run already
  // Only if it is kept. Ports are numbered within the device.
  [[gnu::noinline]] void note_sent(PortId first_port, std::uint32_t input, std::uint32_t output,
                                   PacketId packet, std::uint32_t generator) {
    SentPacket& at_output = sent[first_port + output];
    at_output.packet = packet;
    at_output.generator = generator;
    at_output.input = static_cast<std::uint16_t>(input);
    sent[first_port + input].sends_to = static_cast<std::uint16_t>(output);
  }

  // Prepares them for several parts, of one or more processes: from then on, no packet moves, and the delays
  // of links to other parts say so (Wheel::kAbroad). Throws std::bad_alloc.
  void share(const NetworkCut& cut, std::uint32_t process, std::uint32_t processes);

  template <PortCount kPorts>
  Crossbar<kPorts> crossbar(Device& device) {
    if constexpr (kPorts == PortCount::few) {
      return Crossbar<kPorts>(device.crossbar.data());
    } else if constexpr (kPorts == PortCount::some) {
      return {device.crossbar.data(), &ports[device.first_port].requests,
              sizeof(PortState) / sizeof(std::uint64_t), 1};
    } else {
      const auto index = static_cast<std::size_t>(&device - devices.data());
      return {wide_sets.data() + index * Crossbar<kPorts>::kSets * set_words,
              wide_requests.data() + static_cast<std::size_t>(device.first_port) * set_words, set_words,
              set_words};
    }
  }

 private:
  void connect(PortId id);
  void set_up(std::uint32_t id);
  void empty_lists();
  void make_pauses();
};

// The place of a part in its run.
struct PartOfRun {
  const NetworkCut* cut = nullptr;  // null: there is one part
  std::uint32_t number = 0;         // of this part

  bool has(std::uint32_t device) const { return cut == nullptr || cut->part_of[device] == number; }
};

struct State : StateTables {
  // A part of a run. All parts are made before the run begins.
  explicit State(const StateTables& tables, const PartOfRun& place = {});

  void begin_measurement();

  PartOfRun part;
  // Engine changes what holds now, as the network says (link_changes.h).
  const Routes* routes;
  std::size_t next_change = 0;  // of Network::changes
  // A part uses the credits behind its outputs. The parts do not share them: the accounts of neighbouring
  // queues belong to different parts, which would wait for each other's caches.
  std::vector<std::uint16_t> credits;
  // Adapters, Engine and AdaptiveChoice (when it binds a head) take credits. Adapters and Engine return them.
  FlowControl flow;
  std::uint32_t sink() const { return flow.sink(); }
  // With several groups of queues behind outputs (Layout::has_group_pointers): the input of a switch that
  // goes first into a group. One past the last stands for the first.
  std::vector<std::uint16_t> next_inputs;  // [account of the group's first queue], or empty

  // Null in networks without pooled ports. PooledPorts writes them; Adapters also add ports to `unsettled`,
  // and Engine ends the tick of `isolation`.
  std::unique_ptr<Isolation> isolation;
  std::unique_ptr<Overflow> overflow;
  // Adapters write it; null if sources do not react to congestion.
  std::unique_ptr<Limiter> limiter;

  // Every component schedules events; Engine handles them.
  Wheel wheel;
  // Adapters create packets, Deliveries releases them. Engine, AdaptiveChoice and DetourChoice set where they
  // go.
  PacketPool packets;
  // Written by Adapters.
  AdmittanceState admittance;
  bool has_node(NodeId node) const { return part.has(network.switches() + node); }
  std::uint32_t notifier = kNone;  // generator of the notifications that travel; none: kNone
  bool is_notice(PacketId id) const { return packets.origin(id).generator == notifier; }
  // Adapters count generation and admission; Engine counts the rest.
  Record record;

  // A component that causes an event at a device adds the device. Engine empties these lists at the end of
  // the tick, in this order, so output units see the grants of the crossbars. AdaptiveChoice empties the last
  // list.
  Touched touched_switches;
  Touched touched_adapters;
  Touched touched_output_units;
  Marked<&Device::asks> asking_switches;  // with heads that have no output, unless `chooses_now`

  Unsettled unsettled;

  // Calls visit(packet id) for the packets of a queue, head first.
  template <class Visit>
  void for_each_packet(std::uint32_t queue, Visit&& visit) const {
    PacketId id = queues[queue].head;
    for (std::uint32_t left = queues[queue].length; left > 0; --left, id = packets[id].next) visit(id);
  }

  // The account of a packet that leaves for the node behind this output (of a switch or an output unit).
  std::uint32_t account_at(const PortState& output, std::uint32_t lane) const {
    return output.next_first_queue + (output.next_first_queue > sink() ? lane : 0);
  }
  // Returns true if a slow node behind its output will receive the packet, or has received it.
  bool is_for_slow_node(const Packet& packet) const { return packet.target > sink(); }

  // The switch of a node.
  SwitchId switch_of(NodeId node) const { return ports[network.adapter_port(node)].next_switch; }

  // Returns true if the link behind an output (of a switch, an adapter or an output unit) is down.
  bool is_down(PortId link) const { return !links_now.empty() && links_now[link].down; }
  // Network::link_outlasts of the transfer from an input to an output.
  bool link_outlasts(PortId input, PortId output) const {
    return links_now.empty() ? network.link_outlasts(input, ports[output].ticks_per_byte)
                             : links_now[output].outlasts;
  }
  // Returns true if an output whose transfer has ended must not send, because its link is down.
  bool keeps_output(PortId output) {
    if (links_now.empty() || !links_now[output].held) return false;
    links_now[output].idle = true;
    return true;
  }

  Touched& touched_of(std::uint32_t device) {
    if (network.is_switch(device)) return touched_switches;
    return device < first_output_unit ? touched_adapters : touched_output_units;
  }

  // The credits that a packet takes.
  template <bool kCells>
  auto credits_of(const Packet& packet) const {
    if constexpr (kCells)
      return network.cells_of(packet.length);
    else
      return OneSlot{};
  }
  std::uint32_t credits_of(const Packet& packet) const {
    return network.has_cells() ? credits_of<true>(packet) : 1;
  }
  // With pauses: the credits that a packet takes in its lane.
  std::uint32_t lane_credits_of(const Packet& packet) const { return network.lane_credits(packet.length); }
  // The credits that the packets of a queue take, if a rule depends on them.
  std::uint32_t credits_in(std::uint32_t queue, bool has_cells) const {
    return has_cells ? cells_in[queue] : queues[queue].length;
  }
  template <EngineShape kShape>
  std::uint32_t credits_in(std::uint32_t queue) const {
    return credits_in(queue, kShape.has_cells(network));
  }

  // Returns true if the head of a queue has room in the queue that it will enter.
  template <EngineShape kShape>
  bool head_has_room(const Queue& queue, std::uint32_t channels) const {
    if (kShape.has_cells(network))
      return flow.has_room(queue.target, channels, packet_credits) || has_room_for_shorter(queue, channels);
    return flow.has_room(queue.target, channels, kShape.may_have_rare() ? slots_needed(queue) : 1);
  }
  bool head_has_room(const Queue& queue, std::uint32_t channels) const {
    return flow.has_room(queue.target, channels, needed_by_head(queue));
  }
  // The credits that the head of a queue needs in the queue that it will enter.
  std::uint32_t needed_by_head(const Queue& queue) const {
    return network.has_cells() ? credits_of<true>(packets[queue.head]) : slots_needed(queue);
  }
  std::uint32_t slots_needed(const Queue& queue) const {
    return network.has_rings ? network.slots_needed(packets[queue.head].input, queue.output) : 1;
  }

  // With isolation: returns true if the head of this queue of its port must not leave by its output.
  bool is_refused(const Queue& queue, std::uint32_t number) const {
    if (number == 0 && isolation->rules().pass_when_full) return false;
    return isolation->refuses(queue.output, packets[queue.head].destination);
  }

  // The output queue for a packet that will enter `target` behind the output's link, in a lane of this link.
  std::uint32_t output_queue(PortId output, std::uint32_t target, std::uint32_t lane) const {
    if (output_queues_by_lane) return output_queue_of_lane(output, target, lane);
    const bool first = network.one_output_queue | (target >= sink());
    return ports[network.link_port(output)].first_queue +
           (first ? 0 : target - ports[output].next_first_queue);
  }

  // The time since which a packet counts as waiting, for arbiters by age.
  Tick age_of(PacketId id) const {
    return traits_of(network.arbiter).age == Age::in_network ? packets.origin(id).injected
                                                             : packets[id].ready;
  }

  // A number below 2^32 that decides which of several ports goes first. It is a hash of tick and device,
  // because a round-robin pointer can synchronise with the traffic and starve a pair of ports.
  std::uint64_t draw_of_tick(std::uint64_t device) const {
    return mix64(static_cast<std::uint64_t>(wheel.now()) ^ device) >> 32;
  }

  std::uint64_t draw(SwitchId sw, NodeId source, std::uint32_t serial) const {
    return draw_of_packet(seed_mix, sw, source, serial);
  }

  // Prefetch for a packet that will join the queue soon, and then for its look-ahead.
  void fetch_queue(std::uint32_t queue, PacketId packet) const {
    fetch(&queues[queue]);
    packets.fetch(packet);
  }
  void fetch_next_output(PacketId packet) const { fetch(&ports[packets[packet].next_output]); }
  void fetch_next_device(PacketId packet) const { fetch(&devices[ports[packets[packet].next_output].owner]); }

 private:
  // With cells: whether a head has room that is too small for a full packet. Out of line, because a queue
  // usually has room for a full packet.
  [[gnu::noinline]] bool has_room_for_shorter(const Queue& queue, std::uint32_t channels) const;
  [[gnu::noinline]] std::uint32_t output_queue_of_lane(PortId output, std::uint32_t target,
                                                       std::uint32_t lane) const;
};

// The part that has a device.
inline const State& part_of_device(std::span<const State* const> parts, std::uint32_t device) {
  const NetworkCut* const cut = parts.front()->part.cut;
  return cut == nullptr ? *parts.front() : *parts[cut->part_of[device]];
}

}  // namespace headway
