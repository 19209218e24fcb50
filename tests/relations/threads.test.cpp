// SPDX-License-Identifier: Apache-2.0
// A run on several threads has the results of a run on one thread, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "headway/compile/build.h"
#include "headway/engine/parts.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "tests/support/random_program.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The first difference, or an empty text.
std::string difference(const Result& a, const Result& b) {
  if (a.trace_hash != b.trace_hash) return "deliveries";
  if (a.status != b.status || a.detail != b.detail) return "status: " + a.detail + " / " + b.detail;
  if (!alike(a, b)) return "tables";
  for (std::size_t m = 0; m < a.metrics.size(); ++m)
    if (!same(a.metrics[m].second, b.metrics[m].second)) return a.metrics[m].first;
  for (const auto& [name, table] : a.tables)
    for (std::size_t c = 0; c < table.size(); ++c) {
      const Column &one = table[c], &other = b.table(name)[c];
      if (one.words != other.words || !std::ranges::equal(one.values, other.values, same))
        return name + ' ' + one.name;
    }
  return "";
}

using Make = test::RandomSpec (*)(std::uint64_t);
constexpr std::pair<const char*, Make> kMakers[] = {
    {"random_spec", &test::random_spec},
    {"random_spec_with_service_levels", &test::random_spec_with_service_levels},
    {"random_spec_with_lane_turns", &test::random_spec_with_lane_turns},
    {"random_spec_with_control", &test::random_spec_with_control},
    {"random_spec_with_slow_nodes", &test::random_spec_with_slow_nodes},
    {"random_spec_with_pauses", &test::random_spec_with_pauses},
    {"random_spec_with_cells", &test::random_spec_with_cells}};

// Runs in the time of a test; observed in half of the cases.
EventSpec short_spec(const test::RandomSpec& random, std::uint64_t number) {
  EventSpec spec = random.spec;
  spec.measure.warmup = Duration{500};
  spec.measure.duration = Duration{2000};
  spec.measure.bin = Duration{100};
  spec.observe.waiting = number % 2 == 0;
  spec.observe.interval = Duration{90};
  return spec;
}

TEST(Threads, DoNotChangeResults) {
  const std::uint64_t cases = test::job_cases(60);
  std::map<std::string, int> in_parts;  // what the cases in parts have
  for (const auto& [name, make] : kMakers)
    for (std::uint64_t number = 0; number < cases; ++number) {
      const test::RandomSpec random = make(number);
      const EventSpec spec = short_spec(random, number);
      const Model model = build(spec);
      if (!why_one_thread(model.network, model.workload, {}).empty()) continue;
      const Result one = run(spec);
      for (const std::uint32_t threads : {2U, 3U, 4U, 8U}) {
        const Result several = run(spec, {.threads = threads, .always_cut = true});
        ASSERT_EQ(difference(one, several), "")
            << threads << " threads, " << name << '(' << number << "): " << random.description;
      }
      const auto simulation =
          make_simulation(model.network, model.workload, {.threads = 2, .always_cut = true});
      if (simulation->threads() < 2) continue;
      ++in_parts[name];
      ++in_parts[std::string(spec.network.topology.name)];
      ++in_parts[std::string(spec.routing.algorithm.name)];
      ++in_parts[std::string(spec.switches.scheme.name)];
      if (model.network.has_output_units()) ++in_parts["output units"];
      if (model.network.feedback_shares_links()) ++in_parts["feedback"];
    }
  for (const auto& [what, count] : in_parts) std::printf("%s %d\n", what.c_str(), count);
}

}  // namespace
}  // namespace headway
