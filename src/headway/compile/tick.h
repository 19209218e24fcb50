// SPDX-License-Identifier: Apache-2.0
// The tick of a spec: the largest duration that divides every duration in it exactly (modelling.md), so that
// simulated time is integers without rounding.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"
#include "headway/spec/spec.h"

namespace headway {

// The tick: it divides the byte times and delays of all links, the routing delay, and every point in time the
// spec names. Reports a mistake and returns nullopt if the tick would be too short, or a duration too long in
// ticks.
std::optional<Duration> tick_of(const EventSpec& spec, const std::vector<Link>& links, Mistakes& mistakes);

// The times among the parameters of a member of a family, by name; those that are not set are left out.
using NamedTimes = std::vector<std::pair<std::string_view, Duration>>;
struct TimesVisitor final : ParameterVisitor<TimesVisitor> {
  void visit(const Parameter&, const auto&) {}
  void visit(const Parameter& parameter, const Duration& time) { times.emplace_back(parameter.name, time); }
  void visit(const Parameter& parameter, const std::optional<Duration>& time) {
    if (time) visit(parameter, *time);
  }
  NamedTimes times;
};
template <class Family>
NamedTimes times_of(Choice<Family> member) {
  TimesVisitor visitor;
  member->describe(visitor);
  return std::move(visitor.times);
}

// The longest time in ns that the run can take: the end of a warm-up is detected after the last change of a
// load.
Rational longest_run(const EventSpec& spec);

// `duration` in ticks; the tick must divide it.
std::int64_t ticks(const Duration& duration, const Duration& tick);
// Any duration in ticks, rounded down.
std::int64_t whole_ticks(const Duration& duration, const Duration& tick);

}  // namespace headway
