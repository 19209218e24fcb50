// SPDX-License-Identifier: Apache-2.0
// Prefetches the memory of coming rounds while other rounds run. In a network larger than the processor's
// caches, a round waits for a chain of cache lines: switch, output, the input's list, queue, credits. Here
// each line of the chain is guessed one step ahead, so that it has arrived when the next step reads it. A
// wrong guess only fetches an unused line.
#pragma once

#include <array>
#include <cstdint>

#include "headway/base/fetch.h"
#include "headway/engine/requests.h"
#include "headway/engine/state.h"

namespace headway {

// A grant that waits until its packets are fetched.
struct DelayedGrant {
  std::uint32_t device = 0;
  std::uint32_t output = 0;
  std::uint32_t input = 0;
  std::uint32_t queue = 0;
  PacketId head = 0;
};

// For devices of up to 64 ports. Each step reads what the previous step has fetched.
template <PortCount kPorts>
class Forecast {
 public:
  // Rounds between two steps, and between the last step and the round.
  static constexpr std::uint32_t kAhead = 4;

  explicit Forecast(State& state) : state_(state) {}

  void fetch_device(std::uint32_t id) const { fetch(&state_.devices[id]); }

  void fetch_outputs(std::uint32_t round, std::uint32_t id) {
    Device& device = state_.devices[id];
    const auto crossbar = state_.crossbar<kPorts>(device);
    Guesses& guessed = guesses(round);
    guessed[0].output = crossbar.lowest_wanted();
    guessed[1].output = crossbar.highest_wanted();  // a round rarely serves more than two outputs
    for (const Guess& guess : guessed) fetch(&state_.ports[device.first_port + guess.output]);
  }

  void fetch_lists(std::uint32_t round, std::uint32_t id) {
    Device& device = state_.devices[id];
    const auto crossbar = state_.crossbar<kPorts>(device);
    for (Guess& guess : guesses(round)) {
      const PortState& output = state_.ports[device.first_port + guess.output];
      guess.input = crossbar.candidate(guess.output, output.next_input);
      if (device.first_list != kNone) fetch(&state_.lists[list_index(device, guess.input, guess.output)]);
    }
  }

  void fetch_queues(std::uint32_t round, std::uint32_t id) {
    const Device& device = state_.devices[id];
    for (Guess& guess : guesses(round)) {
      guess.queue = first_request(state_, device, guess.input, guess.output);
      fetch(&state_.queues[guess.queue]);
    }
  }

  void fetch_credits(std::uint32_t round) {
    for (const Guess& guess : guesses(round)) {
      const std::uint32_t target = state_.queues[guess.queue].target;
      state_.flow.fetch(target);
      if (!state_.next_inputs.empty()) fetch(&state_.next_inputs[target]);
    }
  }

  // Fetches what choosing outputs with adaptive routing reads: switch, list of an input with heads without an
  // output, queue, packet, its candidates, room behind them. An asking switch keeps such heads until its
  // turn.
  void fetch_unbound(std::uint32_t round, std::uint32_t id) {
    Device& device = state_.devices[id];
    Head& head = heads_[round % kRounds];
    head.input = state_.crossbar<kPorts>(device).lowest_unbound();
    fetch(&state_.unbound[device.first_port + head.input]);
  }

  void fetch_unbound_queue(std::uint32_t round, std::uint32_t id) {
    Head& head = heads_[round % kRounds];
    head.queue = first_unbound(state_, state_.devices[id], head.input);
    fetch(&state_.queues[head.queue]);
  }

  void fetch_head(std::uint32_t round) {
    state_.packets.fetch(state_.queues[heads_[round % kRounds].queue].head);
  }

  void fetch_candidates(std::uint32_t round) {
    for_each_candidate(round, [&](PortId port) { fetch(&state_.ports[port]); });
  }

  void fetch_room(std::uint32_t round) {
    for_each_candidate(round, [&](PortId port) { state_.flow.fetch(state_.ports[port].next_first_queue); });
  }

 private:
  struct Guess {
    std::uint32_t output = 0;  // number at its switch
    std::uint32_t input = 0;   // number at its switch
    std::uint32_t queue = 0;
  };
  struct Head {
    std::uint32_t input = 0;  // number at its switch
    std::uint32_t queue = 0;
  };
  using Guesses = std::array<Guess, 2>;
  static constexpr std::uint32_t kRounds = 32;  // at least the rounds between the first step and the last

  Guesses& guesses(std::uint32_t round) { return guesses_[round % kRounds]; }

  template <class Visit>
  void for_each_candidate(std::uint32_t round, Visit&& visit) {
    const Packet& packet = state_.packets[state_.queues[heads_[round % kRounds].queue].head];
    if (state_.network.routes.choices) return visit(packet.next_output);
    const auto candidates = static_cast<std::uint16_t>(packet.later.candidates);  // without kHasAsked
    for (std::uint32_t i = 0; i < candidates; ++i) visit(packet.next_output + i);
  }

  State& state_;
  std::array<Guesses, kRounds> guesses_;  // [round % kRounds]
  std::array<Head, kRounds> heads_;       // [round % kRounds]
};

}  // namespace headway
