// SPDX-License-Identifier: Apache-2.0
// Collectives in switches, to the tick. Data of S segments go up L switches and down again. A segment of n
// bytes takes n b over a link of b per byte, and every aggregator has a segment before it goes on, so
// - all-reduce: S n b until the last segment has left its node, and n b at each of 2 L - 1 more aggregators
// and
//   nodes;
// - each link from or to a node has a delay of d; between two switches it is d, too; an aggregator's own link
// has b.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/support/anchor.h"

namespace headway {
namespace {

constexpr double kTimeOfByte = 1, kDelayOfLink = 20;  // ns

double makespan_of(const std::string& network, const std::string& job) {
  const std::string text = fmt::format(
      "network = {{ {}, link = {{ rate = \"1 GB/s\", delay = \"20 ns\" }} }}\n"
      "traffic.packet = \"256 B\"\nswitch.input_memory = \"4 KiB\"\n"
      "[[traffic.job]]\nalgorithm = \"in-network\"\n{}\n",
      network, job);
  const Experiment experiment = load_experiment(parse_toml(text, "test"), {});
  const Result result = run(experiment.points.front().spec(), {.check = true});
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  return result.metric("makespan_ns");
}

// Of a message over so many switches with aggregators, up and down.
double delays(int aggregators) {
  return 2 * aggregators * kDelayOfLink + 2 * (2 * aggregators - 1) * kTimeOfByte;
}

TEST(SwitchCollectives, AllReduceTakesItsDataOnceAndASegmentForEachAggregator) {
  for (const int levels : {1, 2, 3})
    for (const auto& [segments, bytes] : {std::pair(1, 512), {4, 256}, {8, 1024}}) {
      const std::string network = levels == 1
                                      ? "topology = \"single-switch\", nodes = 6"
                                      : fmt::format("topology = \"k-ary-n-tree\", k = 2, n = {}", levels);
      const double own = segments * bytes * kTimeOfByte, store = (2 * levels - 1) * bytes * kTimeOfByte;
      test::expect_anchor(
          {"programs",
           fmt::format("in-network all-reduce of {} segments of {} B, {} levels, ns", segments, bytes,
                       levels),
           "Graham et al. 2016", own + store + delays(levels), 0},
          makespan_of(network, fmt::format("program = \"all-reduce\"\nsize = \"{} B\"\nsegment = \"{} B\"",
                                           segments * bytes, bytes)));
    }
}

TEST(SwitchCollectives, ReductionsTakeTheirTimeAtEveryAggregatorOnTheWayUp) {
  // A segment is reduced in half the time that it takes over a link, so only the last one adds to the time.
  const double time = 4 * 256 * kTimeOfByte + 3 * 256 * kTimeOfByte + 2 * 256 * kTimeOfByte / 2 + delays(2);
  EXPECT_EQ(makespan_of("topology = \"k-ary-n-tree\", k = 2, n = 2",
                        "program = \"all-reduce\"\nsize = \"1 KiB\"\nsegment = \"256 B\"\n"
                        "reduction = \"2 GB/s\""),
            time);
}

TEST(SwitchCollectives, BroadcastAndReduceGoOneWay) {
  // From a node through the aggregators of its leaf, the root and another leaf.
  const double aggregators = 3, time = 4 * 256 * kTimeOfByte + aggregators * 256 * kTimeOfByte +
                                       (aggregators + 1) * kDelayOfLink + 2 * aggregators * kTimeOfByte;
  for (const char* const program : {"broadcast", "reduce"})
    EXPECT_EQ(makespan_of(
                  "topology = \"k-ary-n-tree\", k = 2, n = 2",
                  fmt::format("program = \"{}\"\nsize = \"1 KiB\"\nsegment = \"256 B\"\nroot = 3", program)),
              time)
        << program;
}

TEST(SwitchCollectives, ABarrierGoesToTheRootAndBack) {
  EXPECT_EQ(makespan_of("topology = \"k-ary-n-tree\", k = 4, n = 3", "program = \"barrier\""),
            6 * kTimeOfByte + delays(3));
}

TEST(SwitchCollectives, GroupsOfATrainingStepHaveTreesOfTheirOwn) {
  // Two groups of two servers on the same rails: the switch of a server reduces activations at its own rate.
  const std::string network = "topology = \"rails\", servers = 4, gpus = 4, scale_up_rate = \"8 GB/s\"";
  const std::string step =
      "program = \"training-step\"\nlayers = 1\nforward_ns = [0]\nbackward_ns = [0]\n"
      "gradient_bytes = [0]\ntensor = 4\nactivations = \"1 KiB\"\nsegment = \"1 KiB\"";
  // forward and backward, each there and back over one switch with 8 B/ns
  const double once = 2 * 1024 * kTimeOfByte / 8 + 2 * kDelayOfLink + 2 * kTimeOfByte / 8;
  EXPECT_EQ(makespan_of(network, step), 2 * once);
}

}  // namespace
}  // namespace headway
