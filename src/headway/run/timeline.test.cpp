// SPDX-License-Identifier: Apache-2.0
#include "headway/run/timeline.h"

#include <gmock/gmock.h>

#include "headway/base/error.h"
#include "headway/metrics/units.h"
#include "headway/pictures/timeline_plot.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Rank 0 computes and sends 100 B to rank 1, which has posted its receive at the start. A second job is idle.
PointResult point() {
  PointResult result;
  result.result.tables["per_job"] = {{"job", {}, {"sync", "storage"}}};
  result.result.tables["per_operation"] = {{"job", {}, {"sync", "sync", "sync", "storage"}},
                                           {"rank", {0, 0, 1, 0}},
                                           {"operation", {0, 1, 0, 0}},
                                           {"kind", {}, {"compute", "send", "receive", "send"}},
                                           {"peer", {kNaN, 1, 0, 1}},
                                           {"message_bytes", {kNaN, 100, 100, 8}},
                                           {"start_ns", {0, 1000, 0, kNaN}},
                                           {"finish_ns", {1000, 1200, 2000, kNaN}},
                                           {"turn_ns", {1000, 150, 150, 8}}};
  result.result.tables["critical_path"] = {{"job", {}, {"sync", "sync", "sync", "sync"}},
                                           {"step_kind", {}, {"compute", "overhead", "message", "overhead"}},
                                           {"rank", {0, 0, 0, 1}},
                                           {"peer", {kNaN, kNaN, 1, kNaN}},
                                           {"start_ns", {0, 1000, 1150, 1850}},
                                           {"length_ns", {1000, 150, 700, 150}},
                                           {"wait_ns", {0, 0, 300, 0}}};
  return result;
}

std::string refusal(const PointResult& result, std::string_view job) {
  try {
    chosen_timeline(result, job);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(Timeline, ShowsWhatRanksDo) {
  EXPECT_EQ(timeline_data(chosen_timeline(point(), "sync")),
            "part,what,rank,to_rank,start_ns,finish_ns,wait_ns\n"
            "rank,computes,0,,0,1000,\n"
            "rank,handles messages,0,,1000,1150,\n"
            "rank,sends,0,,1150,1200,\n"
            "rank,waits for a receive,1,,0,1850,\n"
            "rank,handles messages,1,,1850,2000,\n"
            "critical path,compute,0,0,0,1000,0\n"
            "critical path,overhead,0,0,1000,1150,0\n"
            "critical path,message,0,1,1150,1850,300\n"
            "critical path,overhead,1,1,1850,2000,0\n");
}

TEST(Timeline, DrawsBoxesAndThePath) {
  const std::string script = timeline_script(chosen_timeline(point(), "sync"), "", "");
  EXPECT_THAT(script, HasSubstr("\nset xrange [0:2]\nset yrange [1.5:-0.5]\nset ytics (\"0\" 0, \"1\" 1)\n"));
  EXPECT_THAT(script, HasSubstr("\n$layer0 << EOD\n0 -0.4 1 0.4\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("\n$layer3 << EOD\n0 0.6 1.85 1.4\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("\n$layer4 << EOD\n0 0 1 0\n1 0 1.15 0\n1.45 0 1.85 1\n1.85 1 2 1\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("\n$layer5 << EOD\n1.15 0 1.45 0\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("$layer5 using 1:2:($3-$1):($4-$2) with vectors nohead lw 2.2 lc rgb "
                                "'#D00000'\n"));
  EXPECT_THAT(script, Not(HasSubstr("ranks")));
}

TEST(Timeline, ASendLeavesItsRankOnThePath) {
  PointResult result = point();
  Table& path = result.result.tables["critical_path"];
  path[1].words[2] = "departure";
  const Timeline timeline = chosen_timeline(result, "sync");
  EXPECT_EQ(timeline.path[2].row, 0U);
  EXPECT_EQ(timeline.path[2].last_row, 0U);
}

// The path of earlier iterations is not drawn, and a step that begins in one is cut.
TEST(Timeline, CutsThePathToTheLastIteration) {
  PointResult result = point();
  result.result.tables["per_operation"][6].values = {1250, 1600, 1250, kNaN};
  result.result.tables["per_operation"][7].values = {1600, 1700, 2000, kNaN};
  const Timeline timeline = chosen_timeline(result, "sync");
  ASSERT_EQ(timeline.path.size(), 2U);
  EXPECT_EQ(timeline.path[0].from, 1250);
  EXPECT_EQ(timeline.path[0].waits, 200);
  EXPECT_EQ(timeline.path[0].number, 2U);
}

TEST(Timeline, AnUnfinishedOperationLastsToTheEnd) {
  PointResult result = point();
  result.result.tables["per_operation"][7].values = {1000, kNaN, 2000, kNaN};
  EXPECT_THAT(timeline_data(chosen_timeline(result, "sync")), HasSubstr("rank,sends,0,,1150,2000,\n"));
}

TEST(Timeline, WithManyRanksDrawsThoseOnThePathFirst) {
  PointResult result;
  result.result.tables["per_job"] = {{"job", {}, {"sync"}}};
  Table& operations = result.result.tables["per_operation"];
  operations = {{"job"}, {"rank"}, {"kind"}, {"start_ns"}, {"finish_ns"}};
  for (int rank = 0; rank < 100; ++rank) {
    operations[0].words.emplace_back("sync");
    operations[1].values.push_back(rank);
    operations[2].words.emplace_back("compute");
    operations[3].values.push_back(0);
    operations[4].values.push_back(10);
  }
  result.result.tables["critical_path"] = {{"job", {}, {"sync"}}, {"step_kind", {}, {"message"}},
                                           {"rank", {90}},        {"peer", {80}},
                                           {"start_ns", {0}},     {"length_ns", {10}},
                                           {"wait_ns", {0}}};
  const Timeline timeline = chosen_timeline(result, "sync");
  ASSERT_EQ(timeline.ranks.size(), 64U);
  EXPECT_EQ(timeline.ranks[0], 0);
  EXPECT_EQ(timeline.ranks[61], 61);
  EXPECT_EQ(timeline.ranks[62], 80);
  EXPECT_EQ(timeline.ranks[63], 90);
  EXPECT_EQ(timeline.path[0].row, 63U);
  EXPECT_THAT(timeline_script(timeline, "", ""), HasSubstr("64 of 100 ranks"));
}

TEST(Timeline, SaysWhatIsMissing) {
  EXPECT_THAT(refusal(point(), "sinc"), HasSubstr("no job 'sinc'; did you mean \"sync\"?"));
  EXPECT_THAT(refusal(point(), "storage"), HasSubstr("no operation of 'storage' takes time"));
  EXPECT_THAT(refusal({}, "sync"), HasSubstr("the results have no jobs"));
  PointResult result = point();
  result.runs.resize(2);
  EXPECT_THAT(refusal(result, "sync"), HasSubstr("several seeds"));
  result = point();
  result.result.tables.erase("critical_path");
  EXPECT_THAT(chosen_timeline(result, "sync").note, HasSubstr("\"critical-path\""));
  result.result.tables.erase("per_operation");
  EXPECT_THAT(refusal(result, "sync"), HasSubstr("\"per-operation\""));
}

}  // namespace
}  // namespace headway
