// SPDX-License-Identifier: Apache-2.0
// TIMELY: rates by the time that packets take. Mittal et al., "TIMELY: RTT-based congestion control for the
// datacenter", SIGCOMM 2015, in the patched form of Zhu et al., "ECN or Delay: lessons learnt from analysis
// of DCQCN and TIMELY", CoNEXT 2016, section 4.3, which has a fixed point at which flows are equal. The
// parameters are theirs at 10 Gbit/s, rates as fractions of the link rate.
#pragma once

#include "headway/congestion/limited_flow.h"

namespace headway {

struct Timely {
  static constexpr bool kNeedsMarks = false, kHasRates = true;
  static constexpr FlowEvent kTimers = 0;
  static Entry<Reaction> entry();

  std::uint64_t additive = 0, least_rate = 1;
  std::uint64_t round_trip_gain = 0;             // of the mean change of round trips
  std::uint64_t decrease = 0;                    // beta
  Tick low_round_trip = 1, high_round_trip = 1;  // the rate only rises below, only falls above
  Tick least_round_trip = 1;                     // of the empty network; between two updates
  std::uint64_t segment = 1;                     // bytes between two updates, at least

  struct State {
    std::uint64_t rate = kFullRate;
    Tick updated = 0;         // the last change of the rate,
    Tick round_trip = 0;      // the round trip of the packet that caused it,
    Instant change = 0;       // the mean change of round trips,
    std::uint64_t bytes = 0;  // and bytes delivered since
  };
  Instant gap(const State& own, Tick transfer) const { return gap_at(own.rate, transfer); }
  double rate(const State& own, Tick) const { return share_of_link(own.rate); }
  // A flow with shorter round trips is not congested.
  bool begins_at(const Notification& told) const { return told.round_trip >= low_round_trip; }
  GateChange on_notification(State&, const Notification&, bool is_new, const FlowClock&) const;
  GateChange on_admission(State&, std::uint32_t, const FlowClock&) const { return GateChange::none; }
};

}  // namespace headway
