// SPDX-License-Identifier: Apache-2.0
// Operations on queues and on the requests of their heads. A packet joins a queue at the tail. When it
// becomes the head, its input requests the output it needs. An input with several queues keeps a list per
// output of the queues whose heads need it. With adaptive routing it keeps one more list, of queues whose
// heads have no output yet.
#pragma once

#include <cstdint>

#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

// The id of a queue, from its number at an input.
inline std::uint32_t queue_of(const State& state, const Device& device, std::uint32_t input,
                              std::uint32_t number) {
  return number + (device.queues_per_input != 0 ? device.first_queue + input * device.queues_per_input
                                                : state.ports[device.first_port + input].first_queue);
}

// The queue of an input whose id has these last 16 bits (RequestList). The ids of an input's queues are
// consecutive, and there are fewer than 65,536:
//
//     id      first ............ wanted          wanted = first + (bits - first) mod 65,536
//     bits      .                 bits
inline std::uint32_t queue_ending(const State& state, std::uint16_t bits, const Device& device,
                                  std::uint32_t input) {
  const std::uint32_t first = queue_of(state, device, input, 0);
  return first + static_cast<std::uint16_t>(bits - first);
}

inline std::size_t list_index(const Device& device, std::uint32_t input, std::uint32_t output) {
  return device.first_list + input * device.radix + output;
}

// The first queue of an input that requests an output, or whose head has no output; Queue::next_request gives
// the others. If there is none, returns any queue of the input that was in the list before.
inline std::uint32_t first_request(const State& state, const Device& device, std::uint32_t input,
                                   std::uint32_t output) {
  if (device.first_list == kNone) return queue_of(state, device, input, state.queue_of_output[output]);
  return queue_ending(state, state.lists[list_index(device, input, output)].first, device, input);
}
inline std::uint32_t first_unbound(const State& state, const Device& device, std::uint32_t input) {
  return queue_ending(state, state.unbound[device.first_port + input].first, device, input);
}

// Appends a queue of the input to a list. `has_others`: the list is not empty.
inline void append(State& state, RequestList& list, bool has_others, const Device& device,
                   std::uint32_t input, std::uint32_t queue) {
  const auto end = static_cast<std::uint16_t>(queue);
  state.queues[queue].next_request = kNone;
  if (has_others)
    state.queues[queue_ending(state, list.last, device, input)].next_request = queue;
  else
    list.first = end;
  list.last = end;
}

// Takes a queue out of a list. Returns true if it was the only one; the list is then left unchanged.
inline bool unlink(State& state, RequestList& list, const Device& device, std::uint32_t input,
                   std::uint32_t queue) {
  const std::uint32_t next = state.queues[queue].next_request;
  if (list.first == static_cast<std::uint16_t>(queue)) {
    if (next == kNone) return true;
    list.first = static_cast<std::uint16_t>(next);
    return false;
  }
  std::uint32_t before = queue_ending(state, list.first, device, input);
  while (state.queues[before].next_request != queue) before = state.queues[before].next_request;
  state.queues[before].next_request = next;
  if (next == kNone) list.last = static_cast<std::uint16_t>(before);
  return false;
}

// The packet has become the head of its queue; adds its request to those of its input for this output.
template <PortCount kPorts>
[[gnu::always_inline]] inline void add_request(State& state, Device& device, std::uint32_t input,
                                               std::uint32_t queue_id, const Packet& head) {
  if (head.next != kNone) state.packets.fetch(head.next);
  const std::uint32_t output = head.output - device.first_port;
  Queue& queue = state.queues[queue_id];
  queue.output = head.output;
  queue.target = head.target;
  auto crossbar = state.crossbar<kPorts>(device);
  if (device.first_list != kNone)
    append(state, state.lists[list_index(device, input, output)], crossbar.requests(input, output), device,
           input, queue_id);
  crossbar.request(input, output);
}

template <PortCount kPorts>
[[gnu::always_inline]] inline void remove_request(State& state, Device& device, std::uint32_t input,
                                                  std::uint32_t queue) {
  const std::uint32_t output = state.queues[queue].output - device.first_port;
  if (device.first_list == kNone ||
      unlink(state, state.lists[list_index(device, input, output)], device, input, queue))
    state.crossbar<kPorts>(device).withdraw(input, output);
}

// The head of the queue has no output yet.
template <PortCount kPorts>
inline void add_unbound(State& state, Device& device, std::uint32_t input, std::uint32_t queue) {
  state.queues[queue].output = kNone;
  auto inputs = state.crossbar<kPorts>(device).unbound();
  append(state, state.unbound[device.first_port + input], inputs.contains(input), device, input, queue);
  inputs.insert(input);
}

// Marks a switch whose heads without an output may find one free at the end of this tick.
inline void ask(State& state, bool happened, Device& device, std::uint32_t id) {
  if (state.chooses_now)
    state.touched_switches.add_if(happened, device, id);
  else
    state.asking_switches.add_if(happened, device, id);
}

// Marks the device for a round in this tick if the input and the output of a new request are free.
template <PortCount kPorts>
[[gnu::always_inline]] inline void touch(State& state, const PortState& output, Device& device,
                                         std::uint32_t input, Touched& touched) {
  auto crossbar = state.crossbar<kPorts>(device);
  touched.add_if(crossbar.is_free_input(input) & crossbar.is_free_output(output.local), device, output.owner);
}

// The packet joins the tail of its queue at the device that owns its output.
template <EngineShape kShape>
[[gnu::always_inline]] inline void enqueue(State& state, PacketId id, Touched& touched) {
  constexpr PortCount kPorts = kShape.ports;
  Packet& packet = state.packets[id];
  Queue& queue = state.queues[packet.queue];
  packet.next = kNone;
  if (kShape.counts_cells(state.network))
    state.cells_in[packet.queue] =
        static_cast<std::uint16_t>(state.cells_in[packet.queue] + state.credits_of<true>(packet));
  if (++queue.length > queue.longest) queue.longest = queue.length;
  if (queue.length > 1) {
    state.packets[queue.tail].next = id;
    queue.tail = id;
    return;
  }
  queue.head = queue.tail = id;
  if (kShape.has_adaptive(state.network) && packet.output == kNone) {
    const std::uint32_t owner = state.ports[packet.next_output].owner;
    add_unbound<kPorts>(state, state.devices[owner], packet.input, packet.queue);
    ask(state, true, state.devices[owner], owner);
    return;
  }
  const PortState& output = state.ports[packet.output];
  Device& device = state.devices[output.owner];
  add_request<kPorts>(state, device, packet.input, packet.queue, packet);
  touch<kPorts>(state, output, device, packet.input, touched);
}

// A packet leaves a queue, and the cells that it takes are no longer counted there.
template <EngineShape kShape>
[[gnu::always_inline]] inline void take_cells(State& state, std::uint32_t queue, PacketId id) {
  if (kShape.counts_cells(state.network))
    state.cells_in[queue] =
        static_cast<std::uint16_t>(state.cells_in[queue] - state.credits_of<true>(state.packets[id]));
}

// Removes the head of the input's queue; the packet behind it becomes the head.
template <EngineShape kShape>
[[gnu::always_inline]] inline PacketId pop(State& state, Device& device, std::uint32_t input,
                                           std::uint32_t queue_id) {
  constexpr PortCount kPorts = kShape.ports;
  Queue& queue = state.queues[queue_id];
  const PacketId id = queue.head;
  remove_request<kPorts>(state, device, input, queue_id);
  take_cells<kShape>(state, queue_id, id);
  queue.head = state.packets[id].next;
  if (--queue.length == 0) return id;
  if (kShape.has_adaptive(state.network) && state.packets[queue.head].output == kNone) {
    add_unbound<kPorts>(state, device, input, queue_id);
    // with FreeOutput::now, the head asks only when its input is free again
    state.asking_switches.add_if(!state.chooses_now, device, state.ports[device.first_port].owner);
  } else {
    add_request<kPorts>(state, device, input, queue_id, state.packets[queue.head]);
  }
  return id;
}

// As `pop`, by weighted round robin at a port whose queues all want the same output: a queue keeps its place
// in the request list until `weight` packets have left it in a row.
template <EngineShape kShape>
inline PacketId pop_in_turn(State& state, Device& device, std::uint32_t input, std::uint32_t queue_id,
                            std::uint32_t weight) {
  Queue& queue = state.queues[queue_id];
  if (queue.length == 1 || ++state.served[queue_id] >= weight) {
    state.served[queue_id] = 0;
    return pop<kShape>(state, device, input, queue_id);
  }
  const PacketId id = queue.head;
  take_cells<kShape>(state, queue_id, id);
  queue.head = state.packets[id].next;
  queue.target = state.packets[queue.head].target;
  --queue.length;
  return id;
}

}  // namespace headway
