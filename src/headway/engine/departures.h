// SPDX-License-Identifier: Apache-2.0
// Where a granted packet goes: over the link to the next switch or, with output units, to its output queue.
#pragma once

#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"
#include "headway/engine/storing.h"

namespace headway {

// Moves a packet from the crossbar to its output queue; the tail follows.
template <EngineShape kShape>
[[gnu::always_inline]] inline void enter_output_queue(State& state, PacketId id) {
  Packet& packet = state.packets[id];
  packet.input = 0;
  packet.output = state.network.link_port(packet.output);
  packet.target = packet.target_after;
  packet.ready = state.wheel.now();
  enqueue<kShape>(state, id, state.touched_output_units);
}

// Sends a packet over the link of an output to the next switch.
template <EngineShape kShape>
[[gnu::always_inline]] inline void send(State& state, PacketId id, const PortState& out, Tick transfer) {
  const Network& network = state.network;
  Packet& packet = state.packets[id];
  packet.input = out.next_local;
  if (kShape.has_adaptive(network)) {
    const PortRange ahead = network.routes.table.at(out.next_switch, packet.destination);
    packet.next_output = out.next_first_port + ahead.first;
    packet.candidates = ahead.count;
    if (kShape.has_lanes(network) && network.routes.choices)
      packet.candidates += out.next_switch != state.switch_of(packet.destination);
  }
  const Tick header = state.wheel.now() + out.delay + network.routing_delay;
  const bool stored =
      network.store_and_forward || (kShape.may_have_rare() && will_be_stored<kShape>(state, packet, out));
  state.wheel.schedule(EventKind::arrive, stored ? header + transfer : header, packet.queue, id);
}

}  // namespace headway
