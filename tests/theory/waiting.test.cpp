// SPDX-License-Identifier: Apache-2.0
// Photographs in cases with known results: the measured mean latency, no head-of-line blocking with a queue
// per output, the throughput of a saturated switch, and the victims of the DBBM paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "headway/base/statistics.h"
#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

EventSpec observed(const Choice<Topology>& topology, const Choice<Scheme>& scheme, double load) {
  EventSpec spec;
  spec.network.topology = topology;
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.scheme = scheme;
  spec.traffic.flows.front().load = {.points = {{Duration{0}, load}}};
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{200'000};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{500};
  return spec;
}

Choice<Topology> tree(int k, int n) { return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}}); }
Choice<Topology> single(int nodes) { return choose(topologies(), "single-switch", {{"nodes", nodes}}); }

// In a steady state the classes add up to the mean latency, within three standard errors over seeds.
void expect_adds_up(EventSpec spec, const std::string& label) {
  constexpr int kSeeds = 6;
  std::vector<double> errors, latencies;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    spec.seed = static_cast<std::uint64_t>(seed);
    const Result result = run(spec);
    ASSERT_EQ(result.status, Status::ok) << label;
    errors.push_back(result.metric("photograph_error_ns"));
    latencies.push_back(result.metric("latency_mean_ns"));
  }
  EXPECT_LE(std::abs(mean_of(errors)), 3 * standard_error_of(errors)) << label;
  EXPECT_LE(std::abs(mean_of(errors)), 0.01 * mean_of(latencies)) << label;
}

TEST(WaitingTheory, ClassesAddUpToTheMeanLatency) {
  for (const double load : {0.2, 0.5})
    for (const char* scheme : {"1q", "voqsw", "voqnet", "fbicm"}) {
      EventSpec spec = observed(tree(4, 2), choose(schemes(), scheme), load);
      if (std::string(scheme) == "voqnet") spec.switches.queue_memory = Bytes{512};
      expect_adds_up(spec, std::string(scheme) + " in a tree at " + std::to_string(load));
    }
  EventSpec adaptive = observed(tree(4, 2), choose(schemes(), "1q"), 0.5);
  adaptive.routing.algorithm = choose(routings(), "adaptive");
  expect_adds_up(adaptive, "adaptive");
  EventSpec cioq = observed(tree(4, 2), choose(schemes(), "dbbm", {{"queues", 4}}), 0.6);
  cioq.switches.architecture = Architecture::cioq;
  cioq.switches.crossbar_speedup = 2.0;
  expect_adds_up(cioq, "cioq");
  EventSpec credits = observed(tree(4, 2), choose(schemes(), "1q"), 0.4);
  credits.switches.credit_packet = Bytes{8};
  expect_adds_up(credits, "credits that share the links");
}

// With a queue per output no packet waits behind a head for another output.
TEST(WaitingTheory, NoHeadOfLineBlockingInASwitchWithAQueuePerOutput) {
  const Result result = run(observed(single(16), choose(schemes(), "voqsw"), 0.9));
  EXPECT_EQ(result.metric("hol_blocking_ns"), 0);
  EXPECT_EQ(result.metric("links_lost_hol"), 0);
  EXPECT_GT(run(observed(single(16), choose(schemes(), "1q"), 0.5)).metric("hol_blocking_ns"), 0);
}

// Karol, Hluchyj and Morgan 1987: a saturated switch with one queue per input loses capacity to head-of-line
// blocking, which must show in its link time.
TEST(WaitingTheory, ASaturatedSwitchLosesItsCapacityToHeadOfLineBlocking) {
  EventSpec spec = observed(single(16), choose(schemes(), "1q"), 1.0);
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "saturated");
  const Result result = run(spec);
  const double busy = result.metric("links_busy");
  EXPECT_NEAR(busy, result.metric("accepted_load"), 0.01);
  EXPECT_LT(busy, 0.7);
  EXPECT_NEAR(result.metric("links_lost_hol"), 1 - busy, 0.02);
}

// A memory of 2 packets behind a link whose credits take 8 packet times to return: the root has kind
// "window", and the slots limit the throughput.
TEST(WaitingTheory, AWindowLimitsTheLoad) {
  EventSpec spec = observed(single(2), choose(schemes(), "1q"), 1.0);
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "saturated");
  spec.network.link.delay = Duration{224};
  spec.switches.input_memory = Bytes{128};
  const Result result = run(spec);
  const std::vector<std::string>& kinds = test::words(result.table("roots"), "kind");
  const auto window = static_cast<std::size_t>(std::ranges::find(kinds, "window") - kinds.begin());
  ASSERT_LT(window, kinds.size());
  EXPECT_EQ(test::column(result.table("roots"), "round_trip_ns")[window], 224 + 64 + 224);
  EXPECT_DOUBLE_EQ(test::column(result.table("roots"), "window_load")[window], 2 * 64.0 / 512);
  EXPECT_NEAR(result.metric("accepted_load"), test::column(result.table("roots"), "window_load")[window],
              0.01);
}

// Case 4 of the DBBM paper (Nachiondo et al. 2005, section 5.3): with 8 queues by destination, the victims
// are the destinations that share the hot spot's queue: 6, 14, 22, 38, 46, 54 and 62. Photographs identify
// them without a comparison with fair shares.
TEST(WaitingTheory, VictimsOfCase4OfDbbm) {
  EventSpec spec = observed(
      choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 4}}, {"nodes_per_switch", 4}}),
      choose(schemes(), "dbbm", {{"queues", 8}}), 0.2);
  spec.routing.algorithm = choose(routings(), "dor");
  spec.switches.architecture = Architecture::cioq;
  spec.switches.crossbar_speedup = 1.5;
  spec.switches.input_memory = spec.switches.output_memory = Bytes{4096};
  FlowSpec hot;
  hot.sources = {.kind = NodeSet::Kind::random, .fraction = 0.3};
  hot.pattern = choose(patterns(), "hotspot", {{"destination", 30}});
  spec.traffic.flows.front().sources.kind = NodeSet::Kind::rest;
  spec.traffic.flows.insert(spec.traffic.flows.begin(), hot);
  const Result result = run(spec);
  const std::vector<double>& victims = test::column(result.table("per_destination"), "victim_packets");
  std::vector<std::size_t> many;
  for (std::size_t node = 0; node < victims.size(); ++node)
    if (node != 30 && victims[node] > 1) many.push_back(node);
  EXPECT_THAT(many, testing::ElementsAre(6, 14, 22, 38, 46, 54, 62));
}

}  // namespace
}  // namespace headway
