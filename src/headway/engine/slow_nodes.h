// SPDX-License-Identifier: Apache-2.0
// Packets in the receive memory of slow nodes, which consume them one by one (docs/modelling.md, "Slow
// nodes").
#pragma once

#include <algorithm>
#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// A packet has reached a slow node, which consumes packets in this order.
inline void receive(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  Tick& consumed = state.consumed_by[packet.destination];
  consumed =
      std::max(consumed, state.wheel.now()) + state.network.consumption(packet.destination, packet.length);
  state.wheel.schedule_at_any_distance(EventKind::deliver, consumed, id, 1);
}

// A slow node has consumed a packet: its credits go back over the link to the node.
template <bool kCells>
void return_credits_of_node(State& state, const Packet& packet) {
  const PortId link = state.network.ports[state.network.adapter_port(packet.destination)].source;
  const PortState& output = state.ports[link];
  const FreedRoom<kCells> room{packet.target, state.credits_of<kCells>(packet)};
  state.wheel.schedule(EventKind::credit, state.wheel.now() + output.delay,
                       room.word(output.next_first_queue), link);
}

}  // namespace headway
