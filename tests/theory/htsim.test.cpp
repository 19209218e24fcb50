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

TEST(HtsimValidation, AFlowAloneTakesTheRecordedTime) { EXPECT_NEAR(last_flow("one", k16), 176.2, 0.001); }

TEST(HtsimValidation, FlowsInBothDirectionsDoNotMeet) {
  EXPECT_NEAR(last_flow("bidir", k16) / 176.804, 1, 0.005) << "acknowledgements meet data in htsim";
}

TEST(HtsimValidation, IncastsAreBoundByTheLastLink) {
  EXPECT_NEAR(last_flow("incast", k16) / 2478.53, 1, 0.02);
  EXPECT_NEAR(last_flow("incast_128", k128) / 21029.3, 1, 0.02);
}

TEST(HtsimValidation, OutcastsAreBoundByTheFirstLink) {
  EXPECT_NEAR(last_flow("outcast_incast", k128) / 1638.08, 1, 0.01);
}

// From node 1 to node 0, beside a tenth of what nodes 2 and 3 send: 0.8 of the link.
TEST(HtsimValidation, AFlowBesidePartsOfOthersHasTheRestOfTheLink) {
  const Result result = run_matrix("outcast_incast", k128, "random-up");
  const double time = test::column(result.table("per_operation"), "finish_ns")[0] + acknowledgement(2);
  EXPECT_NEAR(time / 1000 / 208.019, 1, 0.05);
}

TEST(HtsimValidation, SprayedPermutationsTakeTheRecordedTime) {
  EXPECT_NEAR(last_flow("perm_16n", k16) / 194.022, 1, 0.03);
  const double large = last_flow("perm_1024n", k1024);
  EXPECT_NEAR(large / 200.507, 1, 0.01) << "bitmap";
  EXPECT_NEAR(large / 198.246, 1, 0.02) << "REPS";
  EXPECT_NEAR(large / 212.794, 1, 0.06) << "oblivious, of which 628 packets were sent twice";
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
