// SPDX-License-Identifier: Apache-2.0
// Links of different rates at one switch: packets from slow links together fill a fast link, and there are no
// victims (docs/modelling.md, "Grant").
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

constexpr NodeId kSink = 3;

// Saturated sources of 0.5, 1 and 4 GB/s that send to a node of 2 GB/s.
EventSpec three_sources() {
  const std::string path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ofstream(path + ".txt") << "switch 0\n0 0\n1 1\n2 2\n3 3\n";
  std::ofstream(path + ".toml") << R"(
[[switch]]
[[node]]
at = "0"
rate = "0.5 GB/s"
[[node]]
at = "0"
[[node]]
at = "0"
rate = "4 GB/s"
[[node]]
at = "0"
rate = "2 GB/s"
)";
  EventSpec spec;
  spec.network.topology = choose(topologies(), "file", {{"file", path + ".toml"}});
  spec.routing.algorithm = choose(routings(), "table", {{"file", path + ".txt"}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.traffic.packet = Bytes{64};
  FlowSpec flow;
  flow.sources = {.kind = NodeSet::Kind::first, .first = 3};
  flow.pattern = choose(patterns(), "hotspot", {{"destination", std::int64_t{kSink}}});
  flow.arrivals = choose(arrival_processes(), "saturated");
  spec.traffic.flows = {flow};
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{100'000};
  spec.measure.tables.insert("fairness");
  return spec;
}

double at_sink(const Result& result, std::string_view name) {
  return test::column(result.table("per_destination"), name)[kSink];
}

TEST(MixedRates, SlowLinksFillAFastOne) {
  for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                    ArbiterKind::oldest_injected, ArbiterKind::random})
    for (const Architecture architecture : {Architecture::iq, Architecture::cioq})
      for (const char* scheme : {"1q", "voqsw", "fbicm"}) {
        EventSpec spec = three_sources();
        spec.switches.arbiter = arbiter;
        spec.switches.architecture = architecture;
        spec.switches.scheme = choose(schemes(), scheme);
        if (spec.switches.scheme->isolation() && has_output_units(spec.switches)) continue;
        SCOPED_TRACE(testing::Message()
                     << name_of(arbiter) << ", " << name_of(architecture) << ", " << scheme);
        const Result result = run(spec);
        EXPECT_NEAR(at_sink(result, "accepted_load") / at_sink(result, "fair_share"), 1.0, 0.01);
        EXPECT_EQ(result.metric("victims"), 0);
      }
}

// With cut-through, packets from slow links hold the sink's link while they arrive.
TEST(MixedRates, SlowPacketsThatAreLetThroughHoldTheFastLink) {
  EventSpec spec = three_sources();
  spec.switches.slow_to_fast = Switching::cut_through;
  const Result result = run(spec);
  EXPECT_NEAR(at_sink(result, "accepted_load") / at_sink(result, "fair_share"), 0.75, 0.01);
  EXPECT_EQ(result.metric("victims"), 1);
}

}  // namespace
}  // namespace headway
