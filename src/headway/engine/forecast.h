// SPDX-License-Identifier: Apache-2.0
// Memory that the rounds of many switches will need, fetched while others have theirs. In a network larger
// than the processor's caches a round waits for half a dozen lines, each named by the one before: switch,
// output, input, queue, packet, and the packet behind it. Here they are guessed for the switches that stand
// next in line, one step at a time, so that every line has come when the step after it asks for the next. A
// wrong guess costs one line; nothing depends on it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "headway/engine/state.h"

namespace headway {

// For devices of up to 64 ports.
class Forecast {
 public:
  explicit Forecast(const State& state) : state_(state) {}

  // Before the first round of a tick. The rounds of a few switches are not worth it.
  void begin(const Touched& touched) {
    active_ = touched.count >= kWorthIt;
    if (!active_) return;
    const auto all_before = [&](std::uint32_t end, auto&& step) {
      for (std::uint32_t round = 0; round < end; ++round) step(touched.devices[round], guess(round));
    };
    all_before(kDevice, [&](std::uint32_t id, Guess&) { find_device(id); });
    all_before(kOutput, [&](std::uint32_t id, Guess& guess) { find_output(state_.devices[id], guess); });
    all_before(kInput, [&](std::uint32_t id, Guess& guess) { find_input(state_.devices[id], guess); });
    all_before(kQueue, [&](std::uint32_t id, Guess& guess) { find_queue(state_.devices[id], guess); });
  }

  // Before round `next`: one step for each of some rounds behind it, maybe beyond the last.
  void advance(const Touched& touched, std::uint32_t next) {
    if (!active_) return;
    const auto device = [&](std::uint32_t round) -> const Device& {
      return state_.devices[touched.devices[round]];
    };
    find_device(touched.devices[next + kDevice]);
    find_output(device(next + kOutput), guess(next + kOutput));
    find_input(device(next + kInput), guess(next + kInput));
    find_queue(device(next + kQueue), guess(next + kQueue));
    find_credits(guess(next + kCredits));
  }

 private:
  // How many rounds before its own each step is taken.
  static constexpr std::uint32_t kDevice = Touched::kAhead, kOutput = 12, kInput = 8, kQueue = 5,
                                 kCredits = 2;
  static constexpr std::uint32_t kWorthIt = 64;  // rounds

  struct Guess {
    std::uint32_t output = 0;  // number at its switch
    std::uint32_t input = 0;   // likewise
    std::uint32_t queue = 0;
  };
  Guess& guess(std::uint32_t round) { return guesses_[round % kDevice]; }

  void find_device(std::uint32_t id) const { __builtin_prefetch(&state_.devices[id], 1); }
  void find_output(const Device& device, Guess& guess) const {
    guess.output = lowest(device.requested & device.free_outputs);
    __builtin_prefetch(&state_.ports[device.first_port + guess.output], 1);
  }
  void find_input(const Device& device, Guess& guess) const {
    const PortState& output = state_.ports[device.first_port + guess.output];
    const std::uint64_t in_turn = std::rotr(output.requests & device.free_inputs, output.next_input);
    guess.input = in_turn == 0 ? 0 : (output.next_input + lowest(in_turn)) & 63;
    if (device.queues_per_input == 0) __builtin_prefetch(&state_.ports[device.first_port + guess.input]);
    if (device.first_list != kNone) __builtin_prefetch(&state_.list_of(device, guess.input, guess.output), 1);
  }
  void find_queue(const Device& device, Guess& guess) const {
    std::uint32_t number = 0;
    if (device.first_list == kNone) {
      number = state_.queue_of_output[guess.output];
    } else {
      const std::uint16_t first = state_.list_of(device, guess.input, guess.output).first;
      number = first == RequestList::kEnd ? 0 : first;
    }
    guess.queue = state_.queue_of(device, guess.input, number);
    __builtin_prefetch(&state_.queues[guess.queue], 1);
  }
  void find_credits(const Guess& guess) const {
    __builtin_prefetch(&state_.credits[state_.queues[guess.queue].target], 1);
  }
  static std::uint32_t lowest(std::uint64_t ports) {
    return ports == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(ports));
  }

  const State& state_;
  std::array<Guess, kDevice> guesses_{};  // [round % kDevice]
  bool active_ = false;
};

}  // namespace headway
