// SPDX-License-Identifier: Apache-2.0
// Credits and signals that share the links with packets (docs/modelling.md, "Feedback").
#pragma once

#include <cstdint>

#include "headway/engine/pausing.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

// Every free link of the device for which feedback waits carries all credits and one signal in one
// packet.
template <EngineShape kShape>
void send_feedback(State& state, std::uint32_t id) {
  constexpr bool kCells = kShape.may_have_cells();
  const Network& network = state.network;
  Feedback& feedback = state.feedback;
  Device& device = state.devices[id];
  Wheel& wheel = state.wheel;
  for (std::uint32_t local = 0; local < device.radix && feedback.waits(id); ++local) {
    const PortId link = device.first_port + local;
    const PortId input = network.feedback_of(link);
    const bool credits = feedback.has_credits(input);
    const bool signal = kShape.has_isolation(network) && feedback.has_signal(input);
    if (!(credits || signal) || !state.template crossbar<kShape.ports>(device).is_free_output(local))
      continue;
    PortState& output = state.ports[link];
    const PortId sender = state.ports[input].source;
    const std::uint32_t bytes = (credits ? network.credit_bytes : 0) + (signal ? network.signal_bytes() : 0);
    const Tick end = wheel.now() + static_cast<Tick>(bytes) * output.ticks_per_byte;
    if (credits)
      feedback.take_credits(id, input, [&](std::uint32_t queue, std::uint32_t freed) {
        if (state.pauses) {  // the present state of the lane
          const std::uint32_t lane = network.lane_of_queue(input, queue);
          const bool pauses = state.pauses->lane(network.lane_place(input, lane)).paused;
          wheel.schedule(EventKind::credit, end + output.delay, PauseWord{lane, pauses}.word(), sender);
          return;
        }
        const auto send = [&](const FreedRoom<kCells>& room) {
          wheel.schedule(EventKind::credit, end + output.delay, room.word(state.ports[input].first_queue),
                         sender);
        };
        // without cells, an event per credit
        if constexpr (kCells)
          for (const std::uint32_t each = kShape.has_cells(network) ? freed : 1; freed > 0; freed -= each)
            send({queue, each});
        else
          for (; freed > 0; --freed) send({queue, {}});
      });
    if (signal)
      wheel.schedule(EventKind::control, end + network.isolation->signal_delay.value_or(output.delay),
                     feedback.take_signal(id, input), sender);
    output.bytes_sent += bytes;
    if (!state.sent.empty()) state.sent[link].packet = state.sent[link].generator = kNone;
    state.template crossbar<kShape.ports>(device).take_output(local);
    wheel.schedule(EventKind::vacate, end, link, kNone);
  }
}

// Feedback shares `link`: memory at the input side of the same port is free, or (kNone) the link has finished
// carrying feedback. Rare, so kept out of the code of every tick.
template <EngineShape kShape>
[[gnu::noinline]] void vacate(State& state, PortId link, std::uint32_t freed) {
  const Network& network = state.network;
  const PortState& output = state.ports[link];
  Device& device = state.devices[output.owner];
  auto crossbar = state.template crossbar<kShape.ports>(device);
  if (freed == kNone) {
    if (!(kShape.may_have_ends() && state.keeps_output(link))) crossbar.free_output(output.local);
  } else {
    const PortId input = network.feedback_of(link);
    const std::uint32_t first_queue = state.ports[input].first_queue;
    if (kShape.may_have_ends() && network.pause) {
      const auto left = FreedRoom<true>::of(freed, first_queue);
      return leave_lane(state, input, network.lane_of_queue(input, left.queue), left.credits);
    }
    const auto room = FreedRoom<kShape.may_have_cells()>::of(freed, first_queue);
    state.feedback.add_credits(output.owner, input, room.queue, room.credits);
  }
  state.touched_of(output.owner).add_if(crossbar.is_free_output(output.local), device, output.owner);
}

}  // namespace headway
