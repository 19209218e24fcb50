// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/chart.h"

#include <gmock/gmock.h>

#include "tests/support/remedy_rows.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string_view> changes(const RemedyChart& chart, bool main_only = true) {
  std::vector<std::string_view> names;
  for (const RemedyChart::Bar& bar : chart.bars)
    if (bar.is_main || !main_only) names.push_back(bar.row->change);
  return names;
}

TEST(RemedyChart, HasTheBestOfEachKindFirst) {
  const Result result = with_remedies({
      remedy_row("slow", "remedy", "queues", 0.5),
      remedy_row("own", "own", "own", 1),
      remedy_row("both", "pair", "queues", 5),
      remedy_row("fast", "remedy", "queues", 3),
      remedy_row("perfect", "bound", "fabric", 7),
      remedy_row("without storage", "cause", "traffic", 4),
      remedy_row("faster", "remedy", "routing", 4),
  });
  const RemedyChart chart(result);
  EXPECT_THAT(changes(chart),
              ElementsAre("without storage", "perfect", "faster", "fast", "slow", "both", "own"));
  EXPECT_EQ(chart.others(), "");
}

TEST(RemedyChart, WithManyRemediesHasOneOfEachGroup) {
  std::vector<RemedyRow> rows;
  for (int i = 0; i < 30; ++i) rows.push_back(remedy_row("queues", "remedy", "queues", 10));
  rows.push_back(remedy_row("arbiter", "remedy", "arbiters", 1));
  const Result result = with_remedies(rows);
  const RemedyChart chart(result);
  EXPECT_EQ(changes(chart).size(), RemedyChart::kMostBars);
  EXPECT_EQ(changes(chart).back(), "arbiter") << "the best one of its group";
  EXPECT_EQ(changes(chart, false).size(), 31U);
  EXPECT_EQ(chart.others(), "11 other remedies");
}

TEST(RemedyChart, HasWordsForRunsWithoutAGain) {
  RemedyRow late = remedy_row("late", "remedy", "memory", kNaN);
  late.status = "unfinished";
  RemedyRow stuck = remedy_row("stuck", "remedy", "routing", kNaN);
  stuck.status = "deadlock";
  const Result result = with_remedies({late, stuck});
  const RemedyChart chart(result);
  EXPECT_EQ(chart.bars[0].words, "did not end in time");
  EXPECT_EQ(chart.bars[1].words, "deadlock");
}

TEST(RemedyChart, OfADeadlockSaysWhatAnEndProves) {
  RemedyRow routing = remedy_row("up-down", "remedy", "routing", kNaN);
  RemedyRow queues = remedy_row("voqnet", "remedy", "queues", kNaN);
  RemedyRow stuck = remedy_row("spray", "remedy", "routing", kNaN);
  stuck.status = "deadlock";
  RemedyRow perfect = remedy_row("perfect", "bound", "fabric", kNaN);
  for (RemedyRow* const row : {&routing, &queues, &stuck, &perfect}) row->base = kNaN;
  const Result result = with_remedies({routing, queues, stuck, perfect});
  const RemedyChart chart(result);
  EXPECT_FALSE(chart.base_ends());
  EXPECT_THAT(changes(chart), ElementsAre("up-down", "voqnet"));
  EXPECT_EQ(chart.bars[0].words, "no deadlock is possible: its routes have no cycle [theorem]");
  EXPECT_EQ(chart.bars[1].words, "did not deadlock in this run, which proves nothing");
}

TEST(Remedies, CostWhatTheBaseDoesNotHave) {
  Result base;
  base.metrics = {{"queues_per_port", 16}, {"lanes", 1}};
  RemedyRow row = remedy_row("x", "remedy", "queues", 2);
  row.queues_per_port = 16;
  row.lanes = 2;
  row.cam_lines_per_port = 8;
  row.out_of_order_packets = 3;
  row.others_worst = 0.0631;
  EXPECT_EQ(costs_text(row, base), "2 lanes, 8 CAM lines, reorders, others: 0.0631");
  EXPECT_EQ(costs_text(row, {}), "16 queues, 2 lanes, 8 CAM lines, reorders, others: 0.0631");
  row.kind = "cause";
  EXPECT_EQ(costs_text(row, {}), "") << "nobody pays for what is taken away";
}

TEST(Remedies, HaveARangeOverSeeds) {
  RemedyRow row = remedy_row("x", "remedy", "queues", 4.53);
  EXPECT_EQ(range_text(row), "");
  row.seeds = 3;
  EXPECT_EQ(range_text(row), "the same over 3 seeds");
  row.gain_low = 2.4;
  EXPECT_EQ(range_text(row), "2.4 to 4.53 over 3 seeds");
  row.gain_low = kNaN;
  EXPECT_EQ(range_text(row), "");
}

TEST(Remedies, SayWhyChangesWereNotRun) {
  std::vector<RemedyRow> rows;
  const auto skip = [&](std::string_view change, std::string_view kind, std::string_view group,
                        std::string_view why) {
    rows.push_back(remedy_row(change, kind, group, kNaN));
    rows.back().skipped = why;
  };
  for (const std::string_view change : {"a", "b", "c"}) skip(change, "remedy", "queues", "it hardly waits");
  skip("d", "remedy", "arbiters", "it hardly waits");
  skip("table", "remedy", "routing", "no file is given");
  skip("delay", "bound", "delay", "at most 1.03 times, by the account");
  skip("lanes=2", "own", "own", "there is one lane");
  EXPECT_THAT(skipped_sentences(rows, "--all says why"),
              ElementsAre("own, not run: lanes=2, because there is one lane.",
                          "not run, because it hardly waits: queues, arbiters.",
                          "not run, because at most 1.03 times, by the account: delay.",
                          "not run: 1 other change (routing); --all says why."));
  EXPECT_THAT(skipped_sentences(rows, ""),
              ElementsAre("own, not run: lanes=2, because there is one lane.",
                          "not run, because it hardly waits: a, b, c, d.",
                          "not run, because no file is given: table.",
                          "not run, because at most 1.03 times, by the account: delay."));
  EXPECT_THAT(skipped_sentences({}, ""), IsEmpty());
}

}  // namespace
}  // namespace headway
