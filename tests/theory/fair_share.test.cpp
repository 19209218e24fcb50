// SPDX-License-Identifier: Apache-2.0
// Runs against the max-min fair share, which depends on routes and offered traffic only (metrics/fairness.h).
// If only the links to destinations are bottlenecks, no scheme gives a destination more than its fair share,
// and VOQnet gives each nearly all of it. In any network, a pair can exceed its fair rate only at the cost of
// a pair whose fair rate is no higher.
#include <gtest/gtest.h>

#include <algorithm>

#include "headway/compile/build.h"
#include "headway/config/assign.h"
#include "headway/metrics/fairness.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"
#include "tests/support/without_file.h"

namespace headway {
namespace {

FlowSpec flow(Choice<Pattern> pattern, std::string_view arrivals, double load, NodeSet sources) {
  FlowSpec flow;
  flow.pattern = std::move(pattern);
  flow.arrivals = choose(arrival_processes(), arrivals);
  flow.load.points = {{Duration{0}, load}};
  flow.sources = std::move(sources);
  return flow;
}

EventSpec tree(std::string_view scheme) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.switches.scheme = choose(schemes(), scheme);
  if (spec.switches.scheme->pools_memory())
    spec.switches.input_memory = Bytes{4096};
  else
    spec.switches.queue_memory = Bytes{512};
  spec.traffic.flows.clear();
  spec.measure.warmup = Duration{0};
  return spec;
}

// A quarter of the nodes send only to node 6, the others send to all.
TEST(FairShare, IsTheIdealOfAHotSpot) {
  for (const Entry<Scheme>& scheme : test::schemes_without_file()) {
    EventSpec spec = tree(scheme.name);
    spec.traffic.flows = {flow(choose(patterns(), "uniform"), "periodic", 0.7,
                               {.kind = NodeSet::Kind::fraction, .fraction = 0.75}),
                          flow(choose(patterns(), "hotspot", {{"destination", 6}}), "periodic", 1.0,
                               {.kind = NodeSet::Kind::rest})};
    spec.measure.duration = Duration{400'000};
    spec.measure.tables.insert("fairness");
    spec.measure.victims_below = 0.85;
    spec.measure.tables.insert("destination-series");
    spec.measure.bin = Duration{100'000};
    const Result result = run(spec);
    const auto& accepted = test::column(result.table("per_destination"), "accepted_load");
    const auto& fair = test::column(result.table("per_destination"), "fair_share");
    for (NodeId node = 0; node < 16; ++node) {
      // each of the 12 uniform senders but the node itself gives a fifteenth of its load; draws deviate
      const bool sends = (node + 1) * 3 / 4 > node * 3 / 4;
      const double asked = node == 6 ? 1.0 : 0.7 * (sends ? 11 : 12) / 15;
      EXPECT_NEAR(fair[node], asked, 1e-9) << node;
      EXPECT_LT(accepted[node], fair[node] * (node == 6 ? 1.001 : 1.1)) << scheme.name << ' ' << node;
      if (scheme.name == "voqnet") EXPECT_GT(accepted[node], fair[node] * 0.9) << node;
    }
    EXPECT_LT(result.metric("network_efficiency"), result.metric("fair_efficiency") * 1.02) << scheme.name;
    if (scheme.name == "voqnet") {
      EXPECT_GT(result.metric("network_efficiency"), result.metric("fair_efficiency") * 0.98);
      EXPECT_GT(result.metric("jain_index"), 0.99);
      EXPECT_EQ(result.metric("victims"), 0);
    }
    if (scheme.name == "1q") {
      EXPECT_GT(result.metric("victims"), 8);
    }
    ASSERT_EQ(result.table("destination_series").front().values.size(), 4U);
    double sum = 0;
    for (const double bin : test::column(result.table("destination_series"), "accepted_load_6"))
      sum += bin / 4;
    EXPECT_NEAR(sum, accepted[6], 1e-9);
    EXPECT_EQ(test::column(result.table("destination_series"), "victims").size(), 4U);
  }
}

// By the definition of max-min fairness this holds for every allocation that the links can carry. Sources are
// saturated so that demands are not random. There is no warm-up, so no backlog is delivered within the
// window.
TEST(FairShare, IsExceededAtTheCostOfThoseWithAsLittleOnly) {
  using List = std::vector<std::int64_t>;
  const Choice<Pattern> everybody[] = {
      choose(patterns(), "hotspot", {{"destination", 3}}), choose(patterns(), "uniform"),
      // all sources of a leaf switch have destinations with the same last digit, so det sends them over the
      // same up link
      choose(patterns(), "permutation",
             {{"list", List{4, 8, 12, 5, 0, 9, 13, 1, 2, 6, 14, 10, 3, 7, 11, 15}}})};
  for (const Entry<Scheme>& scheme : test::schemes_without_file())
    for (const auto& pattern : everybody) {
      EventSpec spec = tree(scheme.name);
      spec.traffic.flows = {flow(pattern, "saturated", 1.0, {})};
      spec.measure.duration = Duration{200'000};
      spec.measure.tables.insert("per-pair");
      const Result result = run(spec);
      const Model model = build(spec);
      const std::vector<PairDemand> pairs = demands(model.workload, 0, model.duration);
      std::vector<double> capacity(model.network.graph.ports(), 1.0), demand, got;
      for (const PairDemand& pair : pairs) {
        demand.push_back(pair.bytes_per_tick);
        got.push_back(test::column(result.table("per_pair"),
                                   "accepted_load")[std::size_t{pair.source} * 16 + pair.destination]);
      }
      const std::vector<double> fair = max_min_rates(capacity, links_of(model.network, pairs), demand);
      constexpr double kNoise = 0.02;  // random draws, and packets in transit at the end
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (got[p] <= fair[p] + kNoise) continue;
        bool paid = false;
        for (std::size_t q = 0; q < pairs.size(); ++q) paid |= fair[q] <= fair[p] + 1e-9 && got[q] < fair[q];
        EXPECT_TRUE(paid) << scheme.name << ' ' << pattern.name << ": " << pairs[p].source << " to "
                          << pairs[p].destination << " got " << got[p] << " of " << fair[p];
      }
    }
}

// Valiant's routes are a known mixture: 7 of the 8 links of a group lead to waypoints, and each carries a
// seventh of the first halves of the paths of its group and of the second halves of those of another group.
TEST(FairShare, OfValiantsRoutesCountsBothHalves) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "dragonfly", {{"p", 2}, {"a", 4}, {"h", 2}});
  spec.routing.algorithm = choose(routings(), "valiant");
  spec.traffic.flows = {flow(choose(patterns(), "next-group", {{"size", 8}}), "periodic", 0.9, {})};
  spec.measure.warmup = Duration{20'000};
  spec.measure.duration = Duration{20'000};
  spec.measure.tables.insert("fairness");
  const Result result = run(spec);
  EXPECT_NEAR(result.metric("fair_efficiency"), 7.0 / 16, 1e-9);
  EXPECT_LT(result.metric("network_efficiency"), 1.01 * 7 / 16);
}

// Two flows of every node share its limit of admittance. A message of the one that always has more waits for
// at most one message of the other: the flow with a load of 0.2 sends a message after at most 5 + 1 + 1
// message times, the time of both in the queue included.
TEST(FairShare, SourcesOfANodeShareItsLimitOfAdmittance) {
  for (const std::int64_t packets : {1, 2}) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 2}});
    spec.node.admittance_limit = Bytes{packets * 512};
    spec.traffic.packet = Bytes{512};
    FlowSpec eager = flow(choose(patterns(), "complement"), "saturated", 1.0, {});
    FlowSpec modest = flow(choose(patterns(), "complement"), "periodic", 0.2, {});
    eager.name = "eager";
    modest.name = "modest";
    for (FlowSpec* const each : {&eager, &modest})
      each->sizes = choose(message_sizes(), "fixed", {{"message", Bytes{512}}});
    spec.traffic.flows = {eager, modest};
    spec.measure.warmup = Duration{10'000};
    spec.measure.duration = Duration{400'000};
    const Result result = run(spec);
    const auto& accepted = test::column(result.table("per_flow"), "accepted_load");
    EXPECT_NEAR(accepted[0] + accepted[1], 1, 0.01) << packets;
    EXPECT_GT(accepted[1], 1.0 / 7) << packets;
    EXPECT_LT(accepted[1], 0.2) << packets;
  }
}

}  // namespace
}  // namespace headway
