// SPDX-License-Identifier: Apache-2.0
// The binary form of GOAL: it reads as the text it was made from, and damage is a mistake with its byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/goal_bytes.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::goal_text;
using test::GoalBytes;
using test::read_program;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSmall =
    "num_ranks 2\nrank 0 {\nl1: calc 10 cpu 1\nl2: send 8b to 1 tag 3\nl3: calc 1\nl3 requires l1\nl3 "
    "irequires "
    "l2\nl2 requires l1\n}\nrank 1 {\nrecv 8b from 0 tag 3\n}\n";

std::string binary_of(std::string_view text) {
  const auto read = read_program("goal", std::string(text));
  return GoalBytes::of(*read.program, read.tags);
}
const std::string& small_binary() {
  static const std::string binary = binary_of(kSmall);
  return binary;
}

// What reading says after bytes from `at` on are replaced.
std::string binary_refusal(std::size_t at, std::string_view with) {
  std::string bytes = small_binary();
  bytes.replace(at, with.size(), with);
  const auto read = read_program("goal", bytes);
  EXPECT_FALSE(read.program);
  return read.text();
}

// Places in the small file: the table is at byte 14, rank 0 at 46 with one ready operation, its records at
// 58, 97 and 136, its appendix at 175, and rank 1 at 187.
constexpr std::size_t kRank0 = 46, kFirstOp = 58, kSecondOp = 97, kAppendix = 175, kRank1 = 187;

TEST(GoalBinary, ReadsAsItsText) {
  const auto text = read_program("goal", std::string(kSmall)), binary = read_program("goal", small_binary());
  ASSERT_TRUE(binary.program) << binary.text();
  EXPECT_TRUE(test::equal(*text.program, *binary.program));
  EXPECT_EQ(goal_text(binary), goal_text(text));
  EXPECT_EQ(recognised_program(InputFile::in_memory("x", "bin", small_binary())), "goal");
}

TEST(GoalBinary, SaysWhatIsWrongWithItsByte) {
  EXPECT_EQ(binary_refusal(0, std::string_view("\x26\x09", 2)),
            "test at byte 0: the file is unfinished: the program that wrote it has not come to its end\n");
  EXPECT_THAT(binary_refusal(8, std::string_view("\0\0\0\0", 4)),
              StartsWith("test at byte 8: the file has 0 ranks"));
  EXPECT_THAT(binary_refusal(14, "\x29"),
              StartsWith("test at byte 14: rank 0 begins at byte 49 of the file; it must "
                         "be byte 46, where the table ends"));
  EXPECT_THAT(binary_refusal(22, std::string_view("\1", 1)),
              StartsWith("test at byte 22: rank 0 ends at byte 9"));
  EXPECT_THAT(binary_refusal(kRank0, "\x04"), StartsWith("test at byte 46: rank 0 has 4 operations"));
  EXPECT_THAT(
      binary_refusal(kFirstOp + 4, "\x07"),
      StartsWith("test at byte 62: an operation of kind 7 is unknown; 1 is send, 2 receive and 3 calc"));
  EXPECT_THAT(binary_refusal(kFirstOp + 9, "\xff\xff\xff\xff\xff\xff\xff\xff"),
              StartsWith("test at byte 67: this calc takes more than 46 days"));
  EXPECT_THAT(binary_refusal(kSecondOp + 5, "\x09"),
              StartsWith("test at byte 102: there is no rank 9; the file has 2"));
  EXPECT_THAT(binary_refusal(kSecondOp + 5, "\xff\xff\xff\xff"),
              StartsWith("test at byte 102: any rank is not possible"));
  EXPECT_THAT(binary_refusal(kSecondOp + 17, "\xff\xff\xff\xff"),
              StartsWith("test at byte 114: any tag is not"));
  EXPECT_THAT(binary_refusal(kSecondOp + 9, "\xff\xff\xff\xff\xff\xff\xff\xff"),
              StartsWith("test at byte 106: the size is too large"));
  EXPECT_THAT(binary_refusal(kFirstOp + 27, "\x05"),
              StartsWith("test at byte 85: the operations that require"));
  EXPECT_THAT(binary_refusal(kFirstOp + 23, "\x05"),
              StartsWith("test at byte 124: the operations that require"));
  EXPECT_THAT(binary_refusal(kAppendix, "\x09"),
              StartsWith("test at byte 175: rank 0 has no operation 9; it has 3"));
  EXPECT_THAT(binary_refusal(kSecondOp, "\x02"),
              StartsWith("test at byte 97: operation 1 of rank 0 has 2 requirements"));
  const auto more = read_program("goal", small_binary() + "x");
  EXPECT_THAT(more.text(), HasSubstr("the file should end here"));
  EXPECT_THAT(read_program("goal", small_binary().substr(0, kRank1 + 3)).text(),
              StartsWith("test at byte 190: the file ends within the number of operations"));
}

// A number of operations or ranks that the file cannot have costs no memory: a child of the fuzz tests would
// find it.
TEST(GoalBinary, HugeNumbersAreMistakes) {
  EXPECT_THAT(binary_refusal(8, "\xff\xff\xff\xff"),
              StartsWith("test at byte 8: the file has 4294967295 ranks"));
  EXPECT_THAT(binary_refusal(kRank0, "\xff\xff\xff\xff"),
              StartsWith("test at byte 46: rank 0 has 4294967295"));
  std::string ranks = small_binary();
  ranks.replace(8, 4, std::string_view("\xff\xff\xff\0", 4));
  EXPECT_THAT(read_program("goal", ranks).text(), HasSubstr("rank 0 begins at byte 46"));
}

TEST(GoalBinary, HasWhatBuiltInProgramsHave) {
  for (const char* name : {"all-reduce", "halo", "request-reply", "training-step"}) {
    ProgramBuilder builder(8);
    choose(programs(), name)->build(builder);
    Mistakes mistakes;
    std::vector<std::uint32_t> tags;
    const auto program = builder.take(mistakes, &tags);
    const auto binary = read_program("goal", GoalBytes::of(*program, tags));
    ASSERT_TRUE(binary.program) << binary.text();
    EXPECT_TRUE(test::equal(*program, *binary.program)) << name;
  }
}

// Either a program, or mistakes that all have a byte, or that name an operation.
void expect_sane_binary(const std::string& bytes) {
  const auto read = read_program("goal", bytes);
  if (read.program) return;
  ASSERT_FALSE(read.mistakes.empty());
  for (const Mistake& mistake : read.mistakes.list())
    EXPECT_TRUE(mistake.message.starts_with("operation ") || mistake.where.starts_with("test at byte "))
        << mistake.where << mistake.message;
}

TEST(GoalBinary, EveryPrefixIsAMistakeWithItsByte) {
  for (std::size_t size = 8; size < small_binary().size(); ++size) {
    const auto read = read_program("goal", small_binary().substr(0, size));
    EXPECT_FALSE(read.program) << size;
    expect_sane_binary(small_binary().substr(0, size));
  }
}

TEST(GoalBinary, EveryChangeOfAByteIsAProgramOrAMistakeWithItsByte) {
  for (std::size_t at = 8; at < small_binary().size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string bytes = small_binary();
      bytes[at] = static_cast<char>(byte);
      expect_sane_binary(bytes);
    }
}

}  // namespace
}  // namespace headway
