// SPDX-License-Identifier: Apache-2.0
// InfiniBand's congestion control at the sources (InfiniBand Architecture Specification 1.3, annex A10): a
// notification raises the index (CCTI) into a table of delays between packets, and a timer lowers it. Delays
// as in the Linux driver hfi1: the time of the packet, shifted and multiplied.
#pragma once

#include <string>

#include "headway/congestion/hot_spot.h"
#include "headway/congestion/limited_flow.h"

namespace headway {

struct InfiniBandReaction {
  static constexpr bool kNeedsMarks = true, kHasRates = true;
  enum Timer : FlowEvent { kRecovery };
  static constexpr FlowEvent kTimers = 1;
  static Entry<Reaction> entry();

  std::uint32_t increase = 1, least_index = 0, most_index = 127;
  Tick recovery_timer = 1;
  std::uint32_t shift = 2;
  std::vector<std::uint32_t> multipliers;  // [index]

  struct State {
    std::uint32_t index = 0;  // into the table of delays
  };
  Tick delay(const State& own, Tick transfer) const { return (transfer >> shift) * multipliers[own.index]; }
  Instant gap(const State& own, Tick transfer) const {
    return instant_of(transfer) + instant_of(delay(own, transfer));
  }
  double rate(const State& own, Tick transfer) const {
    const auto time = static_cast<double>(transfer);
    return time / (time + static_cast<double>(delay(own, transfer)));
  }
  bool begins_at(const Notification&) const { return true; }
  GateChange on_notification(State&, const Notification&, bool is_new, const FlowClock&) const;
  GateChange on_timer(State&, FlowEvent timer, const FlowClock&) const;
  GateChange on_admission(State&, std::uint32_t, const FlowClock&) const { return GateChange::none; }

  double least_rate() const;  // of a flow, as a fraction of its link: at the end of the table
  // n sources hold their indices only if each gets `increase` for every recovery timer. If all packets of a
  // full link are marked at the marking rate, that is one of (marking_rate + 1) packets, so n <= increase *
  // recovery_timer / (packet time * (marking_rate + 1)). They no longer overload the link only if the table
  // slows them down enough. The note says so of a hot spot that the timer or else the table cannot hold.
  std::string note_of(const HotSpotOfNetwork& spot) const;
};

}  // namespace headway
