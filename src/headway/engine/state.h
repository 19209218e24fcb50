// SPDX-License-Identifier: Apache-2.0
// Everything of a run that changes, and the few operations on queues, requests and credits that change it.
// All memory is taken at the start, except what grows with the packets that exist. Records are made so that a
// hop touches few cache lines: one per device, one per port, one per packet.
//
// Invariants: `requested(d)` holds output o iff some input is in `requests(port of o)`; an input is there iff
// one of its queues has a head that wants o. With request lists, list (i, o) holds exactly those queues, in
// the order in which their heads became head. credits[q] + packets on their way to q + length of q + credits
// on their way back = capacity. With pooled memory the same holds per port: the credits of its first queue
// stand for its whole memory.
//
// With adaptive routing a head that has several candidates waits in no request but in its input's list of
// `unbound` heads, until a selection function binds it to an output: it takes room there (one credit) and
// joins the requests with nothing left to wait for but the crossbar.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "headway/base/fetch.h"
#include "headway/base/huge_vector.h"
#include "headway/congestion/isolation.h"
#include "headway/engine/feedback.h"
#include "headway/engine/network.h"
#include "headway/engine/packet.h"
#include "headway/engine/port_set.h"
#include "headway/engine/record.h"
#include "headway/engine/shape.h"
#include "headway/engine/wheel.h"

namespace headway {

struct Queue {
  PacketId head = kNone;
  PacketId tail = kNone;
  std::uint32_t target = 0;        // of the head; the sink if it needs no room any more
  PortId output = 0;               // of the head; kNone: not chosen yet
  std::uint16_t next_request = 0;  // behind it in its request list
  std::uint16_t length = 0;
  std::uint16_t longest = 0;  // since the last reset
  std::uint16_t served = 0;   // weighted round robin: packets in a row
};
static_assert(sizeof(Queue) == 24);

// The queues of one input that request one output, first to last, linked by Queue::next_request.
struct RequestList {
  static constexpr std::uint16_t kEnd = 0xffff;
  std::uint16_t first = kEnd;
  std::uint16_t last = kEnd;
};

// A port: what a hop needs of its constants and of the switch behind its link (the link of its output stage,
// if it has one), and what changes at its output side.
struct alignas(64) PortState {
  std::uint64_t requests = 0;  // inputs that request this output, for up to 64 ports
  std::uint64_t bytes_sent = 0;
  PortId peer = kNone;    // input behind the link
  PortId source = kNone;  // output that feeds this input
  std::uint32_t owner = 0;
  std::uint32_t first_queue = 0;   // of the input side
  std::uint32_t delay = 0;         // of the outgoing link
  std::uint32_t credit_delay = 0;  // of the incoming link
  std::uint32_t ticks_per_byte = 0;
  SwitchId next_switch = kNone;        // behind the outgoing link; kNone: a node
  PortId next_first_port = 0;          // of that switch
  std::uint32_t next_first_queue = 0;  // of the peer
  std::uint16_t local = 0;             // number within the owner
  std::uint16_t next_local = 0;        // of the peer
  std::uint16_t next_input = 0;        // round-robin pointer
  std::uint16_t next_queue = 0;        // most room: pointer among the channels of the peer
};
static_assert(sizeof(PortState) == 64);

// What a device needs at hand in every round. The sets are here for up to 64 ports, else in State::wide_sets.
struct alignas(64) Device {
  std::uint64_t free_inputs = 0;
  std::uint64_t free_outputs = 0;
  std::uint64_t requested = 0;  // outputs
  std::uint64_t unbound = 0;    // inputs that have heads without an output
  PortId first_port = 0;
  std::uint32_t first_list = kNone;  // kNone: its inputs have at most one queue per output
  std::uint16_t radix = 0;
  std::uint16_t channels = 1;  // queues per group behind its outputs: it chooses one when it sends
  std::uint32_t first_queue = 0;
  std::uint16_t queues_per_input = 0;  // 0: its inputs differ
  bool touched = false;                // will arbitrate at the end of this tick
  bool asks = false;                   // has heads that will choose outputs at the end of this tick
  std::uint32_t turn = 0;              // of its selection function
};

// The devices that something happened to in this tick, each once: its mark says that it is among them.
template <bool Device::* kMark>
struct Marked {
  std::vector<std::uint32_t> devices;  // the first `count`
  std::uint32_t count = 0;

  void reserve(std::uint32_t most) { devices.resize(most + 1); }

  // Without a branch, hence the one beyond the last; a branch would be a coin toss for the processor.
  void add_if(bool happened, Device& device, std::uint32_t id) {
    devices[count] = id;
    count += static_cast<std::uint32_t>(happened & !(device.*kMark));
    device.*kMark |= happened;
  }
};
using Touched = Marked<&Device::touched>;

// Input ports with pooled memory to settle at the end of phase 3.
struct Unsettled {
  std::vector<PortId> ports;
  std::vector<std::uint8_t> marks;  // [port]

  void add(PortId port, bool arrived) {
    if (marks[port] == 0) ports.push_back(port);
    marks[port] |= arrived ? kArrived : kListed;
  }
  // Has a packet arrived at it?
  bool take(PortId port) {
    const bool arrived = (marks[port] & kArrived) != 0;
    marks[port] = 0;
    return arrived;
  }

 private:
  static constexpr std::uint8_t kListed = 1, kArrived = 2;
};

struct State {
  State(const Network& network, std::uint64_t seed);

  const Network& network;
  std::uint64_t seed_mix;  // mix64(seed): part of every packet's salt
  Wheel wheel;
  PacketPool packets;
  Record record;
  HugeVector<Queue> queues;            // [queue]
  std::vector<std::uint16_t> credits;  // [queue], held by its sender; one more for the sinks, never used up
  HugeVector<PortState> ports;         // [port]
  HugeVector<Device> devices;          // [device]
  Touched touched_switches;            // to arbitrate at the end of this tick, in this order:
  Touched touched_adapters;
  Touched touched_stages;                    // output stages see what the crossbars have granted
  std::uint32_t first_stage;                 // the first device that is an output stage
  std::uint32_t set_words;                   // 64-bit words per set of ports
  std::vector<std::uint64_t> wide_sets;      // [device][free inputs, free outputs, requested, unbound][word]
  std::vector<std::uint64_t> wide_requests;  // [port][word]
  std::vector<RequestList> lists;            // [first_list of the device + input * radix + output]

  std::unique_ptr<Isolation> isolation;  // null without
  std::unique_ptr<Overflow> overflow;    // null without
  Unsettled unsettled;
  Feedback feedback;

  std::uint16_t most_leaves;                   // slots that any packet must leave free
  std::vector<RequestList> unbound;            // [port] an input's queues whose heads have no output
  bool chooses_now = false;                    // in the round, for FreeOutput::now
  Marked<&Device::asks> asking_switches;       // else before the rounds, and again after them
  std::vector<std::uint16_t> queue_of_output;  // [local output] of a switch without request lists

  std::uint32_t sink() const { return network.queues; }  // the queue of all destination nodes, in `credits`

  template <bool kWide>
  PortSet<kWide> free_inputs(Device& device) {
    return set<kWide>(device, device.free_inputs, 0);
  }
  template <bool kWide>
  PortSet<kWide> free_outputs(Device& device) {
    return set<kWide>(device, device.free_outputs, 1);
  }
  template <bool kWide>
  PortSet<kWide> requested(Device& device) {
    return set<kWide>(device, device.requested, 2);
  }
  template <bool kWide>
  PortSet<kWide> unbound_inputs(Device& device) {
    return set<kWide>(device, device.unbound, 3);
  }
  template <bool kWide>
  PortSet<kWide> requests(PortId output) {
    if constexpr (!kWide) return {&ports[output].requests, 1};
    return {wide_requests.data() + static_cast<std::size_t>(output) * set_words, set_words};
  }

  Touched& touched_of(std::uint32_t device) {
    if (network.is_switch(device)) return touched_switches;
    return device < first_stage ? touched_adapters : touched_stages;
  }

  // Is there room for a packet in one of the `channels` queues from `target` on, and for as many more as it
  // must leave?
  bool has_room(std::uint32_t target, std::uint32_t channels, std::uint16_t leaves = 0) const {
    if (channels == 1 || target == sink()) return credits[target] > leaves;
    for (std::uint32_t c = 0; c < channels; ++c)
      if (credits[target + c] > leaves) return true;
    return false;
  }
  template <bool kVaried = true>
  bool head_has_room(const Queue& queue, std::uint32_t channels) const {
    return has_room(queue.target, channels, kVaried ? slots_to_leave(queue) : 0);
  }
  // By the head of a queue, in the queue it will enter.
  std::uint16_t slots_to_leave(const Queue& queue) const {
    return network.has_rings ? network.slots_to_leave(packets[queue.head].input, queue.output) : 0;
  }

  // With isolation: may the head of this queue, by its number at its port, not leave by its output now?
  bool is_refused(const Queue& queue, std::uint32_t number) const {
    if (number == 0 && isolation->rules().pass_when_full) return false;
    return isolation->refuses(queue.output, packets[queue.head].destination);
  }

  // The channel that a packet takes of the group whose first queue is `first`; one has room for it and those
  // it must leave. With most room ties go to the first at or after the pointer, which moves behind the chosen
  // one (docs/modelling.md, "Grant").
  std::uint32_t choose_channel(std::uint32_t first, std::uint16_t& pointer, std::uint16_t leaves = 0) const;

  // The output queue for a packet that will enter `target` behind the output's link.
  std::uint32_t output_queue(PortId output, std::uint32_t target) const {
    const bool first = network.one_output_queue | (target == sink());
    return ports[network.link_port(output)].first_queue +
           (first ? 0 : target - ports[output].next_first_queue);
  }

  // The queue (its group's first) that a packet to `destination` enters behind a switch's output, if that
  // does not depend on where it goes from there.
  std::uint32_t queue_behind(PortId output, NodeId destination) const {
    const PortState& port = ports[output];
    if (port.next_switch == kNone) return sink();
    return port.next_first_queue + network.queue_at(port.peer, 0, destination);
  }

  // Credits of all channels of a group.
  std::uint32_t room_in(std::uint32_t first) const {
    std::uint32_t room = 0;
    for (std::uint32_t c = 0; c < network.queue_map.channels; ++c) room += credits[first + c];
    return room;
  }

  // Can a packet choose this output of its switch (docs/modelling.md, "Choose")?
  template <EngineShape kShape>
  bool is_free(Device& device, PortId output, NodeId destination) {
    const std::uint32_t target = queue_behind(output, destination);
    if (chooses_now && !free_outputs<kShape.wide>(device).contains(output - device.first_port)) return false;
    if (!has_room(target, network.queue_map.channels)) return false;
    if constexpr (kShape.queued) {
      const std::uint32_t output_first = output_queue(output, target);
      if (!has_room(output_first, device.channels)) return false;
      if (chooses_now && target != sink()) {
        std::uint32_t waiting = 0;
        for (std::uint32_t c = 0; c < device.channels; ++c) waiting += queues[output_first + c].length;
        return waiting < room_in(target);
      }
    }
    return true;
  }

  // A number below 2^32 that is fixed for packet and switch.
  std::uint64_t draw(SwitchId sw, NodeId source, std::uint32_t serial) const {
    const std::uint64_t salt = mix64(seed_mix ^ (static_cast<std::uint64_t>(source) << 32 | serial));
    return mix64(salt ^ mix64(sw)) >> 32;
  }

  // Where a packet goes on from the device behind `output`: the output port it requests there, and the queue
  // it enters behind that.
  struct NextHop {
    PortId output = kNone;
    std::uint32_t target = 0;
  };
  [[gnu::always_inline]] NextHop look_ahead(PortId output, NodeId source, NodeId destination,
                                            std::uint32_t serial) const {
    const PortState& port = ports[output];
    if (port.next_switch == kNone) return {kNone, sink()};
    const std::uint16_t next = network.output_at(port.next_switch, source, destination,
                                                 [&] { return draw(port.next_switch, source, serial); });
    return {port.next_first_port + next,
            port.next_first_queue + network.queue_at(port.peer, next, destination)};
  }

  // A packet will join the queue soon; then, what its look-ahead reads.
  void fetch_queue(std::uint32_t queue, PacketId packet) const {
    fetch(&queues[queue]);
    packets.fetch(packet);
  }
  void fetch_next_output(PacketId packet) const { fetch(&ports[packets[packet].next_output]); }
  void fetch_next_device(PacketId packet) const { fetch(&devices[ports[packets[packet].next_output].owner]); }

  // The packet joins the tail of its queue, at the device that its output belongs to.
  template <EngineShape kShape>
  [[gnu::always_inline]] void enqueue(PacketId id, Touched& touched) {
    constexpr bool kWide = kShape.wide;
    Packet& packet = packets[id];
    Queue& queue = queues[packet.queue];
    packet.next = kNone;
    if (++queue.length > queue.longest) queue.longest = queue.length;
    if (queue.length > 1) {
      packets[queue.tail].next = id;
      queue.tail = id;
      return;
    }
    queue.head = queue.tail = id;
    if (kShape.chosen && packet.output == kNone) {
      const std::uint32_t owner = ports[packet.next_output].owner;
      add_unbound<kWide>(devices[owner], packet.input, queue);
      ask(true, devices[owner], owner);
      return;
    }
    const PortState& output = ports[packet.output];
    Device& device = devices[output.owner];
    add_request<kWide>(device, packet.input, queue, packet);
    touch<kWide>(output, device, packet.input, touched);
  }

  // The head of the input's queue leaves it; the packet behind it becomes head.
  template <EngineShape kShape>
  [[gnu::always_inline]] PacketId pop(Device& device, std::uint32_t input, Queue& queue) {
    constexpr bool kWide = kShape.wide;
    const PacketId id = queue.head;
    remove_request<kWide>(device, input, queue);
    queue.head = packets[id].next;
    if (--queue.length == 0) return id;
    if (kShape.chosen && packets[queue.head].output == kNone) {
      add_unbound<kWide>(device, input, queue);
      // by FreeOutput::now it asks only when its input is free again
      asking_switches.add_if(!chooses_now, device, ports[device.first_port].owner);
    } else {
      add_request<kWide>(device, input, queue, packets[queue.head]);
    }
    return id;
  }

  // As `pop`, by weighted round robin at a port whose queues all want the same output: a queue keeps its
  // place in the request list until `weight` packets have left it in a row.
  template <EngineShape kShape>
  PacketId pop_in_turn(Device& device, std::uint32_t input, Queue& queue, std::uint32_t weight) {
    if (queue.length == 1 || ++queue.served >= weight) {
      queue.served = 0;
      return pop<kShape>(device, input, queue);
    }
    const PacketId id = queue.head;
    queue.head = packets[id].next;
    queue.target = packets[queue.head].target;
    --queue.length;
    return id;
  }

  // Heads of a switch that have no output may find one free at the end of this tick.
  void ask(bool happened, Device& device, std::uint32_t id) {
    if (chooses_now)
      touched_switches.add_if(happened, device, id);
    else
      asking_switches.add_if(happened, device, id);
  }

  // The head of the input's queue leaves by `output`: it takes room behind the crossbar and requests it.
  template <EngineShape kShape>
  [[gnu::always_inline]] void bind(Device& device, std::uint32_t input, Queue& queue, PortId output) {
    RequestList& list = unbound[device.first_port + input];
    unlink(list, first_queue_of(device, input), queue);
    if (list.first == RequestList::kEnd) unbound_inputs<kShape.wide>(device).erase(input);
    Packet& packet = packets[queue.head];
    packet.output = output;
    packet.target = queue_behind(output, packet.destination);
    if constexpr (kShape.queued) {
      packet.target_after = packet.target;
      packet.target = output_queue(output, packet.target);
    }
    const bool to_node = packet.target == sink();
    if (device.channels > 1 && !to_node)
      packet.target = choose_channel(packet.target, ports[output].next_queue);
    if (!to_node) --credits[packet.target];
    add_request<kShape.wide>(device, input, queue, packet);
    queue.target = sink();
  }

  // An input requests an output: its device has a round in this tick if both are free.
  template <bool kWide>
  [[gnu::always_inline]] void touch(const PortState& output, Device& device, std::uint32_t input,
                                    Touched& touched) {
    touched.add_if(
        free_inputs<kWide>(device).contains(input) & free_outputs<kWide>(device).contains(output.local),
        device, output.owner);
  }

  // A queue by its number at an input.
  std::uint32_t queue_of(const Device& device, std::uint32_t input, std::uint32_t number) const {
    return number + (device.queues_per_input != 0 ? device.first_queue + input * device.queues_per_input
                                                  : ports[device.first_port + input].first_queue);
  }

  RequestList& list_of(const Device& device, std::uint32_t input, std::uint32_t output) {
    return lists[device.first_list + input * device.radix + output];
  }

 private:
  template <bool kWide>
  PortSet<kWide> set(const Device& device, std::uint64_t& narrow, std::uint32_t which) {
    if constexpr (!kWide) return {&narrow, 1};
    const auto index = static_cast<std::size_t>(&device - devices.data());
    return {wide_sets.data() + (index * 4 + which) * set_words, set_words};
  }

  template <bool kWide>
  void free_all_ports(Device& device);

  // The packet has become the head of its queue: its request joins the others of its input for that output.
  template <bool kWide>
  [[gnu::always_inline]] void add_request(Device& device, std::uint32_t input, Queue& queue,
                                          const Packet& head) {
    if (head.next != kNone) packets.fetch(head.next);
    const std::uint32_t output = head.output - device.first_port;
    queue.output = head.output;
    queue.target = head.target;
    requests<kWide>(head.output).insert(input);
    requested<kWide>(device).insert(output);
    if (device.first_list == kNone) return;
    append(list_of(device, input, output), first_queue_of(device, input), queue);
  }

  template <bool kWide>
  void add_unbound(Device& device, std::uint32_t input, Queue& queue) {
    queue.output = kNone;
    unbound_inputs<kWide>(device).insert(input);
    append(unbound[device.first_port + input], first_queue_of(device, input), queue);
  }

  template <bool kWide>
  void remove_request(Device& device, std::uint32_t input, const Queue& queue) {
    const std::uint32_t output = queue.output - device.first_port;
    if (device.first_list != kNone) {
      RequestList& list = list_of(device, input, output);
      unlink(list, first_queue_of(device, input), queue);
      if (list.first != RequestList::kEnd) return;
    }
    PortSet<kWide> inputs = requests<kWide>(queue.output);
    inputs.erase(input);
    if (inputs.empty()) requested<kWide>(device).erase(output);
  }

  Queue* first_queue_of(const Device& device, std::uint32_t input) {
    return &queues[queue_of(device, input, 0)];
  }

  void append(RequestList& list, Queue* first_queue, Queue& queue) {
    const auto number = static_cast<std::uint16_t>(&queue - first_queue);
    queue.next_request = RequestList::kEnd;
    if (list.first == RequestList::kEnd)
      list.first = number;
    else
      first_queue[list.last].next_request = number;
    list.last = number;
  }

  void unlink(RequestList& list, Queue* first_queue, const Queue& queue) {
    const auto number = static_cast<std::uint16_t>(&queue - first_queue);
    std::uint16_t before = RequestList::kEnd;
    for (std::uint16_t q = list.first; q != number; q = first_queue[q].next_request) before = q;
    if (before == RequestList::kEnd)
      list.first = queue.next_request;
    else
      first_queue[before].next_request = queue.next_request;
    if (list.last == number) list.last = before;
  }
};

}  // namespace headway
