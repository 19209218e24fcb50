// SPDX-License-Identifier: Apache-2.0
// Workloads of ASTRA-sim and SimAI: which collectives they become, and what is wrong with a file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/program_files/program_summary.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::goal_text;
using test::read_program;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSimAi =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 8 ga: 1 all_gpus: 8 "
    "checkpoints: 0 "
    "checkpoint_initiates: 0\n1\n";

std::string astra_text(std::string_view content, std::uint32_t ranks, Arguments arguments = {}) {
  const auto read = read_program("astra-sim", std::string(content), ranks, arguments);
  return read.program ? goal_text(read) : read.text();
}
std::string of_rank(const std::string& goal, int rank) {
  const std::size_t begin = goal.find(fmt::format("rank {} {{\n", rank));
  return goal.substr(begin, goal.find("}\n", begin) + 2 - begin);
}
// Peers of rank 0, in the order of its sends.
std::vector<std::uint32_t> peers_of_rank_0(std::string_view layer, Arguments arguments = {}) {
  const auto read = read_program("astra-sim", std::string(kSimAi) + std::string(layer), 0, arguments);
  std::vector<std::uint32_t> peers;
  if (!read.program)
    ADD_FAILURE() << read.text();
  else
    for (std::uint32_t op = 0; op < read.program->first_of_rank[1]; ++op)
      if (read.program->ops[op].kind == ProgramOpKind::send)
        peers.push_back(read.program->rank_of(read.program->ops[op].partner));
  return peers;
}

TEST(AstraSim, DataParallelismOverlapsTheReductionOfGradients) {
  const std::string text = astra_text(
      "DATA\n2\na -1 1 NONE 0 2 NONE 0 3 ALLREDUCE 8 4\nb -1 5 ALLREDUCE 9 6 NONE 0 7 ALLREDUCE 16 0\n", 2,
      {{"algorithm", "recursive-doubling"}});
  EXPECT_EQ(of_rank(text, 0),
            "rank 0 {\n"
            "  l0: calc 1\n"
            "  l1: calc 5\n  l1 requires l0\n"  // forward; its communication has no meaning
            "  l2: calc 7\n  l2 requires l1\n"  // weight gradient of b
            "  l3: send 16b to 1 cpu 1\n  l3 requires l2\n"
            "  l4: recv 16b from 1 cpu 1\n  l4 requires l2\n"
            "  l5: calc 6\n  l5 requires l2\n"  // input gradient of b
            "  l6: calc 3\n  l6 requires l5\n"  // weight gradient of a, which needs no input gradient
            "  l7: send 8b to 1 cpu 1\n  l7 requires l3\n  l7 requires l4\n  l7 requires l6\n"
            "  l8: recv 8b from 1 cpu 1\n  l8 requires l3\n  l8 requires l4\n  l8 requires l6\n"
            "  l9: calc 4 cpu 1\n  l9 requires l7\n  l9 requires l8\n"
            "}\n");
}

TEST(AstraSim, ModelParallelismWaitsForActivations) {
  const std::string text = astra_text(
      "MODEL\n2\na -1 1 ALLREDUCE 8 2 ALLREDUCE 9 3 ALLREDUCE 10 4\nb -1 5 NONE 0 6 ALLREDUCE 16 7 NONE 0 "
      "0\n",
      2, {{"algorithm", "recursive-doubling"}});
  EXPECT_EQ(
      of_rank(text, 0),
      "rank 0 {\n"
      "  l0: calc 1\n"
      "  l1: send 8b to 1\n  l1 requires l0\n"
      "  l2: recv 8b from 1\n  l2 requires l0\n"
      "  l3: calc 5\n  l3 requires l1\n  l3 requires l2\n"
      "  l4: calc 6\n  l4 requires l3\n"  // input gradient of b; its exchange is beside the weight gradient
      "  l5: send 16b to 1 cpu 1\n  l5 requires l4\n"
      "  l6: recv 16b from 1 cpu 1\n  l6 requires l4\n"
      "  l7: calc 7\n  l7 requires l4\n"
      "  l8: calc 2\n  l8 requires l5\n  l8 requires l6\n  l8 requires l7\n"
      "  l9: calc 3\n  l9 requires l8\n"
      "}\n");
}

TEST(AstraSim, MicroBenchmarksHaveWeightGradientsOnly) {
  const auto read = read_program(
      "astra-sim",
      "MICRO\n2\na -1 1 ALLREDUCE 8 2 NONE 0 3 ALLTOALL 800 0\nb -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n", 4);
  ASSERT_TRUE(read.program) << read.text();
  const ProgramSummary summary = summary_of(*read.program);
  EXPECT_EQ(summary.computes, 0U);
  EXPECT_EQ(summary.sends, 12U);
  EXPECT_EQ(summary.bytes, 12 * 200U);
}

// 8 ranks: 2 share a layer, 4 have a copy, of which 2 share experts.
TEST(AstraSim, GroupsAreThoseOfTheHeader) {
  using Peers = std::vector<std::uint32_t>;
  EXPECT_EQ(peers_of_rank_0("a -1 0 ALLTOALL 8 0 NONE 0 0 NONE 0 0\n"), (Peers{1})) << "tensor";
  EXPECT_EQ(peers_of_rank_0("a -1 0 NONE 0 0 NONE 0 0 ALLTOALL 8 0\n"), (Peers{2, 4, 6})) << "copies";
  EXPECT_EQ(peers_of_rank_0("a -1 0 ALLTOALL_EP 8 0 NONE 0 0 NONE 0 0\n"), (Peers{2})) << "experts";
  EXPECT_EQ(peers_of_rank_0("a -1 0 NONE 0 0 NONE 0 0 ALLTOALL_DP_EP 8 0\n"), (Peers{4}))
      << "copies of an expert";
  EXPECT_EQ(peers_of_rank_0("a -1 0 NONE 0 0 NONE 0 0 ALLTOALL 8 0\n", {{"stages", 2}}), (Peers{2}));
  EXPECT_EQ(peers_of_rank_0("a -1 0 ALLTOALL 8 0 NONE 0 0 NONE 0 0\n", {{"tensor", 4}, {"expert", 1}}),
            (Peers{1, 2, 3}));
}

TEST(AstraSim, HybridsShareTheLayerNearOrFar) {
  const std::string layer = "1\na -1 0 ALLTOALL 8 0 NONE 0 0 NONE 0 0\n";
  EXPECT_THAT(astra_text("HYBRID_DATA_MODEL\n" + layer, 6, {{"tensor", 2}}),
              HasSubstr("rank 0 {\n  send 4b to 1"));
  EXPECT_THAT(astra_text("HYBRID_MODEL_DATA\n" + layer, 6, {{"tensor", 2}}),
              HasSubstr("rank 0 {\n  send 4b to 3"));
}

std::uint64_t bytes_of_all_gather(std::string_view header, Arguments arguments = {}) {
  const auto read = read_program(
      "astra-sim", std::string(header) + "1\na -1 0 NONE 0 0 NONE 0 0 ALLGATHER 800 0\n", 4, arguments);
  return read.program ? summary_of(*read.program).bytes : 0;
}

TEST(AstraSim, TheSizeOfAnAllGatherIsWhatTheFormatMeans) {
  const std::string_view simai = "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 all_gpus: 4\n";
  EXPECT_EQ(bytes_of_all_gather("DATA\n"), 4U * 3 * 800) << "of each rank";
  EXPECT_EQ(bytes_of_all_gather(simai), 4U * 3 * 200) << "of all ranks";
  EXPECT_EQ(bytes_of_all_gather("DATA\n", {{"gather_size", "output"}}), 4U * 3 * 200);
  EXPECT_EQ(bytes_of_all_gather(simai, {{"gather_size", "input"}}), 4U * 3 * 800);
}

TEST(AstraSim, ABroadcastBeginsAtTheFirstRankOfItsGroup) {
  const std::string text = astra_text(
      "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 all_gpus: 4\n1\na -1 0 BROADCAST 8 0 NONE 0 0 NONE 0 "
      "0\n",
      0);
  EXPECT_THAT(text, HasSubstr("send 8b to 1"));
  EXPECT_THAT(text, HasSubstr("send 8b to 3"));
  EXPECT_THAT(text, Not(HasSubstr("to 0")));
}

TEST(AstraSim, TimesHaveAUnit) {
  EXPECT_THAT(astra_text("DATA\n1\na -1 2 NONE 0 0 NONE 0 0 NONE 0 0\n", 1,
                         {{"time_unit", Duration{Rational(1000)}}}),
              HasSubstr("calc 2000\n"));
}

TEST(AstraSim, SaysWhatIsWrong) {
  const std::string simai(kSimAi);
  EXPECT_EQ(astra_text("DATE\n", 2),
            "test:1:1: a workload begins with its policy, but there is \"DATE\"; did you mean "
            "\"DATA\"?\n");
  EXPECT_EQ(astra_text("HYBRID_DLRM 5\n", 2), "test:1:1: Headway does not have the policy HYBRID_DLRM\n");
  EXPECT_EQ(astra_text("HYBRID_TRANSFORMER all_gpu: 2\n", 2),
            "test:1:20: a policy has no such key: there is \"all_gpu\"; did you mean \"all_gpus\"?\n");
  EXPECT_EQ(astra_text("HYBRID_TRANSFORMER all_gpus: 0\n", 2), "test:1:30: all_gpus is 0; 1 to 16777216\n");
  EXPECT_EQ(astra_text("HYBRID_TRANSFORMER checkpoints: 2 1 3\n", 2),
            "test:1:33: Headway does not repeat forward passes from checkpoints; 0 for none\n");
  EXPECT_EQ(astra_text("DATA\n", 2), "test:1:1: the file ends before the number of layers\n");
  EXPECT_EQ(astra_text("DATA\nx\n", 2),
            "test:2:1: the number of layers is missing, there is \"x\"; write a whole number\n");
  EXPECT_EQ(astra_text("DATA\n2\na -1 0 NONE 0 0 NONE 0 0 NONE 0 0\n", 2),
            "test:2:1: 2 layers are announced, but the file has 1\n");
  EXPECT_EQ(astra_text("DATA\n1\na -1 0 NONE 0 0 ALREDUCE 0 0 NONE 0 0\n", 2),
            "test:3:17: \"ALREDUCE\" is no collective; did you mean \"ALLREDUCE\"?\n");
  EXPECT_THAT(astra_text("DATA\n1\na -1 0 NONE 0 0 ALLREDUCE_EP 0 0 NONE 0 0\n", 2),
              StartsWith("test:3:17: \"ALLREDUCE_EP\" is no collective"));
  EXPECT_EQ(astra_text("DATA\n1\na -1 0 NONE 0 0 NONE 0 0 NONE 0\n", 2),
            "test:3:32: the time of the update is missing, the line ends; write a whole number\n");
  EXPECT_EQ(astra_text("DATA\n1\na -1 99999999999999999 NONE 0 0 NONE 0 0 NONE 0 0\n", 2),
            "test:3:6: the time of the forward is longer than 46 days; see time_unit\n");
  EXPECT_EQ(astra_text("DATA\n1\na -1 0 NONE 0 0 NONE 0 0 NONE 0 0 0\n", 2),
            "test:3:35: the line should end here, but there is \"0\"\n");
}

TEST(AstraSim, ChecksTheKeysOfTheJob) {
  const std::string layer = "1\na -1 0 ALLREDUCE 8 0 NONE 0 0 NONE 0 0\n",
                    simai = std::string(kSimAi) + layer.substr(2);
  EXPECT_EQ(astra_text("DATA\n" + layer, 0),
            "ranks: the file does not say how many ranks there are; give a number\n");
  EXPECT_EQ(astra_text("HYBRID_DATA_MODEL\n" + layer, 4),
            "tensor: the file does not say how many ranks share a layer; give a number\n");
  EXPECT_EQ(astra_text("DATA\n" + layer, 4, {{"tensor", 2}}),
            "tensor: has no meaning with the policy of this file\n");
  EXPECT_EQ(astra_text(simai, 0, {{"tensor", 3}}),
            "tensor: tensor × stages = 3 does not divide the 8 ranks\n");
  EXPECT_EQ(astra_text(simai, 0, {{"expert", 3}}),
            "expert: 3 does not divide the 4 ranks that have copies of a layer\n");
  EXPECT_THAT(astra_text(simai, 0, {{"algorithm", "hierarchical"}}),
              StartsWith("ranks_per_group: is missing"));
}

// More ranks than the memory has room for are refused before anything is built.
TEST(AstraSim, AFewBytesDoNotTakeMuchMemory) {
  EXPECT_THAT(astra_text("HYBRID_TRANSFORMER model_parallel_NPU_group: 1 all_gpus: 16777216\n1\n"
                         "a -1 1 NONE 0 0 NONE 0 0 ALLREDUCE 1 0\n",
                         0),
              StartsWith("program: has too many operations"));
}

TEST(AstraSim, EveryPrefixIsAProgramOrAMistakeWithItsLine) {
  const std::string whole =
      std::string(kSimAi) + "a -1 5 ALLREDUCE 8 5 ALLGATHER_EP 9 5 ALLTOALL_DP_EP 10 7\n";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = read_program("astra-sim", whole.substr(0, size), 8);
    if (read.program) continue;
    ASSERT_FALSE(read.mistakes.empty()) << size;
    for (const Mistake& mistake : read.mistakes.list())
      EXPECT_TRUE(mistake.where.starts_with("test") || mistake.where == "tensor" || mistake.where == "expert")
          << size << mistake.where << mistake.message;
  }
}

}  // namespace
}  // namespace headway
