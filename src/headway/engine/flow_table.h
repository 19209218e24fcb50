// SPDX-License-Identifier: Apache-2.0
// What switches remember of the choices of flows, so that packets of a flowlet or a message follow each other
// (docs/modelling.md, "Flowlets and messages"): a table for each switch, as switches have it (Sinha, Kandula
// and Katabi, "Harnessing TCP's burstiness with flowlet switching", HotNets 2004; Alizadeh et al., "CONGA",
// SIGCOMM 2014; Vanini et al., "Let it flow", NSDI 2017).
#pragma once

#include <cstdint>

#include "headway/base/rng.h"
#include "headway/engine/state.h"

namespace headway {

// The entry of a packet's flow in the table of a switch. Choice: a flow is a source, a destination and a
// service level, because packets of other levels take other lanes. If the table has fewer entries than there
// are flows, a hash gives several flows the same one, which they share, as in switches.
inline FlowEntry& flow_entry(State& state, SwitchId sw, const Packet& packet) {
  const Network& network = state.network;
  const FollowRule& rule = *network.follow_rule;
  const LaneRules& lanes = network.routes.lanes;
  std::uint64_t flow = std::uint64_t{packet.source} * network.nodes() + packet.destination;
  flow = flow * lanes.services() + lanes.service_of_level(packet.course.level);
  if (rule.shares) flow = (mix64(flow) >> 32) * rule.entries >> 32;
  return state.flows[std::size_t{sw} * rule.entries + flow];
}

// What an entry remembers of its last packet: its message, or when it took its output.
inline std::uint64_t remembered(const State& state, PacketId id) {
  if (!state.network.follow_rule->by_message) return static_cast<std::uint64_t>(state.wheel.now());
  return std::uint64_t{state.packets[id].source} << 32 | state.packets.origin(id).message;
}

// The output of the switch that a packet takes because others of its flow have; kNone if a flowlet or message
// begins with it, or the link of that output is down. It need not be a candidate of the packet: flows share
// entries, and routes change.
inline PortId followed_output(State& state, SwitchId sw, PacketId id) {
  const FollowRule& rule = *state.network.follow_rule;
  const FlowEntry& entry = flow_entry(state, sw, state.packets[id]);
  if (entry.output == 0) return kNone;
  const std::uint64_t now = remembered(state, id);
  if (rule.by_message ? entry.last != now : now - entry.last >= static_cast<std::uint64_t>(rule.gap))
    return kNone;
  const PortId output = state.network.first_port[sw] + entry.output - 1;
  return state.is_down(state.network.link_port(output)) ? kNone : output;
}

// A packet with several candidates has taken this output of the switch.
inline void remember_output(State& state, SwitchId sw, PacketId id, PortId output) {
  flow_entry(state, sw, state.packets[id]) = {.last = remembered(state, id),
                                              .output = output - state.network.first_port[sw] + 1};
}

}  // namespace headway
