// SPDX-License-Identifier: Apache-2.0
// CIOQ switches in cases with a known result: without output unit and speed-up they are input-queued
// switches; equal weights give plain round robin; other weights set the shares of a link; credits take their
// share of a link's rate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

Result run_with(std::string_view switches, std::string_view rest = "") {
  Mistakes mistakes;
  const std::string text = std::string(R"(
[network]
topology = "k-ary-n-tree"
k = 4
n = 2
[measure]
warmup = "10 us"
duration = "50 us"
tables = ["per-destination"]
[switch]
)") + std::string(switches) +
                           "\n" + std::string(rest);
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return run(spec);
}

constexpr std::string_view kHotSpot = R"(
[[traffic.flow]]
sources = { fraction = 0.75 }
load = 0.8
[[traffic.flow]]
sources = { rest = true }
pattern = "hotspot"
destination = 5
)";

TEST(Cioq, WithoutOutputStageAndSpeedUpIsInputQueued) {
  for (const char* scheme : {"1q", "voqsw", "voqnet", "dbbm", "emptiest"})
    for (const char* arbiter : {"round-robin", "oldest-first", "random"}) {
      const std::string common = std::string("scheme = \"") + scheme + "\"\narbiter = \"" + arbiter + "\"\n";
      const Result iq = run_with(common + "architecture = \"iq\"", kHotSpot);
      const Result cioq = run_with(
          common + "architecture = \"cioq\"\noutput_memory = \"0 B\"\ncrossbar_speedup = 1.0", kHotSpot);
      EXPECT_EQ(cioq.trace_hash, iq.trace_hash) << common;
      EXPECT_NE(run_with(common + "architecture = \"cioq\"", kHotSpot).trace_hash, iq.trace_hash)
          << "an output unit makes a difference: " << common;
    }
}

TEST(Cioq, WithEqualWeightsIsRoundRobin) {
  const std::string common =
      "scheme = \"dbbm\"\nqueues = 4\narchitecture = \"cioq\"\ncrossbar_speedup = 1.5\n";
  const std::string weighted = common + "output_arbiter = \"weighted-round-robin\"\n";
  const Result plain = run_with(common, kHotSpot);
  EXPECT_EQ(run_with(weighted, kHotSpot).trace_hash, plain.trace_hash);
  EXPECT_EQ(run_with(weighted + "weights = [1, 1, 1, 1]", kHotSpot).trace_hash, plain.trace_hash);
  EXPECT_NE(run_with(weighted + "weights = [5, 1, 1, 1]", kHotSpot).trace_hash, plain.trace_hash);
}

// Node 0 is backlogged for two destinations in separate queues. The weights set the shares of its link.
TEST(Cioq, SharesALinkByWeight) {
  const Result result = run_with(
      "scheme = \"dbbm\"\nqueues = 2\noutput_arbiter = \"weighted-round-robin\"\nweights = [3, 1]", R"(
[[traffic.flow]]
sources = { nodes = [0] }
pattern = "hotspot"
destination = 4
load = 0.9
[[traffic.flow]]
sources = { nodes = [0] }
pattern = "hotspot"
destination = 5
load = 0.9
)");
  EXPECT_NEAR(result.table("per_destination")[1].values[4], 0.75, 0.01);
  EXPECT_NEAR(result.table("per_destination")[1].values[5], 0.25, 0.01);
}

// Complement at full load in both directions of every link: each packet of 64 B shares its link with the
// credit of a packet in the other direction. Links to nodes are the exception because nodes send no credits.
TEST(Cioq, CreditsTakeTheirShareOfTheLink) {
  const auto accepted = [](std::string_view switches) {
    return run_with(switches, "[[traffic.flow]]\npattern = \"complement\"\narrivals = \"saturated\"")
        .metric("accepted_load");
  };
  EXPECT_NEAR(accepted("scheme = \"voqnet\""), 1.0, 0.005);
  for (const auto& [bytes, tolerance] : {std::pair(4, 0.005), {32, 0.03}})
    test::expect_anchor(
        {"links", fmt::format("accepted load of packets of 64 B beside credits of {} B", bytes),
         "rate of the link", 64.0 / (64 + bytes), tolerance},
        accepted(fmt::format("scheme = \"voqnet\"\ncredit_packet = \"{} B\"", bytes)));
}

}  // namespace
}  // namespace headway
