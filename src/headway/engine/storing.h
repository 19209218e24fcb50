// SPDX-License-Identifier: Apache-2.0
// When tails arrive, and which packets a cut-through switch stores (docs/modelling.md, "Grant" and "Links
// that differ").
#pragma once

#include "headway/engine/adaptive.h"
#include "headway/engine/next_hop.h"
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
  if (is_adaptive && network.routes.choices && packet.candidates > 1) {
    for_each_candidate(state, link.next_switch, packet,
                       [&](const Candidate& candidate) { has_faster |= is_faster(candidate.output); });
    return has_faster;
  }
  const PortId outputs = is_adaptive ? packet.candidates : 1;
  for (PortId output = packet.next_output; output < packet.next_output + outputs; ++output)
    has_faster |= is_faster(output);
  return has_faster;
}

}  // namespace headway
