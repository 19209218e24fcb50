// SPDX-License-Identifier: Apache-2.0
// Everything of a run that changes, and the few operations on queues, requests and credits that change it.
// All memory is taken at the start, except what grows with the packets that exist. Records are made so that a
// hop touches few cache lines: one per device, one per port, one per packet (device.h, packet.h).
//
// Invariants: an input requests an output at its device's crossbar iff one of its queues has a head that
// wants it. With request lists, list (i, o) holds exactly those queues, in the order in which their heads
// became head. credits[q] + packets on their way to q + length of q + credits on their way back = capacity.
// With pooled memory the same holds per port: the credits of its first queue stand for its whole memory.
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
#include "headway/engine/crossbar.h"
#include "headway/engine/device.h"
#include "headway/engine/feedback.h"
#include "headway/engine/network.h"
#include "headway/engine/packet.h"
#include "headway/engine/record.h"
#include "headway/engine/shape.h"
#include "headway/engine/wheel.h"

namespace headway {

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
  State(const Network& network, PortCount port_count, std::uint64_t seed);

  const Network& network;
  PortCount port_count;    // the form of all crossbars
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
  std::vector<std::uint64_t> wide_sets;      // of crossbars with many ports: [device][set][word]
  std::vector<std::uint64_t> wide_requests;  // likewise: [port][word]
  std::vector<RequestList> lists;            // [first_list of the device + input * radix + output]

  std::unique_ptr<Isolation> isolation;  // null without
  std::unique_ptr<Overflow> overflow;    // null without
  Unsettled unsettled;
  Feedback feedback;

  std::uint16_t most_leaves;              // slots that any packet must leave free
  std::vector<RequestList> unbound;       // [port] an input's queues whose heads have no output
  std::vector<std::uint16_t> served;      // [queue] weighted round robin: packets in a row
  bool chooses_now = false;               // in the round, for FreeOutput::now
  bool needs_spare_credit = false;        // an output is free only with a credit for each that waits there
  bool shorter_queue_frees = false;       // packets for several queues behind a link wait in one output queue
  Marked<&Device::asks> asking_switches;  // else before the rounds, and again after them
  std::vector<std::uint16_t> queue_of_output;  // [local output] of a switch without request lists

  std::uint32_t sink() const { return network.queues; }  // the queue of all destination nodes, in `credits`

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
  template <bool kRare = true>
  bool head_has_room(const Queue& queue, std::uint32_t channels) const {
    return has_room(queue.target, channels, kRare ? slots_to_leave(queue) : 0);
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
    if (chooses_now && !crossbar<kShape.ports>(device).is_free_output(output - device.first_port))
      return false;
    if (!has_room(target, network.queue_map.channels)) return false;
    if (kShape.has_cioq(network)) {
      const std::uint32_t output_first = output_queue(output, target);
      if (!has_room(output_first, device.channels)) return false;
      if (needs_spare_credit && target != sink()) {
        std::uint32_t waiting = 0;
        for (std::uint32_t c = 0; c < device.channels; ++c) waiting += queues[output_first + c].length;
        return waiting < room_in(target);
      }
    }
    return true;
  }

  // Since when a packet counts as waiting, for arbiters by age.
  Tick age_of(const Packet& packet) const {
    return network.arbiter == ArbiterKind::oldest_injected ? packet.injected : packet.ready;
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
    constexpr PortCount kPorts = kShape.ports;
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
    if (kShape.has_adaptive(network) && packet.output == kNone) {
      const std::uint32_t owner = ports[packet.next_output].owner;
      add_unbound<kPorts>(devices[owner], packet.input, packet.queue);
      ask(true, devices[owner], owner);
      return;
    }
    const PortState& output = ports[packet.output];
    Device& device = devices[output.owner];
    add_request<kPorts>(device, packet.input, packet.queue, packet);
    touch<kPorts>(output, device, packet.input, touched);
  }

  // The head of the input's queue leaves it; the packet behind it becomes head.
  template <EngineShape kShape>
  [[gnu::always_inline]] PacketId pop(Device& device, std::uint32_t input, std::uint32_t queue_id) {
    constexpr PortCount kPorts = kShape.ports;
    Queue& queue = queues[queue_id];
    const PacketId id = queue.head;
    remove_request<kPorts>(device, input, queue_id);
    queue.head = packets[id].next;
    if (--queue.length == 0) return id;
    if (kShape.has_adaptive(network) && packets[queue.head].output == kNone) {
      add_unbound<kPorts>(device, input, queue_id);
      // by FreeOutput::now it asks only when its input is free again
      asking_switches.add_if(!chooses_now, device, ports[device.first_port].owner);
    } else {
      add_request<kPorts>(device, input, queue_id, packets[queue.head]);
    }
    return id;
  }

  // As `pop`, by weighted round robin at a port whose queues all want the same output: a queue keeps its
  // place in the request list until `weight` packets have left it in a row.
  template <EngineShape kShape>
  PacketId pop_in_turn(Device& device, std::uint32_t input, std::uint32_t queue_id, std::uint32_t weight) {
    Queue& queue = queues[queue_id];
    if (queue.length == 1 || ++served[queue_id] >= weight) {
      served[queue_id] = 0;
      return pop<kShape>(device, input, queue_id);
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
  [[gnu::always_inline]] void bind(Device& device, std::uint32_t input, std::uint32_t queue_id,
                                   PortId output) {
    Queue& queue = queues[queue_id];
    if (unlink(unbound[device.first_port + input], device, input, queue_id))
      crossbar<kShape.ports>(device).unbound().erase(input);
    Packet& packet = packets[queue.head];
    packet.output = output;
    packet.target = queue_behind(output, packet.destination);
    if (kShape.has_cioq(network)) {
      packet.target_after = packet.target;
      packet.target = output_queue(output, packet.target);
    }
    const bool to_node = packet.target == sink();
    if (device.channels > 1 && !to_node)
      packet.target = choose_channel(packet.target, ports[output].next_queue);
    if (!to_node) --credits[packet.target];
    add_request<kShape.ports>(device, input, queue_id, packet);
    queue.target = sink();
  }

  // An input requests an output: its device has a round in this tick if both are free.
  template <PortCount kPorts>
  [[gnu::always_inline]] void touch(const PortState& output, Device& device, std::uint32_t input,
                                    Touched& touched) {
    auto its = crossbar<kPorts>(device);
    touched.add_if(its.is_free_input(input) & its.is_free_output(output.local), device, output.owner);
  }

  // A queue by its number at an input.
  std::uint32_t queue_of(const Device& device, std::uint32_t input, std::uint32_t number) const {
    return number + (device.queues_per_input != 0 ? device.first_queue + input * device.queues_per_input
                                                  : ports[device.first_port + input].first_queue);
  }

  // The first queue of an input that requests an output, or whose head has no output; those behind it by
  // Queue::next_request. If there is none, any queue of the input that once did.
  std::uint32_t first_request(const Device& device, std::uint32_t input, std::uint32_t output) const {
    if (device.first_list == kNone) return queue_of(device, input, queue_of_output[output]);
    return queue_ending(lists[list_index(device, input, output)].first, device, input);
  }
  std::uint32_t first_unbound(const Device& device, std::uint32_t input) const {
    return queue_ending(unbound[device.first_port + input].first, device, input);
  }

  void fetch_requests(const Device& device, std::uint32_t input, std::uint32_t output) const {
    if (device.first_list != kNone) fetch(&lists[list_index(device, input, output)]);
  }

 private:
  static std::size_t list_index(const Device& device, std::uint32_t input, std::uint32_t output) {
    return device.first_list + input * device.radix + output;
  }
  RequestList& list_of(const Device& device, std::uint32_t input, std::uint32_t output) {
    return lists[list_index(device, input, output)];
  }

  void lay_out();
  void connect(PortId id);
  void set_up(std::uint32_t id);
  void empty_lists();
  void make_pools();
  template <PortCount kPorts>
  void free_all_ports(Device& device);

  // The packet has become the head of its queue: its request joins the others of its input for that output.
  template <PortCount kPorts>
  [[gnu::always_inline]] void add_request(Device& device, std::uint32_t input, std::uint32_t queue_id,
                                          const Packet& head) {
    if (head.next != kNone) packets.fetch(head.next);
    const std::uint32_t output = head.output - device.first_port;
    Queue& queue = queues[queue_id];
    queue.output = head.output;
    queue.target = head.target;
    auto its = crossbar<kPorts>(device);
    if (device.first_list != kNone)
      append(list_of(device, input, output), its.requests(input, output), device, input, queue_id);
    its.request(input, output);
  }

  template <PortCount kPorts>
  void add_unbound(Device& device, std::uint32_t input, std::uint32_t queue_id) {
    queues[queue_id].output = kNone;
    auto inputs = crossbar<kPorts>(device).unbound();
    append(unbound[device.first_port + input], inputs.contains(input), device, input, queue_id);
    inputs.insert(input);
  }

  template <PortCount kPorts>
  [[gnu::always_inline]] void remove_request(Device& device, std::uint32_t input, std::uint32_t queue_id) {
    const std::uint32_t output = queues[queue_id].output - device.first_port;
    if (device.first_list == kNone || unlink(list_of(device, input, output), device, input, queue_id))
      crossbar<kPorts>(device).withdraw(input, output);
  }

  void append(RequestList& list, bool has_others, const Device& device, std::uint32_t input,
              std::uint32_t queue_id) {
    const auto end = static_cast<std::uint16_t>(queue_id);
    queues[queue_id].next_request = kNone;
    if (has_others)
      queues[queue_ending(list.last, device, input)].next_request = queue_id;
    else
      list.first = end;
    list.last = end;
  }

  // Was it the only one? Then the list keeps it.
  bool unlink(RequestList& list, const Device& device, std::uint32_t input, std::uint32_t queue_id) {
    const std::uint32_t next = queues[queue_id].next_request;
    if (list.first == static_cast<std::uint16_t>(queue_id)) {
      if (next == kNone) return true;
      list.first = static_cast<std::uint16_t>(next);
      return false;
    }
    std::uint32_t before = queue_ending(list.first, device, input);
    while (queues[before].next_request != queue_id) before = queues[before].next_request;
    queues[before].next_request = next;
    if (next == kNone) list.last = static_cast<std::uint16_t>(before);
    return false;
  }

  // The queue of an input whose id has these last bits.
  std::uint32_t queue_ending(std::uint16_t bits, const Device& device, std::uint32_t input) const {
    const std::uint32_t first = queue_of(device, input, 0);
    return first + static_cast<std::uint16_t>(bits - first);
  }
};

}  // namespace headway
