// SPDX-License-Identifier: Apache-2.0
#include "headway/congestion/timely.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/congestion/reaction.h"
#include "headway/congestion/reactions.h"

namespace headway {
namespace {

class TimelyKeys final : public ReactionOf<Timely> {
 public:
  void describe(Parameters& parameters) override {
    constexpr Bounds kTime = Bounds::over(0, 4e15);
    parameters.field(
        {.name = "t_low",
         .help = "below this round trip the rate only rises; above it, the rate falls by the part "
                 "of t_low that the round trip exceeds it by",
         .bounds = kTime},
        low_);
    parameters.field({.name = "t_high", .help = "above this round trip the rate only falls", .bounds = kTime},
                     high_);
    parameters.field({.name = "min_rtt",
                      .help = "round trip in the empty network, by which the change of round trips is "
                              "divided; the rate changes at most once in this time",
                      .bounds = kTime},
                     least_round_trip_);
    parameters.field({.name = "segment",
                      .help = "the rate changes after this much has been delivered",
                      .bounds = Bounds::from(1, 1e12)},
                     segment_);
    parameters.field({.name = "rtt_gain",
                      .help = "part by which the mean change of round trips approaches the last one",
                      .bounds = Bounds::over(0, 1)},
                     gain_);
    parameters.field(
        {.name = "decrease",
         .help = "beta: the part of the rate that a round trip of twice t_low, with a full weight, "
                 "takes away",
         .bounds = Bounds::over(0, 1)},
        decrease_);
    parameters.field({.name = "additive_increase",
                      .help = "growth of the rate in a step, as a fraction of the link rate",
                      .bounds = Bounds::from(0, 1)},
                     additive_);
    parameters.field({.name = "least_rate",
                      .help = "the rate is at least this fraction of the link rate",
                      .bounds = Bounds::from(0.000001, 1)},
                     least_);
  }

  void check(Mistakes& mistakes) const override {
    if (high_.ns < low_.ns)
      mistakes.add("node.t_high",
                   fmt::format("{} is less than t_low, {}", to_string(high_), to_string(low_)));
  }

  std::optional<ReactionRules> build(const ReactionContext& context) const override {
    return ReactionRules{.own = Timely{.additive = fraction(additive_),
                                       .least_rate = std::max<std::uint64_t>(fraction(least_), 1),
                                       .round_trip_gain = fraction(gain_),
                                       .decrease = fraction(decrease_),
                                       .low_round_trip = context.ticks(low_),
                                       .high_round_trip = context.ticks(high_),
                                       .least_round_trip = context.ticks(least_round_trip_),
                                       .segment = static_cast<std::uint64_t>(segment_.count)}};
  }

 private:
  Duration low_{50'000}, high_{500'000}, least_round_trip_{20'000};
  Bytes segment_{16'000};
  double gain_ = 0.875, decrease_ = 0.008, additive_ = 0.001, least_ = 0.001;
};

// Gradients and weights are fractions times 2^32.

// How much the change of round trips counts for a decrease: 0 if they shrink fast, 1 if they grow fast.
std::uint64_t weight_of(Instant change, Tick least_round_trip) {
  const SignedWide twice_gradient = SignedWide{change} * (1 << (33 - kInstantBits)) / least_round_trip;
  return static_cast<std::uint64_t>(
      std::clamp<SignedWide>(twice_gradient + kFullRate / 2, 0, SignedWide{kFullRate}));
}

// The part by which the rate falls between the two limits of round trips, at full weight.
std::uint64_t fall_of(Tick round_trip, const Timely& rules) {
  const auto excess = static_cast<std::uint64_t>(round_trip - rules.low_round_trip);
  const Wide error = (Wide{excess} << 32) / static_cast<std::uint64_t>(rules.low_round_trip);
  return static_cast<std::uint64_t>(std::min<Wide>(error * rules.decrease >> 32, kFullRate));
}

std::uint64_t next_rate(const Timely::State& own, const Timely& rules) {
  const Tick round_trip = own.round_trip;
  if (round_trip < rules.low_round_trip) return own.rate + rules.additive;
  if (round_trip > rules.high_round_trip) {
    const auto high = static_cast<std::uint64_t>(rules.high_round_trip);
    const auto part = static_cast<std::uint64_t>((Wide{high} << 32) / static_cast<std::uint64_t>(round_trip));
    return own.rate - part_of(own.rate, part_of(kFullRate - part, rules.decrease));
  }
  const std::uint64_t weight = weight_of(own.change, rules.least_round_trip);
  const std::uint64_t fall = part_of(fall_of(round_trip, rules), weight);
  return own.rate - part_of(own.rate, fall) + part_of(rules.additive, kFullRate - weight);
}

}  // namespace

GateChange Timely::on_notification(State& own, const Notification& told, bool is_new,
                                   const FlowClock& clock) const {
  if (!is_new) {
    own.bytes += told.bytes;
    if (own.bytes < segment || clock.now - own.updated < least_round_trip) return GateChange::none;
    const SignedWide change = instant_of(told.round_trip - own.round_trip);
    own.change += static_cast<Instant>((change - own.change) * round_trip_gain >> 32);
  }
  own.bytes = 0;
  own.updated = clock.now;
  own.round_trip = told.round_trip;
  own.rate = std::clamp(next_rate(own, *this), least_rate, kFullRate);
  return own.rate == kFullRate && !begins_at(told) ? GateChange::removed : GateChange::moved;
}

Entry<Reaction> Timely::entry() {
  return {"timely", "rates by round trips, their change and their excess over a target; needs no marks",
          "Mittal et al. (TIMELY), SIGCOMM 2015; Zhu et al., CoNEXT 2016, section 4.3 (patched)",
          make_entry<Reaction, TimelyKeys>};
}

}  // namespace headway
