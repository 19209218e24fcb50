// SPDX-License-Identifier: Apache-2.0
// The connection matrices of htsim's validation take the time that htsim recorded (docs/validation.md). The
// matrices and their source are in tests/theory/htsim. The recorded times are those of
// validate_outputs/validate_uec_sender.out; the oblivious and REPS ones are of
// validate_load_balancing_snd.out.
//
// The network is htsim's default, a fat-tree of three levels: links of 100 Gb/s and 1 us, store-and-forward
// switches with queues at their outputs, of the bytes that are in flight in a round trip (43 packets). A
// packet has 4150 B, of which 64 B are headers, so data are sent at 4086/4150 of the rate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/support/anchor.h"
#include "tests/support/columns.h"

#include "test_paths.h"

namespace headway {
namespace {

// A flow of htsim ends when its sender has the last acknowledgement, of 64 B, which crosses as many links as
// the data.
double acknowledgement(int links) { return links * (1000 + 64 / 12.5); }

struct HtsimTree {
  int children, pods;  // of a leaf and of a switch in the middle; of a switch at the top
  int nodes() const { return children * children * pods; }
};
constexpr HtsimTree k16{2, 4}, k128{4, 8}, k1024{8, 16};

Result run_matrix(const std::string& matrix, const HtsimTree& tree, const std::string& routing) {
  const std::string text = fmt::format(
      "routing.algorithm = \"{0}\"\n"
      "network = {{ topology = \"pgft\", children = [{1}, {1}, {2}], parents = [1, {1}, {1}], link = {{ rate "
      "= "
      "\"12.307 GB/s\", delay = \"1 us\" }} }}\n"
      "switch = {{ switching = \"store-and-forward\", architecture = \"cioq\", crossbar_speedup = 16, "
      "input_memory = \"64 KiB\", output_memory = \"175698 B\" }}\n"
      "traffic.packet = \"4086 B\"\nmeasure.tables = [\"per-operation\"]\n"
      "[[traffic.job]]\nprogram = \"htsim\"\nfile = \"{3}/tests/theory/htsim/{4}.cm\"\n",
      routing, tree.children, tree.pods, kSourceDir, matrix);
  Result result = run(load_experiment(parse_toml(text, "test"), {}).points.front().spec());
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  return result;
}

// The completion time of the last flow, in us, as htsim counts it.
double last_flow(const std::string& matrix, const HtsimTree& tree, const std::string& routing = "random-up") {
  return (run_matrix(matrix, tree, routing).metric("makespan_ns") + acknowledgement(6)) / 1000;
}

// `part` is the part of the recorded time by which ours may differ.
void expect_recorded(const std::string& what, double recorded_us, double part, double ours_us) {
  test::expect_anchor({"htsim", what, "htsim", recorded_us, part * recorded_us}, ours_us);
}

TEST(HtsimValidation, AFlowAloneTakesTheRecordedTime) {
  expect_recorded("`one`: rate and length of the path", 176.2, 1e-5, last_flow("one", k16));
}

TEST(HtsimValidation, FlowsInBothDirectionsDoNotMeet) {
  expect_recorded("`bidir`: the same; in htsim, acknowledgements share the links", 176.804, 0.005,
                  last_flow("bidir", k16));
}

TEST(HtsimValidation, IncastsAreBoundByTheLastLink) {
  expect_recorded("`incast`, 15 to 1: the last link; htsim sent 811 packets twice", 2478.53, 0.02,
                  last_flow("incast", k16));
  expect_recorded("`incast_128`, 127 to 1: the last link; htsim sent 72,623 packets twice", 21029.3, 0.02,
                  last_flow("incast_128", k128));
}

TEST(HtsimValidation, OutcastsAreBoundByTheFirstLink) {
  expect_recorded("`outcast_incast`, last flow: the first links, of two nodes with 10 flows each", 1638.08,
                  0.01, last_flow("outcast_incast", k128));
}

// From node 1 to node 0, beside a tenth of what nodes 2 and 3 send: 0.8 of the link.
TEST(HtsimValidation, AFlowBesidePartsOfOthersHasTheRestOfTheLink) {
  const Result result = run_matrix("outcast_incast", k128, "random-up");
  const double time = test::column(result.table("per_operation"), "finish_ns")[0] + acknowledgement(2);
  expect_recorded("`outcast_incast`, flow from 1 to 0: what two other flows leave of the last link", 208.019,
                  0.05, time / 1000);
}

TEST(HtsimValidation, SprayedPermutationsTakeTheRecordedTime) {
  expect_recorded("`perm_16n`, 128 paths: nothing but short queues", 194.022, 0.03,
                  last_flow("perm_16n", k16));
  const double large = last_flow("perm_1024n", k1024);
  expect_recorded("`perm_1024n`, 128 paths, bitmap: the same", 200.507, 0.01, large);
  expect_recorded("`perm_1024n`, 128 paths, REPS: the same", 198.246, 0.02, large);
  expect_recorded("`perm_1024n`, 128 paths, oblivious: the same; htsim sent 628 packets twice", 212.794, 0.06,
                  large);
}

// The number of flows that share the worst link depends on how the paths were drawn: 3 and 5 in htsim.
TEST(HtsimValidation, PermutationsOnSinglePathsWaitForTheWorstLink) {
  const double alone = last_flow("one", k16), data = alone - 2 * acknowledgement(6) / 1000;
  for (const auto& [matrix, tree] : {std::pair("perm_16n", k16), {"perm_1024n", k1024}})
    for (const char* routing : {"det", "ecmp"}) {
      const double flows = (last_flow(matrix, tree, routing) - alone + data) / data;
      EXPECT_GT(flows, 1.9) << matrix << routing;
      EXPECT_LT(flows, 7) << matrix << routing;
    }
}

}  // namespace
}  // namespace headway
