// SPDX-License-Identifier: Apache-2.0
// Memory that is counted in cells (docs/modelling.md, "Cells"): what fits, what a window of credits carries,
// and that cells are slots if all packets have one length.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/run/run.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

// The packets of this length that fit into a queue of 4 KiB of a switch, together with nothing else. A packet
// of 4 KiB of another node holds their output meanwhile.
std::uint32_t fitting(std::uint32_t bytes, std::uint32_t cell) {
  NetworkOptions options;
  options.packet_bytes = 4096;
  options.cell_bytes = cell;
  options.capacity = cell == 0 ? 1 : 4096 / cell;
  options.injection_capacity = 4 * options.capacity;
  const Network network(test::star(3, 3), test::star_routes(3), QueueMap::single(), options);
  std::vector<TimedMessage> messages = {{0, 1, 2, 4096}};
  for (std::uint32_t i = 0; i < 80; ++i) messages.push_back({1, 0, 2, bytes});
  Workload workload;
  workload.traces.push_back(test::listed_trace(messages, 3));
  const auto simulation = make_simulation(network, workload, {.check = true});
  simulation->run_until(4090);
  return simulation->view().length(network.ports[0].first_queue);
}

TEST(Cells, ShortPacketsTakeTheMemoryOfTheirLength) {
  EXPECT_EQ(fitting(64, 0), 1U);
  EXPECT_EQ(fitting(64, 4096), 1U);
  EXPECT_EQ(fitting(60, 64), 64U);
  EXPECT_EQ(fitting(65, 64), 32U);
  EXPECT_EQ(fitting(200, 64), 16U);
  EXPECT_EQ(fitting(200, 512), 8U);
}

// Two nodes of a switch with long links exchange messages of 64 B as fast as credits allow. A credit returns
// 2 x 2000 + 64 ns after its packet was sent.
double accepted(std::optional<Bytes> cell, std::int64_t memory) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 2}});
  spec.network.link.delay = Duration{2000};
  spec.traffic.packet = Bytes{1024};
  FlowSpec& flow = spec.traffic.flows.front();
  flow.sizes = choose(message_sizes(), "fixed", {{"message", Bytes{64}}});
  flow.arrivals = choose(arrival_processes(), "saturated");
  spec.switches.cell = cell;
  spec.switches.input_memory = Bytes{memory};
  spec.measure.warmup = Duration{40'640};
  spec.measure.duration = Duration{406'400};  // 100 round trips
  return run(Spec(spec)).metric("accepted_load");
}

TEST(Cells, AWindowOfCreditsCarriesBytesInsteadOfPackets) {
  constexpr double kRoundTrip = 4064;
  EXPECT_NEAR(accepted({}, 2048), 2 * 64 / kRoundTrip, 0.0005);
  EXPECT_NEAR(accepted(Bytes{64}, 2048), 32 * 64 / kRoundTrip, 0.005);
  EXPECT_NEAR(accepted(Bytes{256}, 2048), 8 * 64 / kRoundTrip, 0.001);
  EXPECT_NEAR(accepted(Bytes{64}, 8192), 1, 0.001);
}

EventSpec small_tree() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}});
  spec.switches.input_memory = Bytes{2048};
  FlowSpec hot = spec.traffic.flows.front();
  hot.pattern = choose(patterns(), "hotspot", {{"destination", 5}});
  hot.load.points[0].load = 0.5;
  spec.traffic.flows.front().load.points[0].load = 0.6;
  spec.traffic.flows.push_back(hot);
  spec.measure.warmup = Duration{0};
  spec.measure.duration = Duration{20'000};
  return spec;
}

TEST(Cells, OfPacketsOfOneLengthAreSlots) {
  std::vector<std::pair<std::string, EventSpec>> specs;
  const auto add = [&](const std::string& name) -> EventSpec& {
    return specs.emplace_back(name, small_tree()).second;
  };
  for (const char* scheme : {"1q", "voqsw", "dbbm", "obqa", "emptiest", "fbicm", "recn-iq", "dbbm-unshared"})
    add(scheme).switches.scheme = choose(schemes(), scheme);
  for (const FreeOutput free : {FreeOutput::room_credit, FreeOutput::spare_credit, FreeOutput::now}) {
    EventSpec& spec = add("adaptive " + std::string(name_of(free)));
    spec.routing.algorithm = choose(routings(), "adaptive");
    spec.routing.free_output = free;
    spec.switches.virtual_channels = 2;
    spec.switches.architecture = Architecture::cioq;
    spec.switches.output_memory = Bytes{512};
  }
  for (const char* routing : {"ugal", "par"}) {
    EventSpec& spec = add(routing);
    spec.network.topology = choose(topologies(), "dragonfly");
    spec.routing.algorithm = choose(routings(), routing, {{"bias", 1}});
  }
  add("shared credits").switches.credit_packet = Bytes{8};
  add("limited").node.admittance_limit = Bytes{256};
  for (auto& [name, spec] : specs) {
    const std::uint64_t slots = run(Spec(spec)).trace_hash;
    for (const std::int64_t cell : {64, 16, 1}) {
      spec.switches.cell = Bytes{cell};
      EXPECT_EQ(run(Spec(spec)).trace_hash, slots) << name << ", cells of " << cell << " B";
    }
  }
}

// Messages of 64 B and of 4 KiB in a switch with a queue per output. In slots, a queue has room for one
// packet of any length, and the switch is far from full.
TEST(Cells, QueuesPerOutputDoNotHurtMixedTraffic) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 8}});
  spec.network.link.delay = Duration{500};
  spec.switches.scheme = choose(schemes(), "voqsw");
  spec.switches.input_memory = Bytes{8 * 4096};
  spec.traffic.packet = Bytes{4096};
  FlowSpec& flow = spec.traffic.flows.front();
  flow.sizes = choose(message_sizes(), "fixed", {{"message", Bytes{64}}});
  flow.load.points[0].load = 0.5;
  spec.traffic.flows.push_back(flow);
  spec.traffic.flows.back().sizes = choose(message_sizes(), "fixed", {{"message", Bytes{4096}}});
  spec.traffic.flows.back().load.points[0].load = 0.3;
  spec.measure.warmup = Duration{200'000};
  spec.measure.duration = Duration{400'000};
  const double slots = run(Spec(spec)).metric("accepted_load");
  spec.switches.cell = Bytes{64};
  const double cells = run(Spec(spec)).metric("accepted_load");
  EXPECT_GT(cells, 0.75);
  EXPECT_LT(slots, cells - 0.1);
}

}  // namespace
}  // namespace headway
