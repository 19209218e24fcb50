// SPDX-License-Identifier: Apache-2.0
// Packets in the receive memory of slow nodes, which consume them one by one (docs/modelling.md, "Slow
// nodes").
#pragma once

#include <algorithm>
#include <cstdint>

#include "headway/engine/pausing.h"
#include "headway/engine/state.h"

namespace headway {

// The lane of a packet in the receive memory of its node.
inline std::uint32_t receive_lane(const State& state, const Packet& packet) {
  return packet.target - state.network.account_of_node(packet.destination);
}

// A packet has reached a slow node, which consumes packets in this order.
inline void receive(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  if (state.pauses &&
      !join_lane(state, state.network.adapter_port(packet.destination), receive_lane(state, packet), packet))
    return lose(state, id);
  Tick& consumed = state.consumed_by[packet.destination];
  consumed =
      std::max(consumed, state.wheel.now()) + state.network.consumption(packet.destination, packet.length);
  state.wheel.schedule_at_any_distance(EventKind::deliver, consumed, id, 1);
}

// With pauses, packets join the memory of slow nodes before others leave it.
[[gnu::noinline]] inline void receive_all(State& state, const Bucket& deliveries) {
  for (const Event event : deliveries)
    if (event.b == 0 && state.is_for_slow_node(state.packets[event.a])) receive(state, event.a);
}

// A slow node has consumed a packet: with credits, they go back over the link to the node.
template <bool kCells>
void free_receive_memory(State& state, const Packet& packet) {
  const PortId input = state.network.adapter_port(packet.destination);
  if (state.pauses)
    return leave_lane(state, input, receive_lane(state, packet), state.lane_credits_of(packet));
  const PortId link = state.network.ports[input].source;
  const PortState& output = state.ports[link];
  const FreedRoom<kCells> room{packet.target, state.credits_of<kCells>(packet)};
  state.wheel.schedule(EventKind::credit, state.wheel.now() + output.delay,
                       room.word(output.next_first_queue), link);
}

}  // namespace headway
