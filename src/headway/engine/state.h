// SPDX-License-Identifier: Apache-2.0
// Everything of a run that changes, and the few operations on queues, requests and credits that change it.
// All memory is taken at the start, except what grows with the packets that exist.
//
// Invariants: `requested(d)` holds output o iff some input is in `requests(port of o)`; an input is there iff
// one of its queues has a head that wants o. With request lists, list (i, o) holds exactly those queues, in
// the order in which their heads became head. credits[q] + packets on their way to q + length of q + credits
// on their way back = capacity.
#pragma once

#include <cstdint>
#include <vector>

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
  std::uint16_t output = 0;        // of the head
  std::uint16_t next_request = 0;  // behind it in its request list
  std::uint16_t length = 0;
  std::uint16_t longest = 0;  // since the last reset
};

struct OutputState {
  std::uint64_t requests = 0;       // inputs that request this output, for up to 64 ports
  std::uint16_t next_input = 0;     // round-robin pointer
  std::uint16_t next_queue = 0;     // most room: pointer among the next input's queues
  std::uint16_t serving_input = 0;  // of the transfer in progress
  std::uint32_t serving_queue = 0;  // global id; of the transfer in progress
};

// The queues of one input that request one output, first to last, linked by Queue::next_request.
struct RequestList {
  static constexpr std::uint16_t kEnd = 0xffff;
  std::uint16_t first = kEnd;
  std::uint16_t last = kEnd;
};

// What a device needs at hand in every round. The sets are here for up to 64 ports, else in State::wide_sets.
struct Device {
  std::uint64_t free_inputs = 0;
  std::uint64_t free_outputs = 0;
  std::uint64_t requested = 0;  // outputs
  PortId first_port = 0;
  std::uint32_t first_list = kNone;  // kNone: its inputs have at most one queue per output
  std::uint16_t radix = 0;
  std::uint16_t first_output = 0;  // where its next round starts
  std::uint32_t touched = 0;       // something happened to it in this tick
};

// Devices to look at, in memory taken beforehand.
struct Touched {
  std::vector<std::uint32_t> list;  // the first `count`
  std::uint32_t count = 0;

  void add(std::uint32_t device) { list[count++] = device; }
};

struct State {
  State(const Network& network, std::uint64_t seed);

  const Network& network;
  const Port* ports;       // of the network
  std::uint64_t seed_mix;  // mix64(seed): part of every packet's salt
  Wheel wheel;
  PacketPool packets;
  Record record;
  std::vector<Queue> queues;           // [queue]
  std::vector<std::uint16_t> credits;  // [queue], held by its sender; one more for the sinks, never used up
  std::vector<OutputState> outputs;    // [port]
  std::vector<Device> devices;         // [device]
  Touched touched;                      // switches and adapters to arbitrate at the end of this tick
  Touched touched_stages;               // output stages, after them: they see what the crossbars have granted
  std::uint32_t set_words;  // 64-bit words per set of ports
  std::vector<std::uint64_t>
      wide_sets;  // [device][free inputs, free outputs, requested][word], if several words
  std::vector<std::uint64_t> wide_requests;  // [port][word], if several words
  std::vector<RequestList> lists;            // [first_list of the device + input * radix + output]

  std::uint32_t first_stage;                   // the first device that is an output stage
  bool sender_chooses;                         // the queue: most room
  std::vector<std::uint16_t> queue_of_output;  // [local output] of a switch without request lists

  std::uint32_t sink() const { return network.queues; }  // the queue of all destination nodes, in `credits`

  template <bool kWide>
  PortSet<kWide> free_inputs(std::uint32_t device) {
    return set<kWide>(devices[device].free_inputs, device, 0);
  }
  template <bool kWide>
  PortSet<kWide> free_outputs(std::uint32_t device) {
    return set<kWide>(devices[device].free_outputs, device, 1);
  }
  template <bool kWide>
  PortSet<kWide> requested(std::uint32_t device) {
    return set<kWide>(devices[device].requested, device, 2);
  }
  template <bool kWide>
  PortSet<kWide> requests(PortId output) {
    if constexpr (!kWide) return {&outputs[output].requests, 1};
    return {wide_requests.data() + static_cast<std::size_t>(output) * set_words, set_words};
  }

  void touch(std::uint32_t device) {
    if (devices[device].touched != 0) return;
    devices[device].touched = 1;
    (device < first_stage ? touched : touched_stages).add(device);
  }

  // Is there room for a packet in `target`? With most room, `target` stands for all queues of its port.
  bool has_room(std::uint32_t target) const {
    if (!sender_chooses || target == sink()) return credits[target] != 0;
    for (std::uint32_t q = 0; q < network.queue_map.queues; ++q)
      if (credits[target + q] != 0) return true;
    return false;
  }

  // The queue with most credits among those of the port whose first queue is `first`; ties go to the first at
  // or after the pointer, which moves behind the chosen one (docs/modelling.md, "Grant").
  std::uint32_t most_room(std::uint32_t first, std::uint16_t& pointer) const;

  // Where a packet will go after the switch whose input `port` it is about to enter, wanting `packet.output` there.
  void look_ahead(Packet& packet) const {
    const PortId peer = ports[devices[ports[packet.port].owner].first_port + packet.output].peer;
    if (!network.has_output_stages()) {
      packet.target = look_beyond(packet, peer, ports[peer]);
      return;
    }
    // through the output stage: its queue has the number of the next switch's queue
    const Port& stage = ports[peer];
    const Port& next = ports[stage.peer];
    packet.target_after = look_beyond(packet, stage.peer, next);
    packet.target = stage.first_queue + (packet.target_after == sink() ? 0 : packet.target_after - next.first_queue);
  }
  std::uint64_t salt(NodeId source, std::uint32_t serial) const {
    return mix64(seed_mix ^ (static_cast<std::uint64_t>(source) << 32 | serial));
  }

  // The packet joins the tail of its queue, at its port.
  template <bool kWide>
  void enqueue(PacketId id) {
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
    add_request<kWide>(packet);
    const Port& port = ports[packet.port];
    if (free_inputs<kWide>(port.owner).contains(port.local) &&
        free_outputs<kWide>(port.owner).contains(packet.output))
      touch(port.owner);
  }

  // The packet has become the head of its queue: its request joins the others of its input for that output.
  template <bool kWide>
  void add_request(const Packet& packet) {
    Queue& queue = queues[packet.queue];
    const Port& port = ports[packet.port];
    queue.output = packet.output;
    queue.target = packet.target;
    requests<kWide>(devices[port.owner].first_port + packet.output).insert(port.local);
    requested<kWide>(port.owner).insert(packet.output);
    if (devices[port.owner].first_list == kNone) return;
    RequestList& list = list_of(port, packet.output);
    const auto local = static_cast<std::uint16_t>(packet.queue - port.first_queue);
    queue.next_request = RequestList::kEnd;
    if (list.first == RequestList::kEnd)
      list.first = local;
    else
      queues[port.first_queue + list.last].next_request = local;
    list.last = local;
  }

  // The head of the queue leaves it; the packet behind it becomes head.
  template <bool kWide>
  PacketId pop(const Port& port, std::uint32_t queue_id) {
    Queue& queue = queues[queue_id];
    const PacketId id = queue.head;
    remove_request<kWide>(port, queue_id);
    queue.head = packets[id].next;
    if (--queue.length > 0) add_request<kWide>(packets[queue.head]);
    return id;
  }

  RequestList& list_of(const Port& port, std::uint32_t output) {
    return lists[devices[port.owner].first_list + port.local * devices[port.owner].radix + output];
  }

 private:
  // The queue that a packet enters behind a link, having chosen the output it will want there.
  std::uint32_t look_beyond(Packet& packet, PortId peer, const Port& input) const {
    if (network.is_adapter_port(peer)) return sink();
    packet.next_output = network.output_at(input.owner, packet.destination,
                                           [&] { return salt(packet.source, packet.serial); });
    return input.first_queue + network.queue_at(peer, packet.next_output, packet.destination);
  }

  template <bool kWide>
  PortSet<kWide> set(std::uint64_t& narrow, std::uint32_t device, std::uint32_t which) {
    if constexpr (!kWide) return {&narrow, 1};
    return {wide_sets.data() + (static_cast<std::size_t>(device) * 3 + which) * set_words, set_words};
  }

  template <bool kWide>
  void remove_request(const Port& port, std::uint32_t queue_id) {
    const std::uint16_t output = queues[queue_id].output;
    if (devices[port.owner].first_list != kNone) {
      unlink(list_of(port, output), port, static_cast<std::uint16_t>(queue_id - port.first_queue));
      if (list_of(port, output).first != RequestList::kEnd) return;
    }
    PortSet<kWide> inputs = requests<kWide>(devices[port.owner].first_port + output);
    inputs.erase(port.local);
    if (inputs.empty()) requested<kWide>(port.owner).erase(output);
  }

  void unlink(RequestList& list, const Port& port, std::uint16_t local);
};

}  // namespace headway
