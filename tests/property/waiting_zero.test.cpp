// SPDX-License-Identifier: Apache-2.0
// Runs that can have no head-of-line blocking, no victims, or only one root.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "headway/compile/plan.h"
#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"
#include "tests/support/mistakes.h"
#include "tests/support/random_spec.h"

namespace headway {
namespace {

constexpr std::uint32_t kSpecs = 40;

// Applies `change` to random specs and runs those that are still valid. Sources do not stop.
void for_each_spec(const std::function<bool(EventSpec&)>& change,
                   const std::function<void(const Result&)>& expect) {
  std::uint32_t ran = 0;
  for (std::uint64_t number = 0; ran < kSpecs && !testing::Test::HasFailure(); ++number) {
    ASSERT_LT(number, 100 * kSpecs);
    EventSpec spec = test::random_spec(number).spec;
    spec.observe.waiting = true;
    spec.observe.interval = Duration{20};
    spec.measure.warmup = Duration{500};
    spec.measure.duration = Duration{2'000};
    if (!change(spec)) continue;
    const Mistakes mistakes = test::mistakes_of(spec);
    if (!mistakes.empty()) continue;
    SCOPED_TRACE("random_spec(" + std::to_string(number) + "): " + test::random_spec(number).description);
    const Result result = run(spec);
    if (!(result.metric("packets_delivered") > 0)) continue;
    expect(result);
    ++ran;
  }
}

void expect_no_blocking(const Result& result) {
  EXPECT_GT(result.metric("photographs"), 50);
  EXPECT_EQ(result.metric("hol_blocking_ns"), 0);
  EXPECT_EQ(result.metric("hol_movable_ns"), 0);
  EXPECT_EQ(result.metric("links_lost_hol"), 0);
}

// Every input of the switch has a queue per output.
TEST(WaitingZero, NoBlockingInOneSwitchWithAQueuePerOutput) {
  for_each_spec(
      [](EventSpec& spec) {
        spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 8}});
        spec.routing.algorithm = choose(routings(), "det");
        spec.switches.scheme = choose(schemes(), "voqsw");
        return true;
      },
      [](const Result& result) { expect_no_blocking(result); });
}

// Every port has a queue per destination, also at the nodes.
TEST(WaitingZero, NoBlockingAndNoVictimsWithAQueuePerDestination) {
  for_each_spec(
      [](EventSpec& spec) {
        spec.switches.scheme = choose(schemes(), "voqnet");
        spec.switches.virtual_channels = 1;
        spec.switches.weights.clear();
        spec.switches.output_queues = OutputQueues::as_input;
        spec.node.admittance = Admittance::per_destination;
        return spec.routing.algorithm->single_path();
      },
      [](const Result& result) {
        expect_no_blocking(result);
        EXPECT_EQ(result.metric("victim_wait_ns"), 0);
      });
}

// All packets have one source and one destination.
TEST(WaitingZero, NoBlockingAndNoVictimsWithOneFlow) {
  for_each_spec(
      [](EventSpec& spec) {
        FlowSpec& flow = spec.traffic.flows.front();
        const auto last = static_cast<NodeId>(spec.network.topology->nodes() - 1);
        flow.sources = {.kind = NodeSet::Kind::nodes, .nodes = {0}};
        flow.pattern = choose(patterns(), "hotspot", {{"destination", static_cast<std::int64_t>(last)}});
        flow.stop.reset();
        spec.traffic.flows.resize(1);
        return spec.routing.algorithm->single_path();
      },
      [](const Result& result) {
        expect_no_blocking(result);
        EXPECT_EQ(result.metric("victim_wait_ns"), 0);
      });
}

// Packets never meet.
TEST(WaitingZero, NoWaitingAtZeroLoad) {
  for_each_spec(
      [](EventSpec& spec) {
        for (FlowSpec& flow : spec.traffic.flows) {
          flow.load.points = {{Duration{0}, 1e-6}};
          flow.arrivals = choose(arrival_processes(), "poisson");
          flow.sizes = choose(message_sizes(), "fixed");
          flow.start.reset();
          flow.stop.reset();
        }
        spec.measure.duration = Duration{10'000'000};
        spec.observe.interval = Duration{100'000};
        return true;
      },
      [](const Result& result) {
        EXPECT_EQ(result.metric("hol_blocking_ns"), 0);
        EXPECT_EQ(result.metric("victim_wait_ns"), 0);
      });
}

// All nodes send to node 5, at four times the rate of its link.
EventSpec with_one_bottleneck(const Choice<Topology>& topology, const char* scheme) {
  EventSpec spec;
  spec.network.topology = topology;
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.scheme = choose(schemes(), scheme);
  spec.switches.queue_memory = Bytes{512};
  FlowSpec& hot = spec.traffic.flows.front();
  hot.pattern = choose(patterns(), "hotspot", {{"destination", 5}});
  hot.load = {.points = {{Duration{0}, 4.0 / static_cast<double>(topology->nodes())}}};
  spec.measure.warmup = Duration{50'000};
  spec.measure.duration = Duration{100'000};
  spec.observe.waiting = true;
  spec.observe.interval = Duration{500};
  return spec;
}

// After the warm-up all queues on the paths are full. In a single switch all packets wait for the only
// bottleneck. In a tree, a few heads wait for a link that is sending into the last free slot; none of these
// links has a congestion tree. (Schemes with isolation are left out: with Stop and Go, queues drain and fill
// again, and packets behind them are charged to the links that fill them.)
TEST(WaitingZero, OneBottleneckIsTheOnlyRoot) {
  for (const char* scheme : {"1q", "voqsw", "dbbm", "obqa", "voqnet"}) {
    SCOPED_TRACE(scheme);
    const Result alone =
        run(with_one_bottleneck(choose(topologies(), "single-switch", {{"nodes", 16}}), scheme));
    ASSERT_EQ(rows_of(alone.table("roots")), 1U);
    EXPECT_EQ(test::column(alone.table("roots"), "to_node").front(), 5);

    const Result tree =
        run(with_one_bottleneck(choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}}), scheme));
    const std::vector<double>& packets = test::column(tree.table("roots"), "packets");
    const std::vector<double>& trees = test::column(tree.table("roots"), "tree_share");
    EXPECT_EQ(std::ranges::count(trees, 0.0) + 1, std::ssize(trees));
    const auto root = static_cast<std::size_t>(std::ranges::max_element(trees) - trees.begin());
    EXPECT_EQ(trees[root], 1);
    EXPECT_EQ(test::column(tree.table("roots"), "to_node")[root], 5);
    EXPECT_GT(packets[root], 0.999 * std::accumulate(packets.begin(), packets.end(), 0.0));
    for (const Result* result : {&alone, &tree}) EXPECT_EQ(result->metric("victim_wait_ns"), 0);
  }
}

}  // namespace
}  // namespace headway
