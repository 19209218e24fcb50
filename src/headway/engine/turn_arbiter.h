// SPDX-License-Identifier: Apache-2.0
// One round of a device at whose outputs classes of lanes take turns (docs/modelling.md, "Turns of classes").
// Called only for networks with such turns.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "headway/arbitration/arbiters.h"
#include "headway/arbitration/output_turns.h"
#include "headway/engine/group_turns.h"
#include "headway/engine/requests.h"
#include "headway/engine/shape.h"
#include "headway/engine/state.h"

namespace headway {

template <EngineShape kShape>
class TurnArbiter {
 public:
  explicit TurnArbiter(State& state)
      : state_(state), by_age_(traits_of(state.network.arbiter).age != Age::none) {
    if (state.turns) outputs_.reserve(state.network.layout.most_ports);
  }

  // Calls take(output, request) for every grant. In each pass all outputs ask the inputs for a level, so that
  // an input sends its packets of a higher level first, whichever output they need.
  template <class Take>
  void play(Device& device, Take&& take) {
    auto crossbar = state_.crossbar<kShape.ports>(device);
    outputs_.clear();
    crossbar.visit([&] { return state_.draw_of_tick(device.shuffle); },
                   [&](std::uint32_t output, const auto&) { outputs_.push_back(output); });
    for (std::uint32_t pass = 0; pass < state_.turns->levels(); ++pass)
      for (const std::uint32_t output : outputs_)
        if (crossbar.is_free_output(output))
          if (const Request won = pick(device, output, pass)) take(output, won);
  }

 private:
  using Best = std::array<Request, LaneTurns::kMostClasses>;  // [class]

  Request pick(Device& device, std::uint32_t output, std::uint32_t pass) {
    OutputTurns& turns = *state_.turns;
    const PortId port = device.first_port + output;
    Best best;
    const std::uint32_t classes = find_best(device, output, best);
    const std::uint32_t level = turns.level(port, pass);
    const std::uint32_t entry = classes == 0 ? kNone : turns.next(port, level, classes);
    if (entry == kNone) return {};
    const std::uint32_t of_class = turns.class_of(level, entry);
    Request won = best[of_class];
    turns.first_input(port, of_class) = static_cast<std::uint16_t>(won.input + 1);
    if (state_.network.layout.has_group_pointers)
      won = next_into_group<kShape>(state_, device, output,
                                    state_.crossbar<kShape.ports>(device).open_inputs(output), won);
    turns.charge(port, level, entry, state_.packets[state_.queues[won.queue].head].length);
    return won;
  }

  // The request of each class that the arbiter prefers. Returns a bit for each class that has one.
  std::uint32_t find_best(Device& device, std::uint32_t output, Best& best) {
    std::uint32_t classes = 0;
    state_.crossbar<kShape.ports>(device).open_inputs(output).visit_from(0, [&](std::uint32_t input) {
      for (std::uint32_t id = first_request(state_, device, input, output); id != kNone;) {
        const Queue& queue = state_.queues[id];
        if (state_.template head_has_room<kShape>(queue, device.channels)) {
          const Packet& head = state_.packets[queue.head];
          const std::uint32_t of_class = state_.turns->rules().class_of[head.course.lane];
          const Request request{input, id, by_age_ ? state_.age_of(queue.head) : 0};
          const std::uint32_t first = state_.turns->first_input(device.first_port + output, of_class);
          if (!best[of_class] || is_preferred(request, best[of_class], first)) best[of_class] = request;
          classes |= 1U << of_class;
        }
        id = device.first_list == kNone ? kNone : queue.next_request;
      }
      return false;
    });
    return classes;
  }

  // Returns true if a request goes before one of an earlier input or list place. `first`: the input that goes
  // first among equals.
  bool is_preferred(const Request& request, const Request& other, std::uint32_t first) const {
    if (request.since != other.since) return request.since < other.since;
    return other.input < first && first <= request.input;
  }

  State& state_;
  bool by_age_;
  std::vector<std::uint32_t> outputs_;  // of this round
};

}  // namespace headway
