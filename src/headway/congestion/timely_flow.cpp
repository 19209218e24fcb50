// SPDX-License-Identifier: Apache-2.0
// TIMELY of one flow in its patched form; timely.cpp has the parameters. Gradients and weights are fractions
// times 2^32.
#include <algorithm>

#include "headway/congestion/limited_flow.h"

namespace headway {
namespace {

// How much the change of round trips counts for a decrease: 0 if they shrink fast, 1 if they grow fast.
std::uint64_t weight_of(Instant change, Tick least_round_trip) {
  const SignedWide twice_gradient = SignedWide{change} * (1 << (33 - kInstantBits)) / least_round_trip;
  return static_cast<std::uint64_t>(
      std::clamp<SignedWide>(twice_gradient + kFullRate / 2, 0, SignedWide{kFullRate}));
}

// The part by which the rate falls between the two limits of round trips, at full weight.
std::uint64_t fall_of(Tick round_trip, const ReactionRules& rules) {
  const auto excess = static_cast<std::uint64_t>(round_trip - rules.low_round_trip);
  const Wide error = (Wide{excess} << 32) / static_cast<std::uint64_t>(rules.low_round_trip);
  return static_cast<std::uint64_t>(std::min<Wide>(error * rules.decrease >> 32, kFullRate));
}

std::uint64_t next_rate(const LimitedFlow& flow, const ReactionRules& rules) {
  const Tick round_trip = flow.timely.round_trip;
  if (round_trip < rules.low_round_trip) return flow.rate + rules.additive;
  if (round_trip > rules.high_round_trip) {
    const auto high = static_cast<std::uint64_t>(rules.high_round_trip);
    const auto part = static_cast<std::uint64_t>((Wide{high} << 32) / static_cast<std::uint64_t>(round_trip));
    return flow.rate - part_of(flow.rate, part_of(kFullRate - part, rules.decrease));
  }
  const std::uint64_t weight = weight_of(flow.timely.change, rules.least_round_trip);
  const std::uint64_t fall = part_of(fall_of(round_trip, rules), weight);
  return flow.rate - part_of(flow.rate, fall) + part_of(rules.additive, kFullRate - weight);
}

}  // namespace

GateChange timely_notification(LimitedFlow& flow, bool is_new, const Notification& told,
                               const ReactionAt& at) {
  auto& own = flow.timely;
  const ReactionRules& rules = at.rules;
  if (!is_new) {
    own.bytes += told.bytes;
    if (own.bytes < rules.segment || at.now - own.updated < rules.least_round_trip) return GateChange::none;
    const SignedWide change = instant_of(told.round_trip - own.round_trip);
    own.change += static_cast<Instant>((change - own.change) * rules.round_trip_gain >> 32);
  }
  own.bytes = 0;
  own.updated = at.now;
  own.round_trip = told.round_trip;
  flow.rate = std::clamp(next_rate(flow, rules), rules.least_rate, kFullRate);
  return flow.rate == kFullRate && told.round_trip < rules.low_round_trip ? GateChange::removed
                                                                          : GateChange::moved;
}

}  // namespace headway
