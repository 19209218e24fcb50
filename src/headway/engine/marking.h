// SPDX-License-Identifier: Apache-2.0
// Packets that wait in a switch for an output, and the marks that they get (docs/modelling.md, "Congestion
// control"). Called only in networks with marking.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// A packet that a marking decides about: at its output, with the bytes that wait there besides it.
struct MarkAsk {
  const State& state;
  PacketId id;
  PortId output;
  std::uint64_t waits = 0;
  // MarkAt::grant: the queue that it has just left, which still counts it, and the input of this queue
  PortId input = kNone;
  std::uint32_t left_queue = kNone;

  const Packet& packet() const { return state.packets[id]; }
  std::uint64_t waiting() const { return waits; }
  std::uint32_t bytes() const { return packet().length; }
  std::uint64_t draw() const {
    return state.draw(~SwitchId{state.ports[output].owner}, packet().source, packet().serial);
  }
  bool is_notice() const { return state.is_notice(id); }

  // Returns true if the switch could send more packets behind this one, which has taken its credits.
  bool is_root() const {
    const MarkingRules& rules = state.control->marks.rules();
    const std::uint32_t target = packet().target;
    if (rules.at == MarkAt::arrival || target == state.sink() || rules.victims == VictimMask::all)
      return true;
    const PortState& port = state.ports[output];
    if (port.next_switch == kNone) return rules.victims == VictimMask::nodes || state.flow.room(target) > 0;
    const std::uint32_t channels = state.network.queue_map.channels;
    return state.flow.room_of_group(target - (target - port.next_first_queue) % channels) > 0;
  }

  // The packets of the longest root line for the output.
  std::uint64_t most_of_root_lines() const {
    const Device& device = state.devices[state.ports[output].owner];
    std::uint64_t most = 0;
    for (PortId input = device.first_port; input < device.first_port + device.radix; ++input)
      for (std::uint32_t line = 0; line < state.isolation->rules().lines; ++line) {
        if (!state.isolation->is_active(input, line)) continue;
        const Isolation::Line& seen = state.isolation->line(input, line);
        if (!seen.root || seen.output != output) continue;
        const std::uint32_t queue = state.ports[input].first_queue + 1 + line;
        most = std::max(most, std::uint64_t{state.queues[queue].length} + (queue == left_queue ? 1 : 0));
      }
    return most;
  }
  bool is_of_root_line() const {
    const std::uint32_t number = left_queue - state.ports[input].first_queue;
    return number > 0 && state.isolation->line(input, number - 1).root;
  }
};

inline void mark_if_due(State& state, std::size_t place, const MarkAsk& ask) {
  if (!state.control->marks.is_marked(place, ask)) return;
  state.packets.origin(ask.id).marked = true;
  ++state.record.marks_at[ask.output];
  ++state.record.counters.marks;
}

// A packet has arrived at a switch, or has chosen its output there.
inline void join_output(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  Marks& marks = state.control->marks;
  const std::size_t place = state.network.lane_place(packet.output, packet.course.lane);
  const Tick now = state.wheel.now();
  if (marks.rules().at == MarkAt::arrival)
    mark_if_due(state, place, {state, id, packet.output, marks.waiting_before(place, now)});
  marks.join(place, packet.length, now);
}

// A packet has left this queue of an input of its switch. Called before the port settles.
inline void leave_input(State& state, PacketId id, PortId input, std::uint32_t queue) {
  if (state.control->marks.rules().at != MarkAt::grant) return;
  const Packet& packet = state.packets[id];
  const std::size_t place = state.network.lane_place(packet.output, packet.course.lane);
  mark_if_due(state, place,
              {.state = state,
               .id = id,
               .output = packet.output,
               .waits = state.control->marks.waiting(place) - packet.length,
               .input = input,
               .left_queue = queue});
}

// A packet leaves a switch over its link.
inline void leave_output(State& state, PacketId id) {
  const Packet& packet = state.packets[id];
  Marks& marks = state.control->marks;
  const PortId output = state.network.graph_port(packet.output);
  const std::size_t place = state.network.lane_place(output, packet.course.lane);
  marks.leave(place, packet.length);
  if (marks.rules().at == MarkAt::departure)
    mark_if_due(state, place, {state, id, output, marks.waiting(place)});
}

}  // namespace headway
