// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "headway/program_files/program_summary.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

using test::goal_text;
using test::read_program;
using testing::HasSubstr;
using testing::StartsWith;

std::string goal_refusal(const std::string& text) { return read_program("goal", text).text(); }
// A statement as the third line, in rank 0 of two.
std::string goal_refusal_of(const std::string& statement) {
  return goal_refusal("num_ranks 2\nrank 0 {\n" + statement + "\n}\nrank 1 {\n}\n");
}

// The dissemination barrier: in round k, every rank sends 1 B to the rank 2^k ahead; a send requires the
// receive of the round before.
std::string dissemination(std::uint32_t ranks) {
  std::string text = fmt::format("num_ranks {}\n", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    text += fmt::format("\nrank {} {{\n", rank);
    int label = 0;
    for (std::uint32_t distance = 1; distance < ranks; distance *= 2, label += 2) {
      text += fmt::format("l{}: send 1b to {} tag 1\n", label + 1, (rank + distance) % ranks);
      text += fmt::format("l{}: recv 1b from {} tag 1\n", label + 2, (rank + ranks - distance) % ranks);
      if (label > 0) text += fmt::format("l{} requires l{}\n", label + 1, label);
    }
    text += "}\n";
  }
  return text;
}

// A binomial broadcast of 1 B: in round k, rank r < 2^k sends to r + 2^k.
std::string binomial_broadcast(std::uint32_t ranks) {
  std::string text = fmt::format("num_ranks {}\n", ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    text += fmt::format("rank {} {{\n", rank);
    std::uint32_t first = 1;
    while (first <= rank) first *= 2;
    if (rank > 0) text += fmt::format("l1: recv 1b from {} tag 0 cpu 0\n", rank - first / 2);
    int label = 1;
    for (std::uint32_t distance = first; rank + distance < ranks; distance *= 2) {
      text += fmt::format("l{}: send 1b to {} tag 0 cpu 0 nic 0\n", ++label, rank + distance);
      if (rank > 0) text += fmt::format("l{} requires l1\n", label);
    }
    text += "}\n";
  }
  return text;
}

TEST(Goal, ReadsTheDisseminationOfSixteenRanks) {
  const auto read = read_program("goal", dissemination(16));
  ASSERT_TRUE(read.program) << read.text();
  const ProgramSummary summary = summary_of(*read.program);
  EXPECT_EQ(summary.ranks, 16U);
  EXPECT_EQ(summary.sends, 64U);
  EXPECT_EQ(summary.receives, 64U);
  EXPECT_EQ(summary.requirements, 48U);
  EXPECT_EQ(summary.depth, 8U) << "a send and a receive per round";
  Mistakes mistakes;
  report_cycle(*read.program, 0, mistakes);
  EXPECT_TRUE(mistakes.empty());
}

TEST(Goal, ReadsTheBinomialTreeOfThirtyTwoRanks) {
  const auto read = read_program("goal", binomial_broadcast(32));
  ASSERT_TRUE(read.program) << read.text();
  const ProgramSummary summary = summary_of(*read.program);
  EXPECT_EQ(summary.sends, 31U);
  EXPECT_EQ(summary.bytes, 31U);
  EXPECT_EQ(summary.requirements, 26U) << "the sends of ranks other than 0";
  EXPECT_EQ(summary.depth, 10U) << "five rounds of a send and a receive";
  EXPECT_EQ(summary.operations_of_largest, 5U);
}

TEST(Goal, ReadsWhatTheGrammarAllows) {
  const auto read =
      read_program("goal",
                   "// a file\r\n/* of\n two lines */ num_ranks 2 rank 0 { a: calc 5 cpu 255\r\n"
                   "\tb_1 :\tsend 1 b to 1 nic 3\n/* here */ b_1 irequires a\n// there\n\n"
                   "send 7b to 0 tag 4294967295\nrecv 8b from 0 tag 4294967295 cpu 1\n}\n"
                   "rank 1 {\nrecv 1b from 0 tag 0 cpu 0 nic 0\n}");
  ASSERT_TRUE(read.program) << read.text();
  EXPECT_EQ(goal_text(read),
            "num_ranks 2\nrank 0 {\n  l0: calc 5 cpu 255\n  l1: send 1b to 1\n  l1 irequires l0\n"
            "  send 7b to 0 tag 4294967295\n  recv 8b from 0 tag 4294967295 cpu 1\n}\n"
            "rank 1 {\n  recv 1b from 0\n}\n");
  EXPECT_EQ(read.program->ops[0].amount, 5000U);
  EXPECT_EQ(read.program->ops[0].place, 3U);
  EXPECT_EQ(read.program->ops[1].place, 4U);
}

TEST(Goal, WritesWhatItReads) {
  for (const std::string& text : {dissemination(16), dissemination(3), binomial_broadcast(32)}) {
    const auto first = read_program("goal", text);
    const auto second = read_program("goal", goal_text(first));
    ASSERT_TRUE(second.program) << second.text();
    EXPECT_TRUE(test::equal(*first.program, *second.program));
    EXPECT_EQ(goal_text(first), goal_text(second));
    const auto third = read_program("csv", test::csv_text(first));
    ASSERT_TRUE(third.program) << third.text();
    EXPECT_TRUE(test::equal(*first.program, *third.program));
  }
}

TEST(Goal, SaysWhatIsWrongInALine) {
  EXPECT_EQ(goal_refusal_of("snd 5b to 1"),
            "test:3:1: \"snd\" is neither an operation nor a label with \":\" or \"requires\"; did you mean "
            "\"send\"?\n");
  EXPECT_EQ(goal_refusal_of("a: sned 5b to 1"),
            "test:3:4: \"sned\" is no operation; did you mean \"send\"?\n");
  EXPECT_EQ(goal_refusal_of("send 5 to 1"),
            "test:3:8: the unit \"b\" behind the size is missing, there is \"to\"\n");
  EXPECT_EQ(goal_refusal_of("send 5b from 1"), "test:3:9: \"to\" is missing, there is \"from\"\n");
  EXPECT_EQ(goal_refusal_of("send 5b to 2"), "test:3:12: there is no rank 2; the file has ranks 0 to 1\n");
  EXPECT_EQ(goal_refusal_of("send b to 1"),
            "test:3:6: the size is missing, there is \"b\"; write a whole number\n");
  EXPECT_EQ(goal_refusal_of("send 5b to 1 cpu 0 tag 3"),
            "test:3:20: \"tag\" is here twice, or too late; options come in the order tag, cpu, nic\n");
  EXPECT_EQ(goal_refusal_of("calc 5 cpu 256"), "test:3:12: the cpu is too large; at most 255\n");
  EXPECT_EQ(goal_refusal_of("calc 5 nic 1"),
            "test:3:8: the statement should end here, but there is \"nic\"; valid here: cpu\n");
  EXPECT_EQ(goal_refusal_of("calc 5 // why"),
            "test:3:8: a comment cannot follow a statement; write it on a line of its own\n");
  EXPECT_EQ(goal_refusal_of("calc 99999999999999999"),
            "test:3:6: this calc takes more than 46 days; see calc_unit\n");
  EXPECT_EQ(goal_refusal_of("3: calc 5"), "test:3:1: \"3\" is no label; a label begins with a letter\n");
}

TEST(Goal, RefusesWhatHeadwayDoesNotHave) {
  EXPECT_EQ(goal_refusal_of("recv 5b from -1"),
            "test:3:14: any rank (-1) is not possible, because messages are matched before the run; name the "
            "rank\n");
  EXPECT_EQ(goal_refusal_of("recv 5b from 1 tag -1"),
            "test:3:20: any tag (-1) is not possible, because messages are matched before the run; name the "
            "tag\n");
  for (const std::string word : {"put", "get", "append", "test", "calcgem5"})
    for (const std::string label : {"", "a: "})
      EXPECT_THAT(goal_refusal_of(label + word + " 5b to 1"),
                  HasSubstr("\"" + word + "\" is an operation of LogGOPSim2, which Headway does not have"));
}

TEST(Goal, ChecksLabels) {
  EXPECT_EQ(goal_refusal_of("first: calc 1\nsecond: calc 2\nsecond requires frist"),
            "test:5:17: rank 0 has no label \"frist\" above this line; did you mean \"first\"?\n");
  EXPECT_EQ(
      goal_refusal_of("a: calc 1\na requires zebra\nzebra: calc 1"),
      "test:4:12: rank 0 has no label \"zebra\" above this line; define both labels above the line that "
      "uses them\n");
  EXPECT_EQ(goal_refusal_of("a: calc 1\na: calc 1"),
            "test:4:1: the label \"a\" is defined twice in rank 0; see line 3\n");
  EXPECT_EQ(goal_refusal_of("a: calc 1\na reqires a"),
            "test:4:3: \"reqires\" is unknown; did you mean \"requires\"?\n");
  EXPECT_EQ(goal_refusal_of("a: calc\nb: calc 1\nb requires a"),
            "test:3:8: the time of the calc is missing, the line ends; write a whole number\n")
      << "the label of a wrong line exists";
  // Labels belong to a rank.
  EXPECT_THAT(goal_refusal("num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\nb: calc 1\nb requires a\n}\n"),
              HasSubstr("test:7:12: rank 1 has no label \"a\""));
}

TEST(Goal, ChecksRanks) {
  EXPECT_EQ(goal_refusal(""), "test: the file does not say num_ranks; for example \"num_ranks 16\"\n");
  EXPECT_EQ(goal_refusal("rank 0 {\n}\n"),
            "test:1:1: num_ranks must come before the first rank; for example \"num_ranks 16\"\n");
  EXPECT_EQ(goal_refusal("num_ranks 0\n"), "test:1:11: a program has at least one rank\n");
  EXPECT_THAT(goal_refusal("num_ranks 2\nrank 1 {\n}\nrank 0 {\n}\n"),
              StartsWith("test:2:6: rank 0 is missing before rank 1; ranks come in the order"));
  EXPECT_THAT(goal_refusal("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n"),
              StartsWith("test:4:6: rank 0 is here twice"));
  EXPECT_THAT(goal_refusal("num_ranks 2\nrank 0 {\n}\n"),
              StartsWith("test:3:1: the file ends before rank 1"));
  EXPECT_THAT(goal_refusal("num_ranks 2\nrank 0 {\n}\nrank 2 {\n}\n"),
              StartsWith("test:4:6: there is no rank 2"));
  EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\ncalc 1\n"),
              StartsWith("test:3:1: rank 0 is not closed with a }"));
  EXPECT_THAT(goal_refusal("num_ranks 2\nrank 0 {\nrank 1 {\n}\n"),
              StartsWith("test:3:1: rank 0 is not closed"));
  EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\n}\n/* x\n"),
              StartsWith("test:4:1: this comment has no end"));
  EXPECT_THAT(goal_refusal("num_ranks 1\ncalc 5\n"),
              StartsWith("test:2:1: this operation is outside a rank"));
}

TEST(Goal, ReportsTenMistakesAndTheNumberOfTheOthers) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (int i = 0; i < 25; ++i) text += "cacl 5\n";
  const auto read = read_program("goal", text + "}\n");
  ASSERT_EQ(read.mistakes.list().size(), 11U);
  EXPECT_EQ(read.mistakes.list()[9].where, "test:12:1");
  EXPECT_EQ(read.mistakes.list()[10].message, "there are 15 more mistakes");
}

constexpr std::string_view kSmallGoal =
    "num_ranks 2\nrank 0 {\nl1: calc 10 cpu 1\nl2: send 8b to 1 tag 3\nl2 requires l1\n}\nrank 1 {\nrecv 8b "
    "from "
    "0 tag 3\n}\n";

// Either a program, or mistakes that all have a line, or that name an operation.
void expect_sane_goal(const std::string& text) {
  const auto read = read_program("goal", text);
  if (read.program) return;
  ASSERT_FALSE(read.mistakes.empty()) << text;
  for (const Mistake& mistake : read.mistakes.list())
    if (!mistake.message.starts_with("operation ")) {
      EXPECT_THAT(mistake.where, testing::MatchesRegex("test:[0-9]+:[0-9]+")) << text << mistake.message;
    } else {
      EXPECT_THAT(mistake.message, HasSubstr("(line ")) << text;
    }
}

TEST(Goal, EveryPrefixOfAFileIsAProgramOrAMistakeWithItsLine) {
  for (std::size_t size = 1; size < kSmallGoal.size(); ++size)
    expect_sane_goal(std::string(kSmallGoal.substr(0, size)));
}

TEST(Goal, EveryChangeOfAByteIsAProgramOrAMistakeWithItsLine) {
  for (std::size_t at = 0; at < kSmallGoal.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(kSmallGoal);
      text[at] = static_cast<char>(byte);
      expect_sane_goal(text);
    }
}

// Many labels in one rank, compressed: the table of labels grows, and the text is longer than the buffer.
TEST(Goal, ReadsAHundredThousandOperations) {
  constexpr std::uint32_t kOps = 100'000;
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (std::uint32_t op = 0; op < kOps; ++op) {
    text += fmt::format("l{}: calc {}\n", op, op % 7);
    if (op > 0) text += fmt::format("l{} requires l{}\nl{} irequires l{}\n", op, op - 1, op, op / 2);
  }
  const auto read = read_program("goal", text + "}\n");
  ASSERT_TRUE(read.program) << read.text();
  EXPECT_EQ(read.program->size(), kOps);
  EXPECT_EQ(read.program->dependents.size(), 2 * (kOps - 1));
  EXPECT_EQ(summary_of(*read.program).depth, kOps);
  for (std::uint32_t op = 0; op + 1 < kOps; ++op) ASSERT_EQ(read.program->ops[op + 1].requirements, 2U);
}

TEST(Goal, RoundsTimesDownToPicosecondsOfTheUnit) {
  const auto read = read_program("csv", "rank,kind,time_ns\n0,compute,1.5\n0,compute,2\n");
  EXPECT_EQ(goal_text(read), "// calc_unit = \"1 ps\"\nnum_ranks 1\nrank 0 {\n  calc 1500\n  calc 2000\n}\n");
}

std::uint64_t picoseconds_of_calc(const std::string& head, Arguments arguments = {}) {
  const auto read = read_program("goal", head + "num_ranks 1\nrank 0 {\n  calc 7\n}\n", 0, arguments);
  EXPECT_TRUE(read.program) << read.text();
  return read.program ? read.program->ops[0].amount : 0;
}

TEST(Goal, TakesTheUnitOfItsFirstLines) {
  EXPECT_EQ(picoseconds_of_calc(""), 7000U);
  EXPECT_EQ(picoseconds_of_calc("// calc_unit = \"1 ps\"\n"), 7U);
  EXPECT_EQ(picoseconds_of_calc("// made by hand\n  //calc_unit=\"2.5 us\" \n"), 17'500'000U);
  EXPECT_EQ(picoseconds_of_calc("// calc_unit = \"1 ps\"\n", {{"calc_unit", Duration{Rational(1, 1000)}}}),
            7U);
  EXPECT_EQ(picoseconds_of_calc("", {{"calc_unit", Duration{Rational(1000)}}}), 7'000'000U);
  EXPECT_EQ(picoseconds_of_calc("// the calc_unit = of others\n// calc_units = 3\n"), 7000U);
}

TEST(Goal, RefusesUnitsThatContradictEachOther) {
  EXPECT_EQ(goal_refusal("// calc_unit = \"1 parsec\"\nnum_ranks 1\nrank 0 {\n}\n"),
            "test:1:16: the unit of calc is not a time above 0; write for example // calc_unit = \"1 ps\"\n");
  EXPECT_THAT(goal_refusal("// calc_unit = \"0 ns\"\nnum_ranks 1\nrank 0 {\n}\n"), HasSubstr("above 0"));
  EXPECT_EQ(
      goal_refusal("// calc_unit = \"1 ps\"\n// calc_unit = \"1 ns\"\nnum_ranks 1\nrank 0 {\n}\n"),
      "test:2:4: the unit of calc is 1 ns here, and 1 ps above; both are the same, or one of them is left "
      "out\n");
  EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\n// calc_unit = \"1 ps\"\n}\n"),
              HasSubstr("test:3:4: the unit of calc must come before the first rank"));
  const auto of_job = read_program("goal", "// calc_unit = \"1 ps\"\nnum_ranks 1\nrank 0 {\n}\n", 0,
                                   {{"calc_unit", Duration{Rational(1000)}}});
  EXPECT_THAT(of_job.text(), HasSubstr("the unit of calc is 1 ps here, and 1 us in the job (calc_unit)"));
  EXPECT_EQ(
      recognised_program(InputFile::in_memory("x", "goal", "// calc_unit = 3\nnum_ranks 1\nrank 0 {\n}\n")),
      "goal")
      << "so that the mistake is told";
}

}  // namespace
}  // namespace headway
