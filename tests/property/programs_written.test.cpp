// SPDX-License-Identifier: Apache-2.0
// Programs that Headway writes are read again as they were, to the picosecond, by a job that sets no key.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "headway/programs/builder.h"
#include "tests/support/dice.h"
#include "tests/support/program_bytes.h"

namespace headway {
namespace {

// Operations of a few ranks, with times of any picoseconds or of whole nanoseconds, and requirements in both
// directions of the text.
test::ReadProgram random_operations(std::uint64_t number) {
  test::Dice dice(number);
  const std::uint32_t ranks = dice.from(1, 5), unit = dice.one_in(2) ? 1000 : 1;
  ProgramBuilder builder(ranks);
  std::vector<std::vector<std::uint32_t>> computes(ranks);
  const auto cpu = [&] { return static_cast<std::uint8_t>(dice.from(0, 3) / 2); };
  for (std::uint32_t left = dice.from(1, 40); left > 0; --left) {
    const std::uint32_t rank = dice.from(0, ranks - 1), peer = dice.from(0, ranks - 1);
    if (dice.one_in(3)) {
      const std::uint32_t bytes = dice.from(0, 100'000), tag = dice.from(0, 2) * 1'000'000;
      builder.send(rank, peer, bytes, tag, cpu());
      builder.receive(peer, rank, bytes, tag, cpu());
      continue;
    }
    const std::uint32_t op = builder.compute(rank, std::uint64_t{dice.from(0, 2'000'000)} * unit, cpu());
    if (!computes[rank].empty() && dice.one_in(2)) {
      const std::uint32_t other = computes[rank].back();
      builder.require(rank, op, other, dice.one_in(3));
    }
    computes[rank].push_back(op);
  }
  test::ReadProgram made;
  made.program = builder.take(made.mistakes, &made.tags);
  return made;
}

void expect_same(const test::ReadProgram& made, const test::ReadProgram& read, const std::string& text) {
  ASSERT_TRUE(read.program) << read.text() << text;
  EXPECT_TRUE(test::equal(*made.program, *read.program)) << text;
  EXPECT_EQ(made.tags, read.tags) << text;
}

TEST(WrittenPrograms, AreReadAsTheyWere) {
  int in_picoseconds = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const test::ReadProgram made = random_operations(number);
    ASSERT_TRUE(made.program) << made.text();
    const std::string goal = test::goal_text(made);
    in_picoseconds += goal.starts_with("// calc_unit");
    expect_same(made, test::read_program("goal", goal), goal);
    const std::uint32_t ranks = made.program->ranks();
    const std::string csv = test::csv_text(made);
    expect_same(made, test::read_program("csv", csv, ranks), csv);
  }
  EXPECT_GT(in_picoseconds, 50);
}

TEST(WrittenPrograms, AreReadAsTheyWereIfTheyAreBuiltIn) {
  int compared = 0;
  for (const Entry<ProgramKind>& entry : programs()) {
    const Choice<ProgramKind> kind{entry.make(), entry.name};
    if (dynamic_cast<const FileProgram*>(kind.get()) != nullptr || entry.name == "sequence") continue;
    for (const std::uint32_t ranks : {4U, 9U, 16U}) {
      Mistakes mistakes;
      kind->check(ranks, mistakes);
      if (!mistakes.empty()) continue;
      ProgramBuilder builder(ranks);
      kind->build(builder);
      test::ReadProgram made;
      made.program = builder.take(made.mistakes, &made.tags);
      ASSERT_TRUE(made.program) << entry.name << made.text();
      expect_same(made, test::read_program("goal", test::goal_text(made)), std::string(entry.name));
      if (!not_in_csv(*made.program))
        expect_same(made, test::read_program("csv", test::csv_text(made), ranks), std::string(entry.name));
      ++compared;
    }
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace headway
