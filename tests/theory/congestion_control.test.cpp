// SPDX-License-Identifier: Apache-2.0
// Congestion control between the ends where the result is known: DCQCN's fair rates and its fixed point (Zhu
// et al., "ECN or Delay", CoNEXT 2016, section 3), its instability with a long loop, and InfiniBand's
// fairness at a hot spot (Gran et al., IPDPS 2010).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "headway/compile/build.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/support/anchor.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

EventSpec control_spec(const std::string& text) {
  Mistakes mistakes;
  EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

struct Loop {
  double queue = 0;           // mean bytes for the bottleneck
  double deviation = 0;       // of it, as a fraction of the mean
  std::vector<double> rates;  // [flow] mean, as a fraction of the link's
};

// Nodes send all they may over one switch to one more node, at 40 Gb/s with the parameters of the paper.
Loop run_dcqcn(int flows, int loop_ns, double p_max = 0.01, int k_max = 200) {
  const std::string text = fmt::format(R"(
[network]
topology = "single-switch"
nodes = {0}
link = {{ rate = "5 GB/s", delay = "10 ns" }}
[switch]
scheme = "voqsw"
queue_memory = "20 MB"
marking = "red"
k_min = "5 kB"
k_max = "{3} kB"
p_max = {4}
[node]
reaction = "dcqcn"
notification_delay = "{2} ns"
injection_memory = "2 MB"
[traffic]
packet = "1 kB"
[[traffic.flow]]
sources = {{ first = {1} }}
pattern = "hotspot"
destination = {1}
arrivals = "saturated"
backlog = 2
[measure]
warmup = "1 ms"
duration = "10 ms"
)",
                                       flows + 1, flows, loop_ns, k_max, p_max);
  const Model model = build(control_spec(text));
  const auto simulation = make_simulation(model.network, model.workload, {.seed = 1});
  const double tick_ns = model.network.tick.ns.to_double();
  Loop seen;
  std::vector<double> queue;
  seen.rates.resize(static_cast<std::size_t>(flows));
  for (double now = 100e6; now < 300e6; now += 5000) {
    simulation->run_until(static_cast<Tick>(now / tick_ns));
    queue.push_back(static_cast<double>(simulation->view().bytes_waiting(static_cast<PortId>(flows))));
    for (std::size_t f = 0; f < seen.rates.size(); ++f)
      seen.rates[f] += simulation->view().rate(static_cast<NodeId>(f), static_cast<NodeId>(flows));
  }
  const auto samples = static_cast<double>(queue.size());
  for (const double bytes : queue) seen.queue += bytes / samples;
  double squares = 0;
  for (const double bytes : queue) squares += (bytes - seen.queue) * (bytes - seen.queue) / samples;
  seen.deviation = std::sqrt(squares) / seen.queue;
  for (double& rate : seen.rates) rate /= samples;
  return seen;
}

// The fixed point of the fluid model is a lower bound: it has no packets, no start at full rate and no
// granularity of cuts, all of which lengthen the queue (CoNEXT 2016, figure 3, has the same sign).
TEST(Dcqcn, RatesAreFairAndTheQueueFollowsTheFixedPoint) {
  const struct {
    int flows;
    double queue;  // bytes
  } fixed_points[] = {{2, 20'200}, {4, 41'800}, {8, 93'800}, {10, 122'600}};
  for (const auto& [flows, queue] : fixed_points) {
    const Loop seen = run_dcqcn(flows, 1000);
    EXPECT_GT(seen.queue, queue) << flows;
    EXPECT_LT(seen.queue, 1.5 * queue) << flows;
    EXPECT_THAT(seen.rates, testing::Each(testing::DoubleNear(1.0 / flows, 0.1 / flows))) << flows;
    test::expect_anchor({"control", fmt::format("rate of the first of {} flows, DCQCN", flows),
                         "fair rates (Zhu et al. 2016)", 1.0 / flows, 0.1 / flows},
                        seen.rates[0]);
  }
}

// CoNEXT 2016, section 3.2: with a loop of 85 us, 10 flows oscillate and 2 do not. 64 flows have no fixed
// point at these thresholds: their queue is at k_max with a short loop and swings with a long one.
TEST(Dcqcn, ALongLoopMakesTenFlowsOscillateButNotTwo) {
  EXPECT_LT(run_dcqcn(10, 4'000).deviation, 0.4);
  EXPECT_GT(run_dcqcn(10, 85'000).deviation, 1);
  EXPECT_LT(run_dcqcn(2, 85'000).deviation, 1.3 * run_dcqcn(2, 4'000).deviation);
}

// Nodes 0 to 6 at one switch and node 7 at the next one send to node 8 there; node 9 gets a little from node
// 6, a victim in the queue of the others.
std::string two_switches(std::string_view switches, std::string_view node) {
  return fmt::format(R"(
[network]
topology = "mesh"
sides = [2]
nodes_per_switch = 8
link = {{ rate = "1 GB/s", delay = "20 ns" }}
[routing]
algorithm = "dor"
[switch]
{}
[node]
injection_memory = "256 B"
{}
[[traffic.flow]]
name = "hot"
sources = {{ nodes = [0, 1, 2, 3, 4, 5, 6, 8] }}
pattern = "hotspot"
destination = 9
arrivals = "saturated"
backlog = 2
[[traffic.flow]]
name = "victim"
sources = {{ nodes = [7] }}
pattern = "hotspot"
destination = 10
load = 0.3
[measure]
warmup = "2 ms"
duration = "2 ms"
tables = ["per-pair"]
)",
                     switches, node);
}

// The accepted load by source: of the hot ones, and of the victim at node 7.
std::vector<double> loads(std::string_view switches, std::string_view node) {
  const Result result = run(control_spec(two_switches(switches, node)));
  const Table& pairs = result.table("per_pair");
  std::vector<double> by_source(9);
  for (std::size_t row = 0; row < test::column(pairs, "source").size(); ++row)
    if (const double source = test::column(pairs, "source")[row]; source < 9)
      by_source[static_cast<std::size_t>(source)] += test::column(pairs, "accepted_load")[row];
  return by_source;
}

// Without congestion control, each input of the last switch gets its turn, so that the source beside the hot
// spot gets half of it and seven others the rest, and they hold the victim back. InfiniBand's control makes
// the sources equal and lets the victim through.
TEST(InfiniBandControl, MakesAHotSpotFairAndFreesItsVictim) {
  const std::vector<double> without = loads("scheme = \"1q\"", "");
  test::expect_anchor({"control", "share of the source beside a hot spot of eight, without control",
                       "turns of inputs (Gran et al. 2010)", 0.5, 0.02},
                      without[8]);
  EXPECT_LT(without[7], 0.12);
  const std::vector<double> with =
      loads("scheme = \"1q\"\nmarking = \"infiniband\"\nthreshold = 15", "reaction = \"infiniband\"");
  const double sum = with[0] + with[1] + with[2] + with[3] + with[4] + with[5] + with[6] + with[8];
  EXPECT_GT(sum, 0.65) << "a timer that can hold 64 flows costs a hot spot of eight a third of its link";
  test::expect_anchor({"control", "accepted load of its victim at load 0.3, InfiniBand's control",
                       "Gran et al. 2010", 0.3, 0.02},
                      with[7]);
  for (const std::size_t source : {0, 1, 2, 3, 4, 5, 6, 8})
    EXPECT_NEAR(with[source], sum / 8, 0.05) << source;
}

// Isolation saves the victim but leaves the sources unequal; marks from its queues make them equal, too
// (CCFIT).
TEST(Ccfit, IsolationSavesTheVictimAndThrottlingHelpsFairness) {
  const std::string_view fbicm = "scheme = \"fbicm\"";
  const std::vector<double> isolated = loads(fbicm, "");
  EXPECT_NEAR(isolated[7], 0.3, 0.02);
  EXPECT_GT(isolated[8], 0.4);
  const std::vector<double> both =
      loads("scheme = \"fbicm\"\nmarking = \"isolation\"", "reaction = \"infiniband\"");
  EXPECT_NEAR(both[7], 0.3, 0.02);
  EXPECT_LT(both[8], 0.65 * isolated[8]);
  const double sum = both[0] + both[1] + both[2] + both[3] + both[4] + both[5] + both[6] + both[8];
  EXPECT_GT(sum, 0.75);
}

// A job whose flow a slow node has had marked: its critical path says that it waits for its own rate, and
// every part of the waiting has a class.
TEST(LimitedJobs, CriticalPathsNameTheLimit) {
  const Result result = run(control_spec(R"(
[network]
topology = "k-ary-n-tree"
k = 2
n = 2
[switch]
scheme = "voqsw"
queue_memory = "1 KiB"
marking = "infiniband"
victim_mask = "nodes"
[node]
reaction = "infiniband"
[[node.receiver]]
nodes = { nodes = [3] }
rate = 0.25
[[traffic.job]]
program = "all-reduce"
size = "16 KiB"
[measure]
tables = ["critical-path"]
)"));
  const std::vector<std::string>& classes = test::words(result.table("critical_waits"), "waiting");
  EXPECT_THAT(classes, testing::Contains("limited"));
  EXPECT_THAT(classes, testing::Not(testing::Contains("")));
  EXPECT_EQ(result.status, Status::ok) << result.detail;
}

}  // namespace
}  // namespace headway
