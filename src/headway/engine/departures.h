// SPDX-License-Identifier: Apache-2.0
// Where a granted packet goes: over the link to the next switch or, with output units, to its output queue.
// When tails arrive, and which packets a cut-through switch stores (docs/modelling.md, "Grant" and "Links
// that differ").
#pragma once

#include "headway/engine/adaptive.h"
#include "headway/engine/next_hop.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

// The arrival time of the tail of a packet in an input queue, if all links are equally fast.
inline Tick tail_arrival(const State& state, const Packet& packet, const PortState& input) {
  const Tick switchable = packet.ready - state.network.routing_delay;
  return state.network.store_and_forward
             ? switchable
             : switchable + static_cast<Tick>(packet.length) * state.ports[input.source].ticks_per_byte;
}

// Returns true if the switch behind this link, which is cut-through, stores the packet because an output that
// it can take there has a faster link.
template <EngineShape kShape>
bool will_be_stored(const State& state, const Packet& packet, const PortState& link) {
  const Network& network = state.network;
  if (!network.stores_slow_packets()) return false;
  const auto is_faster = [&](PortId output) {
    return state.ports[network.link_port(output)].ticks_per_byte < link.ticks_per_byte;
  };
  const bool is_adaptive = kShape.has_adaptive(network);
  bool has_faster = false;
  if (kShape.may_have_ends() && network.arrival_choice) {
    const RouteTable& routes = state.routes->table;
    const PortRange range = routes.at(link.next_switch, packet.destination);
    for (std::uint32_t i = 0; i < range.count; ++i)
      has_faster |=
          is_faster(link.next_first_port + routes.port(link.next_switch, packet.destination, range, i));
    return has_faster;
  }
  if (is_adaptive && network.routes.choices && packet.later.candidates > 1) {
    for_each_candidate(state, link.next_switch, packet,
                       [&](const Candidate& candidate) { has_faster |= is_faster(candidate.output); });
    return has_faster;
  }
  const PortId outputs = is_adaptive ? packet.later.candidates : 1;
  for (PortId output = packet.next_output; output < packet.next_output + outputs; ++output)
    has_faster |= is_faster(output);
  return has_faster;
}

// Moves a packet from the crossbar to its output queue; the tail follows.
template <EngineShape kShape>
[[gnu::always_inline]] inline void enter_output_queue(State& state, PacketId id) {
  Packet& packet = state.packets[id];
  packet.input = 0;
  packet.output = state.network.link_port(packet.output);
  packet.target = packet.later.target_after;
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
    packet.later.candidates = ahead.count;
    if (kShape.has_lanes(network) && network.routes.choices)
      packet.later.candidates += out.next_switch != state.switch_of(packet.destination);
  }
  const Tick header = state.wheel.now() + out.delay + network.routing_delay;
  const bool stored =
      network.store_and_forward || (kShape.may_have_rare() && will_be_stored<kShape>(state, packet, out));
  state.wheel.schedule(EventKind::arrive, stored ? header + transfer : header, packet.queue, id);
}

}  // namespace headway
