// SPDX-License-Identifier: Apache-2.0
// Packets that wait in a switch for an output, and the marks that they get (docs/modelling.md, "Congestion
// control"). Called only in networks with marking.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// Returns true if a switch could send more packets behind this one, which has taken its credits.
inline bool is_root(const State& state, const Packet& packet, PortId output) {
  if (packet.target == state.sink()) return true;
  const VictimMask mask = state.control->marks.rules().victims;
  if (mask == VictimMask::all) return true;
  const PortState& port = state.ports[output];
  if (port.next_switch == kNone) return mask == VictimMask::nodes || state.flow.room(packet.target) > 0;
  const std::uint32_t channels = state.network.queue_map.channels;
  const std::uint32_t number = packet.target - port.next_first_queue;
  return state.flow.room_of_group(packet.target - number % channels) > 0;
}

// Isolation marking: an output is congested from when a root line for it has many packets until all have few.
// `granted`: the queue that a packet has just left, which still counts.
inline bool is_congested(State& state, PortId output, std::uint32_t granted) {
  const Device& device = state.devices[state.ports[output].owner];
  const MarkingRules& rules = state.control->marks.rules();
  bool few = true;
  for (PortId input = device.first_port; input < device.first_port + device.radix; ++input)
    for (std::uint32_t line = 0; line < state.isolation->rules().lines; ++line) {
      if (!state.isolation->is_active(input, line)) continue;
      const Isolation::Line& seen = state.isolation->line(input, line);
      if (!seen.root || seen.output != output) continue;
      const std::uint32_t queue = state.ports[input].first_queue + 1 + line;
      const std::uint64_t packets = state.queues[queue].length + (queue == granted ? 1U : 0U);
      if (packets > rules.high) return true;
      few &= packets <= rules.low;
    }
  return !few && state.control->congested[output] != 0;
}

inline bool is_of_root_line(const State& state, PortId input, std::uint32_t queue) {
  const std::uint32_t number = queue - state.ports[input].first_queue;
  return number > 0 && state.isolation->line(input, number - 1).root;
}

inline void mark(State& state, PacketId id, PortId output) {
  state.packets.origin(id).marked = true;
  ++state.record.marks_at[output];
  ++state.record.counters.marks;
}

// Marks a packet by the bytes that wait at its place.
inline void mark_by(State& state, PacketId id, PortId output, std::size_t place, std::uint64_t waiting,
                    bool root) {
  if (state.is_notice(id)) return;
  const Packet& packet = state.packets[id];
  const SwitchId sw = state.ports[output].owner;
  const auto draw = [&] { return state.draw(~sw, packet.source, packet.serial); };
  if (state.control->marks.is_marked(place, waiting, packet.length, root, draw)) mark(state, id, output);
}

// A packet has arrived at a switch, or has chosen its output there.
inline void join_output(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  Marks& marks = state.control->marks;
  const std::size_t place = state.network.lane_place(packet.output, packet.course.lane);
  const Tick now = state.wheel.now();
  if (marks.rules().on_arrival)
    mark_by(state, id, packet.output, place, marks.waiting_before(place, now), true);
  marks.join(place, packet.length, now);
}

// With isolation marking: a packet has left this queue of an input of its switch. Called before the port
// settles.
inline void mark_isolated(State& state, PacketId id, PortId input, std::uint32_t queue) {
  Control& control = *state.control;
  if (control.marks.rules().by != MarkBy::isolation) return;
  const Packet& packet = state.packets[id];
  const bool congested = is_congested(state, packet.output, queue);
  control.congested[packet.output] = congested ? 1 : 0;
  if (congested && !state.is_notice(id) && is_of_root_line(state, input, queue) &&
      control.marks.counts(state.network.lane_place(packet.output, packet.course.lane)))
    mark(state, id, packet.output);
}

// A packet leaves a switch over its link.
inline void leave_output(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  Marks& marks = state.control->marks;
  const PortId output = state.network.graph_port(packet.output);
  const std::size_t place = state.network.lane_place(output, packet.course.lane);
  marks.leave(place, packet.length);
  if (marks.rules().on_arrival || marks.rules().by == MarkBy::isolation) return;
  mark_by(state, id, output, place, marks.waiting(place), is_root(state, packet, output));
}

}  // namespace headway
