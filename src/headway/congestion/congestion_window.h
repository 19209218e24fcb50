// SPDX-License-Identifier: Apache-2.0
// A window: a source may have only so much of a flow in flight.
#pragma once

#include "headway/congestion/limited_flow.h"

namespace headway {

struct CongestionWindow {
  static constexpr bool kNeedsMarks = false, kHasRates = false;
  static constexpr FlowEvent kTimers = 0;
  static Entry<Reaction> entry();

  std::uint64_t bytes = 0;  // of a flow in flight, at most

  struct State {
    std::uint64_t in_flight = 0;  // bytes admitted and not acknowledged
  };
  bool has_room(const State& own, std::uint32_t more) const {
    return own.in_flight == 0 || own.in_flight + more <= bytes;
  }
  bool begins_at(const Notification&) const { return true; }
  GateChange on_notification(State& own, const Notification& told, bool, const FlowClock&) const {
    own.in_flight -= told.bytes;
    return own.in_flight == 0 ? GateChange::removed : GateChange::moved;
  }
  GateChange on_admission(State& own, std::uint32_t admitted, const FlowClock&) const {
    own.in_flight += admitted;
    return GateChange::none;
  }
};

}  // namespace headway
