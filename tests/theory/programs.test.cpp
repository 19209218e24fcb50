// SPDX-License-Identifier: Apache-2.0
// Completion times of programs whose ranks stay in step, to the tick: with links of b per byte and delay d, a
// message of B bytes over h cut-through switches takes B b + (h + 1) d (docs/programs.md). Sources of the
// closed forms: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH",
// 2005; Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms", 2009.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

constexpr double kSwitchDelay = 20;  // of a message over one switch, without its bytes; a byte takes 1 ns

Result result_of(const std::string& network, const std::string& job, const std::string& more = "") {
  const std::string text = fmt::format(
      "network = {{ {}, link = {{ rate = \"1 GB/s\", delay = \"10 ns\" }} }}\n"
      "switch = {{ scheme = \"voqnet\", queue_memory = \"2 KiB\" }}\n"
      "traffic.packet = \"256 B\"\n[[traffic.job]]\n{}\n{}",
      network, job, more);
  const Experiment experiment = load_experiment(parse_toml(text, "test"), {});
  Result result = run(experiment.points.front().spec());
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  return result;
}

double makespan(int ranks, const std::string& job) {
  return result_of(fmt::format("topology = \"single-switch\", nodes = {}", ranks), job).metric("makespan_ns");
}

constexpr const char* kThakur = "Thakur, Rabenseifner and Gropp 2005";

void expect_time(const std::string& what, const std::string& source, double expected_ns, double ours_ns) {
  test::expect_anchor({"programs", what + ", ns", source, expected_ns, 0}, ours_ns);
}

// No run is faster than the links of its busiest node carry its bytes (per_job.busiest_node_ns).
TEST(ProgramTheory, TheBusiestNodeIsAFloor) {
  struct Case {
    std::string job;
    double bytes;  // of the busiest node
  };
  const int p = 6, n = 1536;
  for (const auto& [job, bytes] :
       {Case{"program = \"all-reduce\"", 2.0 * (p - 1) * n / p},
        {"program = \"all-reduce\"\nalgorithm = \"tree\"\nchunks = 4", 3.0 * n},
        {"program = \"all-reduce\"\nalgorithm = \"in-network\"\nsegment = \"256 B\"", 1.0 * n},
        {"program = \"all-to-all\"\nalgorithm = \"linear\"", (p - 1.0) * n},
        {"program = \"all-reduce\"\nranks_per_node = 2", 2.0 * (2 * p - 1) * n / (2 * p)},
        {"program = \"all-reduce\"\niterations = 3", 3 * 2.0 * (p - 1) * n / p}}) {
    const Result result =
        result_of(fmt::format("topology = \"single-switch\", nodes = {}", p),
                  fmt::format("size = \"{} B\"\n{}", n, job), "[measure]\ntables = [\"critical-path\"]\n");
    const Table& jobs = result.tables.at("per_job");
    const double floor = find_column(jobs, "busiest_node_ns")->values.front();
    EXPECT_DOUBLE_EQ(floor, bytes) << job;
    EXPECT_LE(floor, find_column(jobs, "completion_ns")->values.front()) << job;
  }
}

TEST(ProgramTheory, RingAllReduceSendsAllBlocksTwice) {
  for (const int p : {2, 3, 5, 8, 12}) {
    const int n = 480 * p;
    expect_time(fmt::format("ring all-reduce of {} B, {} ranks", n, p), "Patarasuk and Yuan 2009",
                2 * (p - 1) * (480 + kSwitchDelay), makespan(p, fmt::format("size = \"{} B\"", n)));
  }
}

TEST(ProgramTheory, RecursiveDoublingExchangesAllBytesInEveryStep) {
  const std::string job = "algorithm = \"recursive-doubling\"\nsize = \"4096 B\"";
  for (const auto& [p, steps] : {std::pair(8, 3), {16, 4}})
    expect_time(fmt::format("all-reduce of 4096 B by recursive doubling, {} ranks", p), kThakur,
                steps * (4096 + kSwitchDelay), makespan(p, job));
}

TEST(ProgramTheory, RabenseifnerHalvesTheBytes) {
  const std::string job = "algorithm = \"rabenseifner\"\nsize = \"4096 B\"";
  for (const auto& [p, steps] : {std::pair(8, 3), {16, 4}})
    expect_time(fmt::format("all-reduce of 4096 B by Rabenseifner's algorithm, {} ranks", p), kThakur,
                2 * (4096.0 * (p - 1) / p + steps * kSwitchDelay), makespan(p, job));
}

TEST(ProgramTheory, BinomialBroadcastTakesLogarithmicallyManySteps) {
  for (const auto& [p, steps] : {std::pair(2, 1), {4, 2}, {8, 3}, {16, 4}})
    expect_time(fmt::format("broadcast of 1024 B along a binomial tree, {} ranks", p), kThakur,
                steps * (1024 + kSwitchDelay), makespan(p, "program = \"broadcast\"\nsize = \"1024 B\""));
}

TEST(ProgramTheory, BarrierHasAStepForEveryPowerOfTwo) {
  for (const auto& [p, steps] : {std::pair(2, 1), {3, 2}, {8, 3}, {9, 4}, {16, 4}})
    expect_time(fmt::format("dissemination barrier, {} ranks", p), "Hensgen, Finkel and Manber 1988",
                steps * (1 + kSwitchDelay), makespan(p, "program = \"barrier\""));
}

TEST(ProgramTheory, PairwiseAllToAllIsBoundByInjection) {
  for (const int p : {2, 5, 8})
    expect_time(fmt::format("pairwise all-to-all of blocks of 1024 B, {} ranks", p), kThakur,
                (p - 1) * (1024 + kSwitchDelay), makespan(p, "program = \"all-to-all\"\nsize = \"1024 B\""));
}

TEST(ProgramTheory, IncastIsBoundByTheLastLink) {
  for (const int senders : {1, 3, 7})
    expect_time(
        fmt::format("incast of {} times 2048 B", senders), "rate of the last link",
        senders * 2048 + kSwitchDelay,
        makespan(senders + 1, fmt::format("program = \"incast\"\nsenders = {}\nsize = \"2048 B\"", senders)));
}

// A client with one outstanding request needs a round trip and the service for each.
TEST(ProgramTheory, RequestsAreBoundByTheirWindow) {
  const std::string job =
      "program = \"request-reply\"\nclients = 1\nservers = 1\nrequests = 10\nrequest = \"64 B\"\n"
      "reply = \"1024 B\"\nservice = \"500 ns\"\nwindow = ";
  EXPECT_EQ(makespan(2, job + "1"), 10 * (64 + kSwitchDelay + 500 + 1024 + kSwitchDelay));
  EXPECT_LT(makespan(2, job + "4"), 10 * (64 + kSwitchDelay + 500 + 1024 + kSwitchDelay) * 0.7);
}

TEST(ProgramTheory, AnUncongestedTreeAddsTheDelaysOfItsLinks) {
  // ranks 0 and 1 of a pair are under the same leaf, or as far apart as two levels
  const std::string tree = "topology = \"k-ary-n-tree\", k = 4, n = 2";
  const auto pair_of = [&](int other) {
    return result_of(tree,
                     fmt::format("program = \"ping-pong\"\nsize = \"1000 B\"\nnodes = {{ nodes = [0, {}] }}",
                                 other))
        .metric("makespan_ns");
  };
  EXPECT_EQ(pair_of(1), 2 * (1000 + 2 * 10));
  EXPECT_EQ(pair_of(4), 2 * (1000 + 4 * 10));
}

// The request and the answer add their own times before the data.
TEST(ProgramTheory, AnnouncedMessagesAddTwoControlMessages) {
  const std::string job = "program = \"ping-pong\"\nsize = \"1000 B\"\ncontrol = \"64 B\"\nrendezvous = ";
  EXPECT_EQ(makespan(2, job + "\"1000 B\""), 2 * (1000 + kSwitchDelay));
  EXPECT_EQ(makespan(2, job + "\"999 B\""), 2 * (1000 + kSwitchDelay + 2 * (64 + kSwitchDelay)));
}

TEST(ProgramTheory, OverheadsAreOnBothSides) {
  EXPECT_EQ(makespan(2, "program = \"ping-pong\"\nsize = \"1000 B\"\noverhead = \"150 ns\""),
            2 * (1000 + kSwitchDelay + 2 * 150));
}

// LogGOPSim's README: a dissemination of 1 B over 16 ranks takes 22000 ns with L = 2500 and o = 1500. Here
// the byte takes 1 ns of the latency, and the links the rest.
TEST(ProgramTheory, LogGopsDisseminationTakesItsTime) {
  const Experiment experiment = load_experiment(
      parse_toml("network = { topology = \"single-switch\", nodes = 16, link = { rate = \"1 GB/s\", delay = "
                 "\"1249.5 ns\" } }\n[[traffic.job]]\nprogram = \"barrier\"\noverhead = \"1500 ns\"\n",
                 "test"),
      {});
  test::expect_anchor({"loggopsim", "dissemination of 1 B over 16 ranks, L = 2500, o = 1500, ns",
                       "LogGOPSim, README", 22000, 0},
                      run(experiment.points.front().spec()).metric("makespan_ns"));
}

TEST(ProgramTheory, SequencesTakeTheSumOfTheirPrograms) {
  const std::string all_reduce = "program = \"all-reduce\", size = \"3840 B\"",
                    barrier = "program = \"barrier\"";
  const double one = makespan(8, "size = \"3840 B\""), other = makespan(8, barrier);
  EXPECT_EQ(makespan(8, fmt::format("program = \"sequence\"\nrepeat = 3\nprograms = [{{ {} }}, {{ {} }}]",
                                    all_reduce, barrier)),
            3 * (one + other));
}

// A ring all-reduce at the rate of the links, less the delays.
TEST(ProgramTheory, BusBandwidthIsThatOfTheLinks) {
  const Result result = result_of("topology = \"single-switch\", nodes = 8",
                                  "name = \"ring\"\nsize = \"1920000 B\"\niterations = 2");
  const double ns = 2 * 7 * (240'000 + kSwitchDelay), expected = 2 * 7 / 8.0 * 1'920'000 / ns;
  EXPECT_DOUBLE_EQ(result.metric("ring.bus_bandwidth_gb_per_s"), expected);
  EXPECT_GT(expected, 0.999);
  EXPECT_DOUBLE_EQ(number_at(result.table("per_iteration"), "bus_bandwidth_gb_per_s", 1), expected);
}

// A request of 100 B, service, and a reply of 1000 B; the think time is not part of it.
TEST(ProgramTheory, SpansAreRequestsUntilTheirReply) {
  const Result result =
      result_of("topology = \"single-switch\", nodes = 2",
                "name = \"web\"\nprogram = \"request-reply\"\nrequest = \"100 B\"\nreply = \"1000 B\"\n"
                "requests = 5\nservice = \"300 ns\"\nthink = \"70 ns\"\niterations = 3");
  const double ns = 100 + kSwitchDelay + 300 + 1000 + kSwitchDelay;
  EXPECT_EQ(result.metric("web.spans"), 15);
  EXPECT_EQ(result.metric("web.span_mean_ns"), ns);
  EXPECT_EQ(result.metric("web.span_max_ns"), ns);
  EXPECT_NEAR(result.metric("web.span_p99_ns"), ns, 0.008 * ns);
}

}  // namespace
}  // namespace headway
