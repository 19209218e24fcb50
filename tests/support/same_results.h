// SPDX-License-Identifier: Apache-2.0
// For tests of ways to run that must not change results: short runs of random specs, and a comparison of all
// that they measure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "headway/metrics/result.h"
#include "tests/support/random_spec.h"

namespace headway::test {

inline bool equal_or_nan(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The first difference, or an empty text.
inline std::string first_difference(const Result& a, const Result& b) {
  if (a.trace_hash != b.trace_hash) return "deliveries";
  if (a.status != b.status || a.detail != b.detail) return "status: " + a.detail + " / " + b.detail;
  if (!alike(a, b)) return "tables";
  for (std::size_t m = 0; m < a.metrics.size(); ++m)
    if (!equal_or_nan(a.metrics[m].second, b.metrics[m].second)) return a.metrics[m].first;
  for (const auto& [name, table] : a.tables)
    for (std::size_t c = 0; c < table.size(); ++c) {
      const Column &one = table[c], &other = b.table(name)[c];
      if (one.words != other.words || !std::ranges::equal(one.values, other.values, equal_or_nan))
        return name + ' ' + one.name;
    }
  return "";
}

using MakeRandomSpec = RandomSpec (*)(std::uint64_t);
inline constexpr std::pair<const char*, MakeRandomSpec> kRandomSpecs[] = {
    {"random_spec", &random_spec},
    {"random_spec_with_service_levels", &random_spec_with_service_levels},
    {"random_spec_with_lane_turns", &random_spec_with_lane_turns},
    {"random_spec_with_control", &random_spec_with_control},
    {"random_spec_with_slow_nodes", &random_spec_with_slow_nodes},
    {"random_spec_with_pauses", &random_spec_with_pauses},
    {"random_spec_with_degraded_links", &random_spec_with_degraded_links},
    {"random_spec_with_lane_credits", &random_spec_with_lane_credits},
    {"random_spec_with_choices_on_arrival", &random_spec_with_choices_on_arrival},
    {"random_spec_with_choices_of_flows", &random_spec_with_choices_of_flows},
    {"random_spec_with_output_queues", &random_spec_with_output_queues},
    {"random_spec_with_events", &random_spec_with_events},
    {"random_spec_with_cells", &random_spec_with_cells}};

// Runs in the time of a test; observed in half of the cases.
inline EventSpec short_spec(const RandomSpec& random, std::uint64_t number) {
  EventSpec spec = random.spec;
  spec.measure.warmup = Duration{500};
  spec.measure.duration = Duration{2000};
  spec.measure.bin = Duration{100};
  spec.observe.waiting = number % 2 == 0;
  spec.observe.interval = Duration{90};
  return spec;
}

}  // namespace headway::test
