// SPDX-License-Identifier: Apache-2.0
// Exact properties of adaptive fat-trees, in the setting of the selection-function paper (Gilabert et al.,
// Euro-Par 2006, section 5.1): packets of 1024 flits, 20 cycles per switch, 8 cycles per link, two packets
// per virtual channel and per output.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "headway/config/assign.h"
#include "headway/run/run.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

EventSpec papers_network(std::int64_t k, std::int64_t n, const char* selection, const char* pattern,
                         double load) {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}});
  spec.network.link = {Rate{1}, Duration{8}};
  spec.routing.algorithm = choose(routings(), "adaptive");
  spec.routing.selection = choose(selections(), selection);
  spec.switches.architecture = Architecture::cioq;
  spec.switches.output_queues = OutputQueues::one;
  spec.switches.output_memory = Bytes{2048};
  spec.switches.queue_memory = Bytes{2048};
  spec.switches.routing_delay = Duration{20};
  spec.traffic.packet = Bytes{1024};
  spec.traffic.flows.front().pattern = choose(patterns(), pattern);
  spec.traffic.flows.front().arrivals = choose(arrival_processes(), "periodic");
  spec.traffic.flows.front().load.points = {{Duration{0}, load}};
  return spec;
}

// The mean over pairs of L + 20 H + 8 (H + 1), with H = 2 i + 1 switches, where i is the highest digit that
// differs.
TEST(AdaptiveTrees, ZeroLoadLatency) {
  for (const auto& [n, expected] : {std::pair{2, 1104.8}, {4, 1210.2}, {6, 1321.4}}) {
    const double nodes = std::pow(4.0, n);
    double mean = 0;
    for (int i = 0; i < n; ++i) {
      const double switches = 2 * i + 1, pairs = 3 * std::pow(4.0, i);
      mean += pairs / (nodes - 1) * (1024 + 20 * switches + 8 * (switches + 1));
    }
    EXPECT_NEAR(mean, expected, 0.05);
    if (n == 6) continue;  // 4096 nodes: check the formula only
    EventSpec spec = papers_network(4, n, "sadp", "uniform", 0.001);
    spec.measure.warmup = Duration{0};
    spec.measure.duration = Duration{n == 2 ? 80'000'000 : 10'000'000};
    const Result result = run(spec);
    test::expect_anchor({"empty", fmt::format("mean latency of an adaptive 4-ary {}-tree, cycles", n),
                         "mean over all pairs; network of Gilabert et al. 2006", expected, 3},
                        result.metric("latency_mean_ns"));
    EXPECT_LE(result.metric("latency_p50_ns"), expected * 1.05);
  }
}

// A head that chooses again waits less than one that commits to a busy output, and less than with
// deterministic routing. Waiting is the latency minus that at zero load, in packet times.
TEST(AdaptiveTrees, RandomSelectionThatAsksAgainBeatsDeterministicRouting) {
  const auto waiting = [](const char* routing, std::optional<FreeOutput> free) {
    EventSpec spec;
    spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}});
    spec.routing.algorithm = choose(routings(), routing);
    spec.routing.selection = choose(selections(), "rp");
    if (free) spec.routing.free_output = *free;
    spec.traffic.flows.front().load.points = {{Duration{0}, 0.5}};
    spec.measure.warmup = Duration{20'000};
    spec.measure.duration = Duration{100'000};
    const double loaded = run(spec).metric("latency_mean_ns");
    spec.traffic.flows.front().load.points = {{Duration{0}, 0.001}};
    spec.measure.duration = Duration{2'000'000};
    return (loaded - run(spec).metric("latency_mean_ns")) / 64;
  };
  const double by_default = waiting("adaptive", std::nullopt), fixed = waiting("det", std::nullopt);
  EXPECT_EQ(by_default, waiting("adaptive", FreeOutput::now));
  EXPECT_LT(by_default, fixed);
  EXPECT_GT(waiting("adaptive", FreeOutput::room_credit), fixed);
}

// Under the complement pattern each switch's inputs carry distinct digits at every stage, so SADP's preferred
// paths never meet. Full load has the latency of an empty network.
TEST(AdaptiveTrees, SadpCarriesTheComplementWithoutConflict) {
  for (const FreeOutput free : {FreeOutput::room_credit, FreeOutput::spare_credit, FreeOutput::now}) {
    EventSpec spec = papers_network(4, 4, "sadp", "complement", 1.0);
    spec.routing.free_output = free;
    spec.measure.warmup = Duration{102'400};
    spec.measure.duration = Duration{409'600};
    const Result result = run(spec);
    EXPECT_NEAR(result.metric("accepted_load"), 1.0, 0.004) << name_of(free);
    test::expect_anchor(
        {"empty",
         "mean latency of the complement at full load, SADP, " + std::string(name_of(free)) + ", cycles",
         "no two packets meet (Gilabert et al. 2006)", 1228, 0},
        result.metric("latency_mean_ns"));
    EXPECT_EQ(result.metric("latency_max_ns"), 1228) << name_of(free);
  }
}

// A counter of the packets that get one of several links deals the links of a switch out cyclically. Under
// complement, a link is chosen again when its last packet has passed, whatever the arrivals, and the ways
// down mirror those up, so no two packets meet in the network (papers/selection). A counter of all packets
// has no such order.
TEST(AdaptiveTrees, CyclicPriorityHasNoConflictsUnderComplementIfItCountsPacketsUp) {
  const auto latency = [](const char* selection, CpCounts counts) {
    EventSpec spec = papers_network(4, 3, selection, "complement", 0.4);
    spec.routing.free_output = FreeOutput::room_credit;
    spec.routing.cp_counts = counts;
    spec.traffic.flows.front().arrivals = choose(arrival_processes(), "poisson");
    spec.measure.warmup = Duration{100'000};
    spec.measure.duration = Duration{200'000};
    return run(spec).metric("latency_mean_ns");
  };
  const double best = latency("sadp", CpCounts::chosen);
  EXPECT_EQ(latency("cp", CpCounts::chosen), best);
  EXPECT_GT(latency("cp", CpCounts::routed), 1.1 * best);
  EXPECT_LT(latency("mc", CpCounts::routed), 1.05 * best) << "better than cp, as the paper says";
}

// DET concentrates bit reversal of 256 nodes: destinations with the same lowest digits share their path up.
TEST(AdaptiveTrees, DetAcceptsASixteenthOfBitReversal) {
  EventSpec spec = papers_network(4, 4, "sadp", "bit-reversal", 1.0);
  spec.routing.algorithm = choose(routings(), "det");
  spec.measure.warmup = Duration{204'800};
  spec.measure.duration = Duration{409'600};
  test::expect_anchor({"links", "accepted load: bit reversal in a 4-ary 4-tree, det",
                       "load of the busiest link", 1.0 / 16, 0.01},
                      run(spec).metric("accepted_load"));
}

// With two stages the digit of the first stage is the lowest digit.
TEST(AdaptiveTrees, OnTwoStagesSadpIsSdp) {
  std::uint64_t hashes[2];
  for (int i = 0; i < 2; ++i) {
    EventSpec spec = papers_network(4, 2, i == 0 ? "sadp" : "sdp", "uniform", 0.8);
    spec.measure.warmup = Duration{0};
    spec.measure.duration = Duration{200'000};
    hashes[i] = run(spec).trace_hash;
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace headway
