// SPDX-License-Identifier: Apache-2.0
// Everything of a run that changes, and the few operations on queues, requests and credits that change it.
// All memory is taken at the start, except what grows with the packets that exist. Records are made so that a
// hop touches few cache lines: one per device, one per port, one per packet.
//
// Invariants: `requested(d)` holds output o iff some input is in `requests(port of o)`; an input is there iff
// one of its queues has a head that wants o. With request lists, list (i, o) holds exactly those queues, in
// the order in which their heads became head. credits[q] + packets on their way to q + length of q + credits
// on their way back = capacity. With isolation the same holds per port: the credits of its first queue stand
// for its whole memory.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "headway/base/huge_vector.h"
#include "headway/congestion/isolation.h"
#include "headway/engine/network.h"
#include "headway/engine/packet.h"
#include "headway/engine/port_set.h"
#include "headway/engine/record.h"
#include "headway/engine/wheel.h"

namespace headway {

struct Queue {
  PacketId head = kNone;
  PacketId tail = kNone;
  std::uint32_t target = 0;        // of the head
  PortId output = 0;               // of the head
  std::uint16_t next_request = 0;  // behind it in its request list
  std::uint16_t length = 0;
  std::uint16_t longest = 0;  // since the last reset
  std::uint16_t served = 0;   // weighted round robin: packets in a row
};

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
  std::uint16_t next_queue = 0;        // most room: pointer among the queues of the peer
};
static_assert(sizeof(PortState) == 64);

// What a device needs at hand in every round. The sets are here for up to 64 ports, else in State::wide_sets.
struct alignas(64) Device {
  std::uint64_t free_inputs = 0;
  std::uint64_t free_outputs = 0;
  std::uint64_t requested = 0;  // outputs
  PortId first_port = 0;
  std::uint32_t first_list = kNone;  // kNone: its inputs have at most one queue per output
  std::uint16_t radix = 0;
  bool touched = false;  // stands in a list of those that arbitrate at the end of this tick
};

// The devices that something happened to in this tick.
struct Touched {
  static constexpr std::uint32_t kAhead = 8;  // a loop over the devices may look so far beyond the last

  std::vector<std::uint32_t> devices;  // the first `count`
  std::uint32_t count = 0;

  void reserve(std::uint32_t most) { devices.resize(most + kAhead); }

  // Without a branch, which would be a coin toss for the processor.
  void add_if(bool happened, Device& device, std::uint32_t id) {
    devices[count] = id;
    count += static_cast<std::uint32_t>(happened & !device.touched);
    device.touched |= happened;
  }
};

// Input ports to settle at the end of phase 3, with isolation.
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
  std::vector<std::uint64_t> wide_sets;      // [device][free inputs, free outputs, requested][word]
  std::vector<std::uint64_t> wide_requests;  // [port][word]
  std::vector<RequestList> lists;            // [first_list of the device + input * radix + output]

  std::unique_ptr<Isolation> isolation;  // null without
  Unsettled unsettled;

  bool sender_chooses;                         // the queue: most room
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
  PortSet<kWide> requests(PortId output) {
    if constexpr (!kWide) return {&ports[output].requests, 1};
    return {wide_requests.data() + static_cast<std::size_t>(output) * set_words, set_words};
  }

  Touched& touched_of(std::uint32_t device) {
    if (network.is_switch(device)) return touched_switches;
    return device < first_stage ? touched_adapters : touched_stages;
  }

  // Is there room for a packet in `target`? With most room, `target` stands for all queues of its port.
  bool has_room(std::uint32_t target) const {
    if (!sender_chooses || target == sink()) return credits[target] != 0;
    for (std::uint32_t q = 0; q < network.queue_map.queues; ++q)
      if (credits[target + q] != 0) return true;
    return false;
  }

  // With isolation: may the head of this queue, by its number at its port, not leave by its output now?
  bool is_refused(const Queue& queue, std::uint32_t number) const {
    if (number == 0 && isolation->rules().pass_when_full) return false;
    return isolation->refuses(queue.output, packets[queue.head].destination);
  }

  // The queue with most credits among those of the port whose first queue is `first`; ties go to the first at
  // or after the pointer, which moves behind the chosen one (docs/modelling.md, "Grant").
  std::uint32_t most_room(std::uint32_t first, std::uint16_t& pointer) const;

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
    const std::uint16_t next = network.output_at(port.next_switch, destination, [&] {
      return mix64(seed_mix ^ (static_cast<std::uint64_t>(source) << 32 | serial));
    });
    return {port.next_first_port + next,
            port.next_first_queue + network.queue_at(port.peer, next, destination)};
  }

  // A packet will join the queue soon; then, what its look-ahead reads.
  void prefetch_queue(std::uint32_t queue, PacketId packet) const {
    __builtin_prefetch(&queues[queue], 1);
    packets.prefetch(packet);
  }
  void prefetch_next_output(PacketId packet) const {
    __builtin_prefetch(&ports[packets[packet].next_output], 1);
  }

  // A switch of up to 64 ports will arbitrate soon: some output that it may serve, then some input that asks
  // for it. A guess: the round may choose others.
  void prefetch_output_to_serve(std::uint32_t device) const {
    __builtin_prefetch(&ports[output_to_serve(devices[device])], 1);
  }
  void prefetch_input_to_serve(std::uint32_t id) const {
    const Device& device = devices[id];
    const std::uint64_t inputs = ports[output_to_serve(device)].requests & device.free_inputs;
    __builtin_prefetch(&ports[device.first_port + lowest(inputs)]);
  }

  // The packet joins the tail of its queue, at the device that its output belongs to.
  template <bool kWide>
  [[gnu::always_inline]] void enqueue(PacketId id, Touched& touched) {
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
    const PortState& output = ports[packet.output];
    Device& device = devices[output.owner];
    add_request<kWide>(device, packet.input, queue, packet);
    touched.add_if(free_inputs<kWide>(device).contains(packet.input) &
                       free_outputs<kWide>(device).contains(output.local),
                   device, output.owner);
  }

  // The head of the input's queue leaves it; the packet behind it becomes head.
  template <bool kWide>
  PacketId pop(Device& device, std::uint32_t input, Queue& queue) {
    const PacketId id = queue.head;
    remove_request<kWide>(device, input, queue);
    queue.head = packets[id].next;
    if (--queue.length > 0) add_request<kWide>(device, input, queue, packets[queue.head]);
    return id;
  }

  // As `pop`, by weighted round robin at a port whose queues all want the same output: a queue keeps its
  // place in the request list until `weight` packets have left it in a row.
  template <bool kWide>
  PacketId pop_in_turn(Device& device, std::uint32_t input, Queue& queue, std::uint32_t weight) {
    if (queue.length == 1 || ++queue.served >= weight) {
      queue.served = 0;
      return pop<kWide>(device, input, queue);
    }
    const PacketId id = queue.head;
    queue.head = packets[id].next;
    queue.target = packets[queue.head].target;
    --queue.length;
    return id;
  }

  // Credits that share the link: of an input port of a switch, waiting for the link that leads back.
  struct PendingCredits {
    std::vector<std::uint32_t> credits_of;  // [queue]
    std::vector<std::uint32_t> next;        // [queue] with credits, of the same port
    std::vector<std::uint32_t> first;       // [port of the graph]
    std::vector<std::uint16_t> ports_with;  // [device whose links carry them]
  } pending;

  RequestList& list_of(const Device& device, std::uint32_t input, std::uint32_t output) {
    return lists[device.first_list + input * device.radix + output];
  }

 private:
  static std::uint32_t lowest(std::uint64_t ports) {
    return ports == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(ports));
  }
  PortId output_to_serve(const Device& device) const {
    return device.first_port + lowest(device.requested & device.free_outputs);
  }

  template <bool kWide>
  PortSet<kWide> set(const Device& device, std::uint64_t& narrow, std::uint32_t which) {
    if constexpr (!kWide) return {&narrow, 1};
    const auto index = static_cast<std::size_t>(&device - devices.data());
    return {wide_sets.data() + (index * 3 + which) * set_words, set_words};
  }

  template <bool kWide>
  void free_all_ports(Device& device);

  // The packet has become the head of its queue: its request joins the others of its input for that output.
  template <bool kWide>
  void add_request(Device& device, std::uint32_t input, Queue& queue, const Packet& head) {
    if (head.next != kNone) packets.prefetch(head.next);
    const std::uint32_t output = head.output - device.first_port;
    queue.output = head.output;
    queue.target = head.target;
    requests<kWide>(head.output).insert(input);
    requested<kWide>(device).insert(output);
    if (device.first_list == kNone) return;
    RequestList& list = list_of(device, input, output);
    Queue* const first_queue = first_queue_of(device, input);
    const auto number = static_cast<std::uint16_t>(&queue - first_queue);
    queue.next_request = RequestList::kEnd;
    if (list.first == RequestList::kEnd)
      list.first = number;
    else
      first_queue[list.last].next_request = number;
    list.last = number;
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
    return &queues[ports[device.first_port + input].first_queue];
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
