// SPDX-License-Identifier: Apache-2.0
// Lanes that pause their senders (docs/modelling.md, "Pauses"): what the engine does in addition when a
// packet joins or leaves the memory of a lane, and when a pause or a resume reaches the sender. Called only
// in networks whose flow control is by pauses.
#pragma once

#include <cstdint>

#include "headway/engine/inspect.h"
#include "headway/engine/state.h"

namespace headway {

// A pause or a resume on its way to a sender, as a word of an event.
struct PauseWord {
  std::uint32_t lane;
  bool pauses;

  std::uint32_t word() const { return lane << 1 | (pauses ? 1 : 0); }
  static PauseWord of(std::uint32_t word) { return {word >> 1, (word & 1) != 0}; }
};

// A lane of an input port, or of the node behind it, tells its sender that it pauses or resumes.
inline void tell_sender(State& state, PortId input, std::uint32_t lane, bool pauses) {
  const PortState& port = state.ports[input];
  if (state.network.credit_bytes > 0) {
    const PortState& link = state.ports[state.network.link_port(input)];
    Device& device = state.devices[link.owner];
    const std::uint32_t number = lane * state.network.queues_per_lane(input);
    if (!state.feedback.has_credits_of(port.first_queue + number))
      state.feedback.add_credits(link.owner, input, port.first_queue + number, 1);
    state.touched_of(link.owner).add_if(true, device, link.owner);
    return;
  }
  const Tick delay = Wheel::delay_or(state.network.pause->delay, port.credit_delay);
  state.wheel.schedule(EventKind::credit, state.wheel.now() + delay, PauseWord{lane, pauses}.word(),
                       port.source);
}

// Returns false if the lane has no room for the packet.
inline bool join_lane(State& state, PortId input, std::uint32_t lane, const Packet& packet) {
  const std::uint32_t credits = state.lane_credits_of(packet);
  const Pauses::Joined joined =
      state.pauses->join(state.network.lane_place(input, lane), credits, state.wheel.now());
  if (joined == Pauses::Joined::pauses) tell_sender(state, input, lane, true);
  if (joined != Pauses::Joined::lost) return true;
  if (!state.network.pause->loses)
    throw InvariantError(fail_text(state, "no room for a packet in " + place_of(state.network, input), lane));
  return false;
}

inline void leave_lane(State& state, PortId input, std::uint32_t lane, std::uint32_t credits) {
  if (state.pauses->leave(state.network.lane_place(input, lane), credits, state.wheel.now()))
    tell_sender(state, input, lane, false);
}

// A packet has arrived at a switch. Returns false if there is no room for it.
[[gnu::noinline]] inline bool join_lane_of_switch(State& state, const Packet& packet) {
  const PortId input = state.devices[state.ports[packet.next_output].owner].first_port + packet.input;
  return join_lane(state, input, state.network.lane_of_queue(input, packet.queue), packet);
}

// A packet is lost. Nobody sends it again.
inline void lose(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  if (state.limiter != nullptr && state.is_notice(id))
    state.limiter->notices.take(packet.source, packet.serial);
  else
    state.record.counters.bytes_lost += packet.length;
  ++state.record.counters.packets_lost;
  --state.record.packets_in_network;
  state.packets.release(id);
}

// The sender of a link obeys a pause or a resume from now on.
inline void obey(State& state, PauseWord told, PortId sender) {
  const PortState& output = state.ports[sender];
  const Network& network = state.network;
  if (state.pauses->hold_sender(network.lane_place(output.peer, told.lane), told.pauses, state.wheel.now())) {
    state.record.counters.pauses += told.pauses ? 1 : 0;
    told.pauses ? ++state.record.paused_lanes : --state.record.paused_lanes;
  }
  const bool to_node = output.next_switch == kNone;
  const std::uint32_t queues = to_node ? 1 : network.queues_per_lane(output.peer);
  state.flow.open(output.next_first_queue + told.lane * queues, queues, !told.pauses);
}

// With pauses: what senders have been told takes effect. Calls wake(sender) for each that may go on.
template <class Wake>
[[gnu::noinline]] void obey_all(State& state, const Bucket& told, Wake&& wake) {
  for (const Event event : told) {
    const PauseWord word = PauseWord::of(event.a);
    obey(state, word, event.b);
    if (!word.pauses) wake(event.b);
  }
}

}  // namespace headway
