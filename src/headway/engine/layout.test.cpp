// SPDX-License-Identifier: Apache-2.0
// The state takes the memory that its layout states. The layout estimated before a network exists is that of
// the network.
#include "headway/engine/layout.h"

#include <gtest/gtest.h>

#include "headway/compile/memory.h"
#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "headway/engine/state.h"
#include "headway/engine/state_memory.h"
#include "headway/spec/write_spec.h"

namespace headway {
namespace {

// A state without traffic takes the memory that the layout says, part by part. A wheel takes less until it
// has events.
void expect_same(const MemoryParts& layout, const State& state, const std::string& name) {
  const State* const only = &state;
  const MemoryParts taken = memory_of({&only, 1});
  for (const MemoryParts::Item& part : layout) {
    if (part.name == kEventsPart)
      EXPECT_LE(taken.of(part.name), part.bytes) << name;
    else
      EXPECT_EQ(taken.of(part.name), part.bytes) << name << ", " << part.name;
  }
  EXPECT_EQ(taken.total() - taken.of(kEventsPart), layout.total() - layout.of(kEventsPart)) << name;
}

struct Case {
  EventSpec spec;
  std::string name;
};

std::vector<Case> cases() {
  EventSpec spec;
  spec.switches.input_memory = Bytes{1 << 20};
  spec.switches.output_memory = Bytes{1 << 20};
  std::vector<EventSpec> bases(6, spec);
  bases[0].network.topology = choose(topologies(), "single-switch", {{"nodes", 70}});  // wide sets of ports
  bases[1].network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  bases[2].network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 4}});
  bases[2].routing.algorithm = choose(routings(), "adaptive");
  bases[3].network.topology = choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{4, 4}}});
  bases[3].routing.algorithm = choose(routings(), "dor");
  bases[4].network.topology = choose(topologies(), "bmin", {});
  bases[4].routing.algorithm = choose(routings(), "turnaround");
  bases[5] = bases[1];
  bases[5].switches.credit_packet = Bytes{8};
  bases[5].switches.output_arbiter = OutputArbiter::weighted_round_robin;
  std::vector<Case> cases;
  for (const EventSpec& base : bases)
    for (const auto& scheme : schemes())
      for (const bool cioq : {false, true})
        for (const std::int64_t channels : {1, 2}) {
          EventSpec next = base;
          next.switches.scheme = choose(schemes(), scheme.name);
          if (cioq) next.switches.architecture = Architecture::cioq;
          if (cioq && channels == 2) next.switches.output_queues = OutputQueues::one;
          next.switches.virtual_channels = channels;
          cases.push_back({next, std::string(base.network.topology.name) + ", " + std::string(scheme.name) +
                                     (cioq ? ", cioq" : "") + ", channels " + std::to_string(channels)});
        }
  return cases;
}

TEST(Layout, IsWhatTheStateTakesAndTheEstimateSays) {
  int networks_seen = 0, estimates = 0;
  Memo memo;
  for (const auto& [spec, name] : cases()) {
    const Plan plan = headway::plan(spec, resolved(spec), {.memo = memo});
    if (!plan.mistakes.empty()) continue;  // the scheme does not fit the topology or the architecture
    ++networks_seen;
    const std::vector<std::uint32_t> reachable = reachable_inputs(*plan.graph, plan.routes.table);
    const Layout estimate = estimated_layout({spec, plan, [&]() -> const auto& { return reachable; }});
    const Network network(plan.graph, plan.routes, plan.map, plan.options);
    EXPECT_EQ(network.layout.queues, network.queues) << name;
    const State state(StateTables(network, EngineShape::of(network).ports, false, 1));
    expect_same(network.layout.state_parts(), state, name);
    if (network.reachable.empty()) {
      ++estimates;
      expect_same(estimate.state_parts(), state, name);
    } else {
      const auto taken = static_cast<double>(network.layout.state_bytes());
      EXPECT_NEAR(static_cast<double>(estimate.state_bytes()), taken, 0.02 * taken) << name;
    }
  }
  EXPECT_GT(networks_seen, 60);
  EXPECT_GT(estimates, 50);
}

}  // namespace
}  // namespace headway
