// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/builder.h"

#include <gmock/gmock.h>

#include <limits>

#include "headway/programs/kind.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kNoRendezvous = std::numeric_limits<std::uint64_t>::max();

std::vector<std::uint32_t> dependents(const Program& program, std::uint32_t op) {
  std::vector<std::uint32_t> words;
  for (const Dependent dependent : program.dependents_of(op)) words.push_back(dependent.word);
  return words;
}

std::string refusal(ProgramBuilder& builder, std::uint64_t rendezvous = kNoRendezvous) {
  Mistakes mistakes;
  if (const auto program = builder.take(mistakes)) report_cycle(*program, rendezvous, mistakes);
  return mistakes.empty() ? "" : mistakes.list().front().message;
}

// Rank 1 is added first; operations are numbered rank by rank all the same.
TEST(ProgramBuilder, NumbersOperationsAndMatchesMessagesInTheirOrder) {
  ProgramBuilder builder(2);
  builder.receive(1, 0, 8);
  builder.receive(1, 0, 8);
  const auto compute = builder.compute(0, 5000);
  const auto first = builder.send(0, 1, 4);
  const auto second = builder.send(0, 1, 8);
  builder.require(0, second, compute);
  builder.require(0, second, first, /*on_start=*/true);
  Mistakes mistakes;
  const auto program = builder.take(mistakes);
  ASSERT_TRUE(program);
  EXPECT_THAT(program->first_of_rank, ElementsAre(0, 3, 5));
  EXPECT_EQ(program->ops[1].partner, 3U);
  EXPECT_EQ(program->ops[2].partner, 4U);
  EXPECT_EQ(program->ops[4].partner, 2U);
  EXPECT_EQ(program->ops[2].requirements, 2U);
  EXPECT_THAT(dependents(*program, 0), ElementsAre(2));
  EXPECT_THAT(dependents(*program, 1), ElementsAre(2 | Dependent::kOnStart));
  EXPECT_EQ(text_of_op(*program, 4), "operation 1 of rank 1 (receive 8 B from rank 0)");
  EXPECT_EQ(builder.size(), 0U);
}

TEST(ProgramBuilder, ReportsMessagesWithoutPartner) {
  ProgramBuilder builder(3);
  builder.send(0, 1, 4, /*tag=*/7, 0, /*place=*/12);
  EXPECT_EQ(refusal(builder),
            "operation 0 of rank 0 (line 12): this send to rank 1 with tag 7 has no receive");
  builder.receive(2, 1, 4);
  EXPECT_EQ(refusal(builder), "operation 0 of rank 2: this receive from rank 1 with tag 0 has no send");
  builder.send(0, 1, 9);
  builder.receive(1, 0, 8);
  EXPECT_EQ(refusal(builder), "operation 0 of rank 1: a receive of 8 B for a message of 9 B");
}

// Each rank receives before it sends.
TEST(ProgramBuilder, ReportsCycles) {
  ProgramBuilder builder(2);
  for (const std::uint32_t rank : {0U, 1U}) {
    const auto receive = builder.receive(rank, 1 - rank, 8);
    builder.require(rank, builder.send(rank, 1 - rank, 8), receive);
  }
  EXPECT_THAT(refusal(builder), HasSubstr("wait for each other in a cycle: operation"));

  builder.require(0, builder.compute(0, 1), 0);
  EXPECT_THAT(refusal(builder), HasSubstr("operation 0 of rank 0 (compute 1 ps)"));
}

// A send that begins when a receive is posted, and is answered: no cycle, though the operations of each rank
// have one if starts and ends are not told apart.
TEST(ProgramBuilder, TellsStartsFromEnds) {
  const auto make = [] {
    ProgramBuilder builder(2);
    const auto reply = builder.receive(0, 1, 8);
    builder.require(0, builder.send(0, 1, 8), reply, /*on_start=*/true);
    const auto request = builder.receive(1, 0, 8);
    builder.require(1, builder.send(1, 0, 8), request);
    return builder;
  };
  ProgramBuilder builder = make();
  EXPECT_EQ(refusal(builder), "");
  builder = make();
  EXPECT_EQ(refusal(builder, /*rendezvous=*/4), "") << "the receives are posted whatever comes";
}

// Announced messages need their receive, so two sends before the receives stand still.
TEST(ProgramBuilder, AnnouncedMessagesWaitForTheirReceive) {
  const auto make = [] {
    ProgramBuilder builder(2);
    for (const std::uint32_t rank : {0U, 1U}) {
      const auto send = builder.send(rank, 1 - rank, 8);
      builder.require(rank, builder.receive(rank, 1 - rank, 8), send);
    }
    return builder;
  };
  ProgramBuilder builder = make();
  EXPECT_EQ(refusal(builder), "");
  builder = make();
  EXPECT_THAT(refusal(builder, /*rendezvous=*/4), HasSubstr("in a cycle"));
}

TEST(Steps, BeginWhenAllOfThePreviousStepIsComplete) {
  ProgramBuilder builder(4);
  choose(programs(), "barrier")->build(builder);
  Mistakes mistakes;
  const auto program = builder.take(mistakes);
  ASSERT_TRUE(program);
  ASSERT_EQ(program->size(), 16U);
  EXPECT_EQ(program->ops[2].requirements, 2U);
  EXPECT_THAT(dependents(*program, 0), ElementsAre(2, 3));
  EXPECT_EQ(program->ops[program->ops[2].partner].rank, 2U);
}

TEST(ProgramBuilder, PartsOfARankFollowEachOther) {
  ProgramBuilder builder(3);
  for (int part = 0; part < 2; ++part) {  // 0 and 1 do two things at the same time; 2 does nothing
    builder.send(0, 1, 4);
    builder.receive(0, 1, 4);
    builder.receive(1, 0, 4);
    EXPECT_EQ(builder.send(1, 0, 4), 1U);
    builder.require(1, 1, 0, /*on_start=*/part == 1);
    builder.end_part();
  }
  builder.compute(2, 7);
  builder.compute(0, 7);
  builder.end_part();
  Mistakes mistakes;
  const auto program = builder.take(mistakes);
  ASSERT_TRUE(program);
  EXPECT_THAT(program->first_of_rank, ElementsAre(0, 6, 10, 11));
  // Rank 0: its third and fourth operation wait for both before, by a computation of no time.
  EXPECT_THAT(dependents(*program, 0), ElementsAre(4));
  EXPECT_THAT(dependents(*program, 1), ElementsAre(4));
  EXPECT_EQ(program->ops[4].kind, ProgramOpKind::compute);
  EXPECT_THAT(dependents(*program, 4), ElementsAre(2, 3));
  EXPECT_THAT(dependents(*program, 2), ElementsAre(5));
  EXPECT_THAT(dependents(*program, 3), ElementsAre(5));
  // Rank 1: one operation begins the second part, which another one of it follows at its start.
  EXPECT_THAT(dependents(*program, 6), ElementsAre(1));
  EXPECT_THAT(dependents(*program, 7), ElementsAre(2));
  EXPECT_THAT(dependents(*program, 8), ElementsAre(3 | Dependent::kOnStart));
  EXPECT_EQ(program->ops[10].requirements, 0U);
}

}  // namespace
}  // namespace headway
