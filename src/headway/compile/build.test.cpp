// SPDX-License-Identifier: Apache-2.0
// Nodes whose links differ in rate: a load is a fraction of each node's own link, and the flows of the spec
// keep their numbers.
#include "headway/compile/build.h"

#include <gtest/gtest.h>

#include <fstream>

#include "headway/config/assign.h"
#include "headway/run/run.h"

namespace headway {
namespace {

EventSpec spec_of_file(const std::string& text) {
  const std::string path = testing::TempDir() + "build_test.toml";
  std::ofstream(path) << text;
  EventSpec spec;
  spec.network.topology = choose(topologies(), "file", {{"file", path}});
  spec.routing.algorithm = choose(routings(), "table");
  return spec;
}

TEST(Build, TakesLoadsOfEachNodesOwnLink) {
  EventSpec spec = spec_of_file(R"([[switch]]
[[node]]
at = "0"
rate = "1 GB/s"
[[node]]
at = "0"
rate = "3 GB/s"
[[node]]
at = "0"
rate = "2 GB/s"
)");
  const std::string routes = testing::TempDir() + "build_test.txt";
  std::ofstream(routes) << "switch 0\n0 0\n1 1\n2 2\n";
  spec.routing.algorithm = choose(routings(), "table", {{"file", routes}});
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{100'000};
  FlowSpec& flow = spec.traffic.flows[0];
  flow.arrivals = choose(arrival_processes(), "periodic");
  flow.load.points = {{Duration{0}, 0.25}};
  spec.traffic.flows.push_back(flow);

  const Model model = build(spec);
  ASSERT_EQ(model.workload.flows.size(), 2U * 3U);
  for (const Source& source : model.workload.sources) {
    const double ns_per_byte =
        model.network.ns(model.network.ports[model.network.adapter_port(source.node)].ticks_per_byte);
    EXPECT_NEAR(model.network.ns(1 / model.workload.flows[source.flow].bytes_per_tick), ns_per_byte, 1e-9);
  }
  EXPECT_EQ(model.workload.sources[0].flow, 0U);
  EXPECT_EQ(model.workload.sources[3].flow, 1U);
  const Result both = run(spec);
  EXPECT_NEAR(both.metric("offered_load"), 0.5, 0.01);
  // random streams do not depend on the number of flows
  for (FlowSpec& each : spec.traffic.flows) each.arrivals = choose(arrival_processes(), "poisson");
  spec.traffic.flows[1].load.points = {{Duration{0}, 0}};
  const Result with_idle = run(spec);
  spec.traffic.flows.pop_back();
  EXPECT_EQ(run(spec).trace_hash, with_idle.trace_hash);
}

}  // namespace
}  // namespace headway
