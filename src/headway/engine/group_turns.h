// SPDX-License-Identifier: Apache-2.0
// Round robin among the inputs that wait for room in the same group of queues behind an output
// (docs/modelling.md, "Arbitrate"). Called only if there are several groups (Layout::has_group_pointers).
#pragma once

#include <cstdint>

#include "headway/arbitration/arbiters.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

// The first input from `first` on with a request that can be sent into the group, and the first
// such request. One of them is `named`.
template <EngineShape kShape, class Inputs>
[[gnu::noinline]] Request first_into_group(const State& state, const Device& device, std::uint32_t output,
                                           Inputs inputs, std::uint32_t first, std::uint32_t group,
                                           const Request& named) {
  Request won = named;
  inputs.visit_from(first, [&](std::uint32_t input) {
    if (input == named.input) return true;
    for (std::uint32_t id = first_request(state, device, input, output); id != kNone;) {
      const Queue& queue = state.queues[id];
      if (queue.target == group && state.template head_has_room<kShape>(queue, device.channels)) {
        won = {input, id};
        return true;
      }
      id = device.first_list == kNone ? kNone : queue.next_request;
    }
    return false;
  });
  return won;
}

// An output's pointer has led to the request `named`. The room that this request waits for goes to the input
// whose turn it is by the pointer of the room's group. `inputs`: those that the output can be granted to.
template <EngineShape kShape, class Inputs>
[[gnu::always_inline]] inline Request next_into_group(State& state, const Device& device,
                                                      std::uint32_t output, const Inputs& inputs,
                                                      const Request& named) {
  const std::uint32_t group = state.queues[named.queue].target;
  if (group == state.sink()) return named;  // it needs no room
  std::uint16_t& pointer = state.next_inputs[group];
  Request won = named;
  const auto is_other = [&](std::uint32_t input) {
    if (input != named.input)
      won = first_into_group<kShape>(state, device, output, inputs, input, group, named);
    return true;
  };
  inputs.visit_from(pointer, is_other);
  pointer = static_cast<std::uint16_t>(won.input + 1);
  return won;
}

}  // namespace headway
