// SPDX-License-Identifier: Apache-2.0
// A saturation search and plain runs agree: a run sustains the load that the search returns, and does not
// sustain a tenth more than the lowest load that the search refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "headway/run/saturation.h"
#include "tests/relations/relations.h"
#include "tests/support/dice.h"

namespace headway {
namespace {

using Sides = std::vector<std::int64_t>;

struct KindOfSearch {
  Choice<Topology> topology;
  const char* routing;
};

std::vector<KindOfSearch> kinds() {
  return {{choose(topologies(), "single-switch", {{"nodes", 8}}), "det"},
          {choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}}), "det"},
          {choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}}), "adaptive"},
          {choose(topologies(), "mesh", {{"sides", Sides{4, 4}}}), "dor"},
          {choose(topologies(), "torus", {{"sides", Sides{4, 4}}}), "dor"},
          {choose(topologies(), "torus", {{"sides", Sides{6}}}), "up-down"},
          {choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}}), "minimal"},
          {choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}}), "valiant"},
          {choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}}), "ugal"},
          {choose(topologies(), "dragonfly", {{"p", 2}, {"a", 2}, {"h", 1}, {"g", 3}}), "par"},
          {choose(topologies(), "mesh", {{"sides", Sides{4, 4}}}), "valiant"}};
}

EventSpec any_spec(std::uint64_t number) {
  test::Dice dice(number);
  const std::vector<KindOfSearch> all = kinds();
  const KindOfSearch& kind = all[number % all.size()];
  EventSpec spec;
  spec.network.topology = kind.topology;
  spec.routing.algorithm = choose(routings(), kind.routing);
  spec.network.link = {Rate{1}, Duration{dice.from(1, 20)}};
  constexpr const char* kSchemes[] = {"1q", "dbbm",
                                      "voqnet"};  // none reads the output of an adaptive routing
  spec.switches.scheme = choose(schemes(), kSchemes[dice.from(0, 2)]);
  spec.switches.queue_memory = Bytes{64 * dice.from(2, 8)};
  spec.traffic.flows.front().pattern = choose(patterns(), "uniform");
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{40'000};
  spec.seed = number;
  return spec;
}

TEST(RelationOfSearches, IsSustainedAndATenthMoreIsNot) {
  const SaturationSearch search{.precision = 0.05};
  int compared = 0, contradictions = 0;
  test::for_each_number(kinds().size(), [&](std::uint64_t number) {
    EventSpec spec = any_spec(number);
    const Result found = find_saturation(spec, search);
    if (found.status != Status::ok) return false;
    const double low = found.metric("saturation_load_low"), high = found.metric("saturation_load_high");
    EXPECT_LE(high - low, search.precision);
    // the search can have lengthened both
    const double longer = found.metric("duration_ns") / spec.measure.duration.ns.to_double();
    spec.measure.duration = Duration{static_cast<std::int64_t>(found.metric("duration_ns"))};
    spec.measure.warmup = Duration{static_cast<std::int64_t>(10'000 * longer)};
    const Result at = run(at_load(spec, low));
    EXPECT_EQ(at.trace_hash, found.trace_hash);
    EXPECT_EQ(at.status, Status::ok) << at.detail;
    EXPECT_GE(at.metric("accepted_load"), search.share * at.metric("offered_load"));
    if (1.1 * high > 1) return true;
    const Result above = run(at_load(spec, 1.1 * high));
    const double reference = run(at_load(spec, search.lowest)).metric("latency_mean_ns");
    ++compared;
    if (above.status == Status::ok &&
        above.metric("accepted_load") >= search.share * above.metric("offered_load") &&
        above.metric("latency_mean_ns") <= search.times * reference)
      ++contradictions;
    return true;
  });
  // The search refuses a load whose run is too short for a verdict, even with the longer window.
  EXPECT_LE(contradictions, compared / 50);
}

}  // namespace
}  // namespace headway
