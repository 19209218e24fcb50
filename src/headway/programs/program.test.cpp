// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/program.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "headway/base/rng.h"

namespace headway {
namespace {

constexpr std::uint64_t kEndsOfAmount[] = {0, 1, (1ULL << 32) - 1, 1ULL << 32,
                                           std::numeric_limits<std::uint64_t>::max()};
constexpr std::uint32_t kEndsOfRequirements[] = {0, 1, (1U << 20) - 1, 1U << 20,
                                                 std::numeric_limits<std::uint32_t>::max()};

void expect_same_op(const ProgramOp& a, const ProgramOp& b) {
  EXPECT_EQ(a.amount, b.amount);
  EXPECT_EQ(a.partner, b.partner);
  EXPECT_EQ(a.first_dependent, b.first_dependent);
  EXPECT_EQ(a.requirements, b.requirements);
  EXPECT_EQ(a.place, b.place);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.cpu, b.cpu);
  EXPECT_EQ(a.ends_span, b.ends_span);
}

// The plain twin of the stored operations is a vector of them.
TEST(ProgramOps, AreWhatWasPutIn) {
  Rng rng(1, 0);
  const auto word = [&] { return static_cast<std::uint32_t>(rng.next()); };
  ProgramOps stored;
  std::vector<ProgramOp> plain;
  for (const std::uint64_t amount : kEndsOfAmount)
    for (const std::uint32_t requirements : kEndsOfRequirements)
      for (const ProgramOpKind kind :
           {ProgramOpKind::compute, ProgramOpKind::send, ProgramOpKind::receive, ProgramOpKind::rule}) {
        plain.push_back({.amount = amount,
                         .partner = word(),
                         .first_dependent = word(),
                         .requirements = requirements,
                         .place = word(),
                         .kind = kind,
                         .cpu = static_cast<std::uint8_t>(word()),
                         .ends_span = (word() & 1U) != 0});
        stored.push_back(plain.back());
      }
  const auto compare = [&] {
    ASSERT_EQ(stored.size(), plain.size());
    for (std::uint32_t op = 0; op < stored.size(); ++op) expect_same_op(stored[op], plain[op]);
  };
  compare();
  for (int change = 0; change < 1000; ++change) {
    const std::uint32_t op = word() % stored.size(), other = word() % stored.size();
    switch (word() % 5) {
      case 0:
        stored.set_partner(op, plain[op].partner = word());
        break;
      case 1:
        stored.set_first_dependent(op, plain[op].first_dependent = word());
        break;
      case 2:
        stored.set_requirements(
            op, plain[op].requirements = kEndsOfRequirements[word() % std::size(kEndsOfRequirements)]);
        break;
      case 3:
        plain[op].ends_span = true;
        stored.set_ends_span(op);
        break;
      default:
        stored.swap(op, other);
        std::swap(plain[op], plain[other]);
    }
  }
  compare();
}

TEST(ProgramOps, TakeTwentyBytesWithoutTheTable) {
  ProgramOps ops;
  ops.push_back({.amount = ProgramOps::kMostAmount, .requirements = ProgramOps::kMostRequirements});
  EXPECT_EQ(ops.bytes(), 20U);
  ops.push_back({.amount = ProgramOps::kMostAmount + 1});
  EXPECT_EQ(ops.bytes(), 56U);
  ops.set_requirements(0, ProgramOps::kMostRequirements + 1);
  EXPECT_EQ(ops.bytes(), 72U);
}

TEST(Program, KnowsTheRankOfAnOperation) {
  Program program;
  program.first_of_rank = {0, 0, 2, 2, 5, 5};  // ranks without operations among the others
  EXPECT_EQ(program.rank_of(0), 1U);
  EXPECT_EQ(program.rank_of(1), 1U);
  EXPECT_EQ(program.rank_of(2), 3U);
  EXPECT_EQ(program.rank_of(4), 3U);
  EXPECT_EQ(program.number_in_rank(4), 2U);
  for (std::uint32_t op = 0; op < program.size(); ++op)
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      EXPECT_EQ(program.is_of(rank, op), program.rank_of(op) == rank);
}

}  // namespace
}  // namespace headway
