// SPDX-License-Identifier: Apache-2.0
// The offered load in bytes equals the load in the spec for all message sizes and arrival processes. An N:M
// incast is one flow.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/variants.h"

namespace headway {
namespace {

EventSpec sixteen_nodes(double load) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.switches.scheme = choose(schemes(), "voqnet");
  spec.switches.input_memory = Bytes{64 * 1024};
  spec.traffic.flows[0].load.points[0].load = load;
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{1'000'000};
  return spec;
}

TEST(OfferedLoad, IsWhatIsAskedForAllSizesAndArrivals) {
  for (const auto& [size_label, sizes] : variants(message_sizes())) {
    Mistakes mistakes;
    sizes->check(mistakes);
    if (!mistakes.empty()) continue;  // needs a file
    for (const auto& entry : arrival_processes()) {
      if (entry.name == "saturated") continue;
      EventSpec spec = sixteen_nodes(0.4);
      spec.traffic.flows[0].sizes = sizes;
      if (sizes.name == "web-search") assign(*spec.traffic.flows[0].sizes, {"size_scale", 2e-4});
      if (sizes.name == "data-mining") assign(*spec.traffic.flows[0].sizes, {"size_scale", 1e-5});
      spec.traffic.flows[0].arrivals = choose(arrival_processes(), entry.name);
      const Result result = run(Spec(spec));
      // in bytes; bursts of 16 messages on average raise the variance by 31 = E[n^2] / E[n]
      const SizeDistribution distribution = spec.traffic.flows[0].sizes->build(64);
      const double messages = 0.4 * 16 * 1e6 / distribution.mean_of_bytes();
      const double bursts = entry.name == "on-off" ? 31 : 1;
      EXPECT_NEAR(result.metric("offered_load"), 0.4, 0.4 * 4 * std::sqrt(bursts / messages))
          << size_label << ' ' << entry.name;
    }
  }
}

// Nodes whose destination would be themselves do not send, and are no sources: the mean is over the others.
TEST(OfferedLoad, IsThatOfTheNodesThatSend) {
  const struct {
    Choice<Pattern> pattern;
    double load;
    int silent;
  } cases[] = {{choose(patterns(), "transpose"), 0.5, 4},
               {choose(patterns(), "bit-reversal"), 0.5, 4},
               {choose(patterns(), "butterfly"), 0.5, 8},
               {choose(patterns(), "perfect-shuffle"), 0.5, 2},
               {choose(patterns(), "hotspot", {{"destination", 5}}), 0.05, 1}};
  for (const auto& [pattern, load, silent] : cases) {
    EventSpec spec = sixteen_nodes(load);
    spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 16}});
    spec.traffic.flows[0].pattern = pattern;
    spec.traffic.flows[0].arrivals = choose(arrival_processes(), "periodic");
    spec.measure.duration = Duration{100'000};
    const Result result = run(Spec(spec));
    EXPECT_NEAR(result.metric("offered_load"), load, load * 0.005) << pattern.name;
    EXPECT_NEAR(result.metric("accepted_load"), load, load * 0.005) << pattern.name;
    EXPECT_NEAR(result.metric("network_efficiency"), load * (16 - silent) / 16, load * 0.005) << pattern.name;
    EXPECT_EQ(result.status, Status::ok) << pattern.name << ": " << result.detail;
  }
  EventSpec odd = sixteen_nodes(0.5);
  odd.network.topology = choose(topologies(), "single-switch", {{"nodes", 7}});
  odd.traffic.flows[0].pattern = choose(patterns(), "complement");
  EXPECT_NEAR(run(Spec(odd)).metric("offered_load"), 0.5, 0.01);
}

// Twelve nodes send to four, one of which receives three times as much as the others.
TEST(OfferedLoad, AnIncastIsOneFlow) {
  EventSpec spec = sixteen_nodes(0.15);
  FlowSpec& flow = spec.traffic.flows[0];
  flow.sources = {NodeSet::Kind::first, 1.0, 12, {}};
  flow.pattern = choose(patterns(), "set",
                        {{"destinations", NodeSet{NodeSet::Kind::nodes, 1.0, 0, {12, 13, 14, 15}}},
                         {"weights", std::vector<double>{1, 1, 1, 3}}});
  spec.measure.tables = {"per-destination"};
  const Result result = run(Spec(spec));
  const Table& table = result.table("per_destination");
  for (const Column& column : table)
    if (column.name == "accepted_load") {
      for (std::size_t node = 0; node < 12; ++node) EXPECT_EQ(column.values[node], 0);
      for (std::size_t node = 12; node < 15; ++node) EXPECT_NEAR(column.values[node], 0.3, 0.02);
      EXPECT_NEAR(column.values[15], 0.9, 0.04);
    }
}

}  // namespace
}  // namespace headway
