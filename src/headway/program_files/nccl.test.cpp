// SPDX-License-Identifier: Apache-2.0
// Logs of NCCL: the rings and trees that they tell, and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headway/program_files/program_summary.h"
#include "tests/support/nccl_log.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::goal_text;
using test::read_program;
using testing::HasSubstr;

std::string nccl_text(const std::string& log, Arguments arguments = {}) {
  const auto read = read_program("nccl", log, 0, arguments);
  return read.program ? goal_text(read) : read.text();
}

TEST(Nccl, ARingIsAnAllReduceInTheOrderOfTheLog) {
  const std::string text =
      nccl_text("h:1:2 [0] NCCL INFO Channel 00/01 :    0   2   1\n", {{"size", Bytes{30}}});
  EXPECT_THAT(text, HasSubstr("num_ranks 3\nrank 0 {\n"));
  EXPECT_THAT(text, HasSubstr("send 10b to 2\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("rank 0 {\n  l0: send 10b to 1")));
}

// Bytes of an all-reduce: each of n ranks sends 2 (n - 1) / n of the data, in rings and in trees the same in
// total.
TEST(Nccl, EveryChannelHasItsPart) {
  const std::string log(test::kNcclLog);
  for (const char* const algorithm : {"ring", "tree"}) {
    const auto read = read_program("nccl", log, 0, {{"size", Bytes{4000}}, {"algorithm", algorithm}});
    ASSERT_TRUE(read.program) << read.text();
    EXPECT_EQ(summary_of(*read.program).bytes, 2U * 3 * 4000) << algorithm;
    EXPECT_EQ(read.program->ranks(), 4U);
  }
  EXPECT_EQ(recognised_program(InputFile::in_memory("x", "log", log)), "nccl");
}

TEST(Nccl, ATreeReducesAndBroadcasts) {
  const std::string log =
      "NCCL INFO Trees [0] 1/2/-1->0->-1\nNCCL INFO Trees [0] -1/-1/-1->1->0\nNCCL INFO Trees [0] "
      "-1/-1/-1->2->0|0->2->-1\n";
  EXPECT_EQ(nccl_text(log, {{"size", Bytes{8}}, {"algorithm", "tree"}}),
            "num_ranks 3\n"
            "rank 0 {\n  l0: recv 8b from 1\n  l1: recv 8b from 2\n  l2: send 8b to 1\n  l2 requires l0\n  "
            "l2 requires l1\n"
            "  l3: send 8b to 2\n  l3 requires l0\n  l3 requires l1\n}\n"
            "rank 1 {\n  l0: send 8b to 0\n  l1: recv 8b from 0\n  l1 requires l0\n}\n"
            "rank 2 {\n  l0: send 8b to 0\n  l1: recv 8b from 0\n  l1 requires l0\n}\n");
}

TEST(Nccl, TheLargestCommunicatorCounts) {
  const std::string log =
      "NCCL INFO Channel 00/01 : 0 1\n" + std::string(test::kNcclLog) + "NCCL INFO Channel 00/01 : 0 1\n";
  EXPECT_THAT(nccl_text(log), HasSubstr("num_ranks 4\n"));
}

TEST(Nccl, MistakesHaveTheirLine) {
  EXPECT_THAT(nccl_text("NCCL INFO hello\n"), HasSubstr("the log tells no ring and no tree"));
  EXPECT_THAT(nccl_text("NCCL INFO Channel 00/01 : 0 2\n"), HasSubstr(":1:"));
  EXPECT_THAT(nccl_text("NCCL INFO Channel 00/01 : 0 1 2\nNCCL INFO Channel 00/01 : 0 2 1\n"),
              HasSubstr("channel 0 of 3 ranks has another ring in line 1"));
  EXPECT_THAT(nccl_text("NCCL INFO Trees [0] 1/-1->0->-1\nNCCL INFO Trees [0] -1->1->-1\n"),
              HasSubstr("rank 0 names rank 1, which does not name it"));
  EXPECT_THAT(nccl_text("NCCL INFO Trees [0] 1/x->0->-1\n"), HasSubstr("is no node of a tree"));
  EXPECT_THAT(nccl_text("NCCL INFO Channel 00/01 : 0 1\n", {{"algorithm", "tree"}}),
              HasSubstr("the log has no tree"));
}

}  // namespace
}  // namespace headway
