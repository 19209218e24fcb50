// SPDX-License-Identifier: Apache-2.0
#include "headway/pictures/remedies_plot.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/remedy_rows.h"

namespace headway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string script_of(const std::vector<RemedyRow>& rows, std::string_view title = "") {
  const Result result = with_remedies(rows);
  return remedies_script(RemedyChart(result), title, "");
}

std::vector<RemedyRow> some_of_each_kind() {
  std::vector<RemedyRow> rows = {
      remedy_row("without storage", "cause", "traffic", 4),
      remedy_row("one perfect switch", "bound", "fabric", 7), remedy_row("voqsw", "remedy", "queues", 3.5),
      remedy_row("spray", "remedy", "routing", 0.5), remedy_row("lanes=2", "own", "own", 2)};
  rows[0].gain_low = 2;
  rows[0].seeds = 3;
  rows[2].queues_per_port = 32;
  return rows;
}

TEST(RemediesPlot, DrawsBarsFromOneOnALogarithmicAxis) {
  const std::string script = script_of(some_of_each_kind());
  EXPECT_THAT(script,
              AllOf(HasSubstr("set logscale x\n"), HasSubstr("\"0.5\" 0.5, \"0.7\" 0.7, \"1\" 1, \"2\" 2"),
                    HasSubstr("arrow from first 1, graph 0 to first 1, graph 1 nohead")));
  EXPECT_THAT(script, HasSubstr("$cause << EOD\n4 5.2\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("$ranges << EOD\n2 5.2 4\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("fs solid noborder fc rgb '#D55E00'"));
  EXPECT_THAT(script, HasSubstr("fs pattern 4 border fc rgb '#009E73'")) << "the user's own are hatched";
  EXPECT_THAT(script, AllOf(HasSubstr("set label \"3.5 (32 queues)\" at"),
                            HasSubstr("set label \"2 times slower\" at"), HasSubstr("label 'slower' at"),
                            HasSubstr("label 'faster' at"), HasSubstr("set label \"cause\" at")));
}

TEST(RemediesPlot, TakesWordsForRunsWithoutAGain) {
  std::vector<RemedyRow> rows = some_of_each_kind();
  rows[3].gain = rows[3].gain_low = rows[3].gain_high = kNaN;
  rows[3].status = "unfinished";
  const std::string script = script_of(rows);
  EXPECT_THAT(script, HasSubstr("set label \"did not end in time\" at"));
  EXPECT_THAT(script, AllOf(Not(HasSubstr("'slower'")), Not(HasSubstr("nan"))));
  for (RemedyRow& row : rows) row.base = row.gain = kNaN;
  EXPECT_THAT(script_of(rows), AllOf(Not(HasSubstr("logscale")), HasSubstr("which proves nothing")));
}

TEST(RemediesPlot, SaysWhatIsMissing) {
  std::vector<RemedyRow> rows = some_of_each_kind();
  rows.push_back(remedy_row("routing table", "remedy", "routing", kNaN));
  rows.back().skipped = "no file is given";
  for (int i = 0; i < 30; ++i) rows.push_back(remedy_row("queues", "remedy", "queues", 3));
  EXPECT_THAT(script_of(rows),
              AllOf(HasSubstr("\"Not drawn: 14 other remedies.\""),
                    HasSubstr("\"Not run: 1 other change (routing); the table remedies says why.\"")));
}

TEST(RemediesPlot, LongNamesTakeSeveralLines) {
  std::vector<RemedyRow> rows = some_of_each_kind();
  rows[2].change = "voqsw, in the same memory, and a lane for storage, in the same memory";
  EXPECT_THAT(script_of(rows), Not(HasSubstr(rows[2].change)));
  EXPECT_THAT(script_of(rows), HasSubstr("set label \"lane for storage, in the same memory\" at"));
  EXPECT_THAT(script_of(rows, "What helps"), HasSubstr("set label \"What helps\" at"));
}

TEST(RemediesPlot, DrawsNoNumbersThatAnAxisCannotHave) {
  std::vector<RemedyRow> rows = some_of_each_kind();
  rows[0].gain_low = -1;
  rows[0].gain_high = std::numeric_limits<double>::infinity();
  rows[1].gain = std::numeric_limits<double>::infinity();
  rows[2].gain = 0;
  EXPECT_THAT(script_of(rows), AllOf(Not(HasSubstr("inf")), Not(HasSubstr("nan")), HasSubstr("no value")));
}

TEST(RemediesPlot, DataHaveTheDrawnBars) {
  const Result result = with_remedies(some_of_each_kind());
  EXPECT_THAT(remedies_data(RemedyChart(result)),
              HasSubstr("kind,change,gain,gain_low,gain_high,seeds,words,costs,settings\n"
                        "cause,without storage,4,2,4,3,,,--set a.b=1\n"));
}

}  // namespace
}  // namespace headway
