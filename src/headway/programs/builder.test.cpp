// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/builder.h"

#include <gmock/gmock.h>

#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "headway/base/rng.h"
#include "headway/programs/compiled_program.h"
#include "headway/programs/kind.h"
#include "tests/support/program_bytes.h"

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

// By sender, receiver and tag, also those that name a rank that does not exist.
TEST(ProgramBuilder, ReportsMessagesInTheOrderOfTheirRanks) {
  ProgramBuilder builder(3);
  builder.send(2, 9, 4);
  builder.receive(0, 9, 4);
  builder.receive(1, 2, 4);
  builder.send(0, 2, 4, /*tag=*/5);
  builder.send(0, 2, 4, /*tag=*/3);
  builder.receive(0, 8, 4);
  builder.receive(2, 0, 4, /*tag=*/4);
  Mistakes mistakes;
  EXPECT_FALSE(builder.take(mistakes));
  std::vector<std::string> texts;
  for (const Mistake& mistake : mistakes.list()) texts.push_back(mistake.message);
  EXPECT_THAT(texts, ElementsAre("operation 2 of rank 0: this send to rank 2 with tag 3 has no receive",
                                 "operation 1 of rank 2: this receive from rank 0 with tag 4 has no send",
                                 "operation 1 of rank 0: this send to rank 2 with tag 5 has no receive",
                                 "operation 0 of rank 1: this receive from rank 2 with tag 0 has no send",
                                 "operation 0 of rank 2: this send to rank 9 with tag 0 has no receive",
                                 "operation 3 of rank 0: this receive from rank 8 with tag 0 has no send",
                                 "operation 0 of rank 0: this receive from rank 9 with tag 0 has no send"));
}

TEST(ProgramBuilder, TakesAnyAmount) {
  constexpr std::uint64_t kAmounts[] = {(1ULL << 32) - 1, 1ULL << 32,
                                        std::numeric_limits<std::uint64_t>::max()};
  ProgramBuilder builder(2);
  for (const std::uint64_t amount : kAmounts) {
    builder.receive(1, 0, amount);
    builder.compute(0, amount);
    builder.send(0, 1, amount);
  }
  Mistakes mistakes;
  auto program = builder.take(mistakes);
  ASSERT_TRUE(program);
  EXPECT_EQ(text_of_op(*program, 4), "operation 4 of rank 0 (compute 18446744073709551615 ps)");
  const CompiledProgram compiled(*std::move(program));
  for (std::uint32_t i = 0; i < std::size(kAmounts); ++i) {
    EXPECT_EQ(compiled.operation({0, 2 * i}).amount, kAmounts[i]);
    EXPECT_EQ(compiled.operation({0, 2 * i + 1}).amount, kAmounts[i]);
    EXPECT_EQ(compiled.operation({1, i}).amount, kAmounts[i]);
  }
  builder.send(0, 1, 1ULL << 32);
  builder.receive(1, 0, (1ULL << 32) - 1);
  EXPECT_EQ(refusal(builder),
            "operation 0 of rank 1: a receive of 4294967295 B for a message of 4294967296 B");
}

// One operation requires all others, one more than fit without the table; then its amount does not fit
// either.
TEST(ProgramBuilder, TakesAnyNumberOfRequirements) {
  constexpr std::uint32_t kOthers = ProgramOps::kMostRequirements + 1;
  for (const std::uint64_t amount : {std::uint64_t{7}, std::uint64_t{1} << 40}) {
    ProgramBuilder builder(1);
    const std::uint32_t last = builder.compute(0, amount);
    for (std::uint32_t i = 0; i < kOthers; ++i) builder.require(0, last, builder.compute(0, 1));
    Mistakes mistakes;
    auto program = builder.take(mistakes);
    ASSERT_TRUE(program);
    EXPECT_EQ(program->ops[last].requirements, kOthers);
    EXPECT_EQ(program->ops[last].amount, amount);
    report_cycle(*program, kNoRendezvous, mistakes);
    EXPECT_TRUE(mistakes.empty());
    const RankOp made = CompiledProgram(*std::move(program)).operation({0, last});
    EXPECT_EQ(made.requirements, kOthers);
    EXPECT_EQ(made.amount, amount);
  }
}

// What ranks add by turns is the same as what they add one after the other.
TEST(ProgramBuilder, TakesRanksInAnyOrder) {
  constexpr std::uint32_t kRanks = 5, kOps = 9;
  std::vector<std::uint32_t> turns;  // ranks
  const auto build = [&](std::vector<std::uint32_t>& tags) {
    ProgramBuilder builder(kRanks);
    std::vector<std::uint32_t> added(kRanks);
    for (const std::uint32_t rank : turns) {
      const std::uint32_t op = added[rank]++, tag = op / 3;
      if (op % 3 == 0)
        builder.compute(rank, rank + op, static_cast<std::uint8_t>(rank), op + 1);
      else if (op % 3 == 1)
        builder.send(rank, (rank + 1) % kRanks, rank, tag);
      else
        builder.receive(rank, (rank + kRanks - 1) % kRanks, kRanks, tag);
      if (op > 0) builder.require(rank, op, rank % op, (rank + op) % 2 == 0);
      if (op > 2) builder.require(rank, op, op - 1);
    }
    Mistakes mistakes;
    return builder.take(mistakes, &tags);
  };
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) turns.insert(turns.end(), kOps, rank);
  std::vector<std::uint32_t> tags, tags_by_turns;
  const auto program = build(tags);
  ASSERT_TRUE(program);
  Rng rng(1, 0);
  for (int round = 0; round < 20; ++round) {
    for (std::uint32_t left = kRanks * kOps; left > 1; --left)
      std::swap(turns[left - 1], turns[rng.below(left)]);
    const auto by_turns = build(tags_by_turns);
    ASSERT_TRUE(by_turns);
    EXPECT_TRUE(test::equal(*program, *by_turns));
    EXPECT_EQ(tags, tags_by_turns);
  }
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
  EXPECT_EQ(program->rank_of(program->ops[2].partner), 2U);
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
