// SPDX-License-Identifier: Apache-2.0
// Nodes with several links, to the tick: a message takes the scale-up links of its server at their rate, and
// a NIC beyond, and collectives by servers and rails take the sum of their steps. With links of b per byte
// and delay d, a message of B bytes over h switches takes B b + (h + 1) d (docs/programs.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

// Scale-up links carry 8 B/ns, NICs 1 B/ns; a link has a delay of 10 ns.
Result result_on(const std::string& rails, const std::string& traffic) {
  const std::string text = fmt::format(
      "network = {{ topology = \"rails\", {}, scale_up_rate = \"8 GB/s\", link = {{ rate = \"1 GB/s\", delay "
      "= "
      "\"10 ns\" }} }}\n"
      "switch = {{ scheme = \"voqnet\", queue_memory = \"2 KiB\" }}\n"
      "traffic.packet = \"256 B\"\n{}\n",
      rails, traffic);
  const Experiment experiment = load_experiment(parse_toml(text, "test"), {});
  Result result = run(experiment.points.front().spec());
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  return result;
}

double makespan_on(const std::string& rails, const std::string& job) {
  return result_on(rails, "[[traffic.job]]\n" + job).metric("makespan_ns");
}

constexpr double kOverASwitch = 20;  // over one switch

TEST(RailsTheory, AMessageTakesTheLinkThatLeadsToItsDestination) {
  const auto pair_of = [](int other) {
    return makespan_on(
        "servers = 3, gpus = 4",
        fmt::format("program = \"ping-pong\"\nsize = \"1024 B\"\nnodes = {{ nodes = [1, {}] }}", other));
  };
  EXPECT_EQ(pair_of(2), 2 * (1024 / 8 + kOverASwitch)) << "in the server";
  EXPECT_EQ(pair_of(5), 2 * (1024 + kOverASwitch)) << "on the rail";
  EXPECT_EQ(pair_of(6), 2 * (1024 + 2 * kOverASwitch)) << "on another rail, over a spine";
}

TEST(RailsTheory, HierarchicalAllReduceHasARingPerRail) {
  for (const auto& [servers, gpus] : {std::pair(3, 4), {2, 8}, {5, 2}}) {
    const int n = 64 * servers * gpus;
    const double inside = (gpus - 1) * (n / gpus / 8.0 + kOverASwitch);
    const double beyond = 2 * (servers - 1) * (64 + kOverASwitch);
    test::expect_anchor({"rails", fmt::format("all-reduce of {} B, {} servers of {}, ns", n, servers, gpus),
                         "Cho et al. 2019", 2 * inside + beyond, 0},
                        makespan_on(fmt::format("servers = {}, gpus = {}, spines = 0", servers, gpus),
                                    fmt::format("algorithm = \"hierarchical\"\nsize = \"{} B\"", n)));
  }
}

// As NCCL's PXN does: within the server to the GPU of the rail, and from there on the rail.
TEST(RailsTheory, HierarchicalAllToAllStaysOnItsRail) {
  for (const auto& [servers, gpus] : {std::pair(3, 4), {4, 2}}) {
    const double inside = (gpus - 1) * (256.0 * servers / 8 + kOverASwitch);
    const double beyond = (servers - 1) * (256 * gpus + kOverASwitch);
    test::expect_anchor(
        {"rails",
         fmt::format("all-to-all of blocks of 256 B over rails, {} servers of {}, ns", servers, gpus),
         "NVIDIA, NCCL 2.12", inside + beyond, 0},
        makespan_on(fmt::format("servers = {}, gpus = {}, spines = 0", servers, gpus),
                    "program = \"all-to-all\"\nalgorithm = \"hierarchical\"\nsize = \"256 B\""));
  }
}

// Pairwise, all messages of a step take as long if all links have one rate and all NICs are at one switch.
TEST(RailsTheory, PairwiseAllToAllIsThatOfASwitchIfAllLinksAreAlike) {
  const std::string text =
      "network = { topology = \"rails\", servers = 3, gpus = 4, rails = 1, spines = 0, scale_up_rate = "
      "\"1 GB/s\", link = { rate = \"1 GB/s\", delay = \"10 ns\" } }\n"
      "switch = { scheme = \"voqnet\", queue_memory = \"2 KiB\" }\ntraffic.packet = \"256 B\"\n"
      "[[traffic.job]]\nprogram = \"all-to-all\"\nsize = \"1024 B\"\n";
  const Experiment experiment = load_experiment(parse_toml(text, "test"), {});
  EXPECT_EQ(run(experiment.points.front().spec()).metric("makespan_ns"), 11 * (1024 + kOverASwitch));
}

// Of a packet, without a random phase.
Result permuted(const std::string& rails, const std::string& list, const std::string& more = "") {
  return result_on(rails,
                   fmt::format("[[traffic.flow]]\npattern = \"permutation\"\nlist = [{}]\narrivals = "
                               "\"periodic\"\nload = 1.0\n{}\n[measure]\nwarmup = \"1.024 us\"\nduration "
                               "= \"25.6 us\"\n",
                               list, more));
}

// A message every 128 ns, by turns over two planes, of which each carries one in 256 ns.
TEST(RailsTheory, PlanesCarryTheirRatesTogether) {
  const Result result = permuted("servers = 4, gpus = 2, planes = 2", "2, 3, 4, 5, 6, 7, 0, 1",
                                 "[routing]\nnode_link = \"turns\"");
  EXPECT_DOUBLE_EQ(result.metric("offered_load"), 1);
  EXPECT_DOUBLE_EQ(result.metric("accepted_load"), 1);
  EXPECT_EQ(result.metric("latency_mean_ns"), 256 + kOverASwitch);
  EXPECT_EQ(result.metric("latency_max_ns"), 256 + kOverASwitch);
}

// All destinations are in the server, so a load is a fraction of the rate of the scale-up links.
TEST(RailsTheory, LoadInsideServersIsThatOfScaleUpLinks) {
  const Result result = permuted("servers = 4, gpus = 2", "1, 0, 3, 2, 5, 4, 7, 6");
  EXPECT_DOUBLE_EQ(result.metric("offered_load"), 1);
  EXPECT_DOUBLE_EQ(result.metric("accepted_load"), 1);
  EXPECT_EQ(result.metric("latency_mean_ns"), 256 / 8 + kOverASwitch);
  EXPECT_EQ(result.metric("network_efficiency"), 8) << "of the rate of the NICs";
}

}  // namespace
}  // namespace headway
