// SPDX-License-Identifier: Apache-2.0
// headway paper, as far as it goes without minutes of simulation: what there is, what it writes, how it ends.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PaperCommand : public ShellTest {};

TEST_F(PaperCommand, ListsPapersAndFigures) {
  const Outcome outcome = shell("headway paper");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("obqa"));
  EXPECT_THAT(outcome.out, HasSubstr("Figure 5(a): hot spot"));
}

TEST_F(PaperCommand, KnowsItsPapersAndFigures) {
  const Outcome paper = shell("headway paper obqua");
  EXPECT_EQ(paper.code, 2);
  EXPECT_THAT(paper.err, HasSubstr("did you mean 'obqa'?"));
  const Outcome figure = shell("headway paper obqa --figure 5c");
  EXPECT_EQ(figure.code, 2);
  EXPECT_THAT(figure.err, HasSubstr("unknown figure '5c'"));
  EXPECT_EQ(shell("headway paper obqa --quick --report page.md").code, 2);
}

TEST_F(PaperCommand, WritesATableAndJudgesItsClaims) {
  const Outcome outcome = shell("headway paper obqa --figure t3 --out t3");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| OBQA, 4 queues | 4 | 512 | 0.00647 |"));
  EXPECT_THAT(outcome.out, HasSubstr("t3-obqa-4: holds\n"));
  EXPECT_THAT(read("t3/data.csv"), HasSubstr("obqa-4,4,512,0.00647,ok\n"));
  const auto claims = nlohmann::json::parse(read("t3/claims.json"));
  EXPECT_EQ(claims["quick"], false);
  for (const auto& claim : claims["claims"]) EXPECT_EQ(claim["verdict"], "holds") << claim;
}

TEST_F(PaperCommand, StopsAtControlCAndContinues) {
  const Outcome stopped = shell(
      "headway paper obqa --figure 4b --quick --jobs 1 --out out >/dev/null & pid=$!\n"
      "until [ \"$(cat out/journal.jsonl 2>/dev/null | wc -l)\" -ge 2 ]; do sleep 0.01; done\n"
      "kill -INT $pid; wait $pid");
  EXPECT_EQ(stopped.code, 130);
  EXPECT_THAT(stopped.err, HasSubstr("the same command continues"));
  EXPECT_EQ(shell("ls out | grep -c svg").out, "0\n");
}

// Under this reading complement is free of conflicts, so a search takes two runs.
TEST_F(PaperCommand, SearchesSaturationLoadsOnce) {
  const std::string command = "headway paper selection --figure 6-saturation@now --quick --out out";
  const Outcome outcome = shell(command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("| SADP | 1 | 1 | 1 |"));
  EXPECT_THAT(outcome.out, HasSubstr("6-throughput-sadp: SADP sustains the full load"));
  const std::string journal = read("out/journal.jsonl");
  EXPECT_EQ(std::ranges::count(journal, '\n'), 7);
  EXPECT_THAT(journal, HasSubstr("\"saturation_runs\":2"));
  EXPECT_EQ(shell(command).out, outcome.out);
  EXPECT_EQ(read("out/journal.jsonl"), journal);
}

TEST_F(PaperCommand, SaysBeforeAnythingRunsThatItCannotWrite) {
  const Outcome outcome = shell("headway paper obqa --figure 5a --out /proc/nowhere");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
}

}  // namespace
}  // namespace headway::test
