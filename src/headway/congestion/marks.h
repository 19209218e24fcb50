// SPDX-License-Identifier: Apache-2.0
// Which packets switches mark, and the bytes that wait in switches for each output and lane, by which they
// decide (docs/modelling.md, "Congestion control").
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "headway/base/ids.h"
#include "headway/congestion/markings.h"

namespace headway {

class Marks {
 public:
  // `places`: pairs of an output and a lane.
  Marks(const MarkingRules& rules, std::size_t places)
      : rules_(rules),
        waiting_(places),
        passed_(places),
        fresh_(rules.at == MarkAt::arrival ? places : 0),
        states_(std::visit([&]<class Own>(const Own&) { return states_of<Own>(places); }, rules.own)) {}

  const MarkingRules& rules() const { return rules_; }
  void join(std::size_t place, std::uint32_t bytes, Tick now) {
    waiting_[place] += bytes;
    if (rules_.at != MarkAt::arrival) return;
    Fresh& fresh = fresh_[place];
    fresh = {now, (fresh.tick == now ? fresh.bytes : 0) + bytes};
  }
  void leave(std::size_t place, std::uint32_t bytes) { waiting_[place] -= bytes; }
  std::uint64_t waiting(std::size_t place) const { return waiting_[place]; }
  // For observers in another process.
  template <class Io>
  void serialize_waiting(std::size_t place, Io& io) {
    io.value(waiting_[place]);
  }
  // Those of earlier ticks, so that the order of arrivals within a tick does not matter. In phase 1.
  std::uint64_t waiting_before(std::size_t place, Tick now) const {
    return waiting_[place] - (fresh_[place].tick == now ? fresh_[place].bytes : 0);
  }

  // Returns true if the packet is marked. Besides what a marking asks: is_notice(), and is_root(), whether
  // the switch could send more packets behind this one.
  template <class Ask>
  bool is_marked(std::size_t place, const Ask& ask) {
    const bool marks = std::visit(
        [&]<class Own>(const Own& marking) {
          using State = typename Own::State;
          State none;
          return marking.marks(has_states<Own>() ? std::get<std::vector<State>>(states_)[place] : none, ask);
        },
        rules_.own);
    if (!marks || ask.is_notice() || ask.bytes() < rules_.least_bytes) return false;
    return (!rules_.roots_only || ask.is_root()) && counts(place);
  }

  static std::uint64_t bytes(const MarkingRules& rules, std::uint64_t places) {
    const std::uint64_t of_state = std::visit(
        []<class Own>(const Own&) { return has_states<Own>() ? sizeof(typename Own::State) : 0; }, rules.own);
    return places * (sizeof(std::uint64_t) + sizeof(std::uint32_t) + of_state);
  }

 private:
  template <class Own>
  static constexpr bool has_states() {
    return !std::is_empty_v<typename Own::State>;
  }
  template <class Own>
  static OfStates<Markings>::Lists states_of(std::size_t places) {
    return std::vector<typename Own::State>(has_states<Own>() ? places : 0);
  }
  // Returns true for every n-th packet that may be marked.
  bool counts(std::size_t place) {
    if (++passed_[place] < rules_.every) return false;
    passed_[place] = 0;
    return true;
  }

  const MarkingRules& rules_;
  std::vector<std::uint64_t> waiting_;  // [place] bytes
  std::vector<std::uint32_t> passed_;   // [place] packets since the last mark
  struct Fresh {
    Tick tick = -1;
    std::uint64_t bytes = 0;  // that have joined in this tick
  };
  std::vector<Fresh> fresh_;          // [place], or empty
  OfStates<Markings>::Lists states_;  // [place], or empty
};

}  // namespace headway
