// SPDX-License-Identifier: Apache-2.0
#include "headway/why/waiting_course.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/made_waiting.h"

namespace headway {
namespace {

using test::MadeWaiting;

std::optional<WaitingCourse> course(const std::vector<double>& victims) {
  return course_of(MadeWaiting().victims_over_time(victims).result(), /*counts_victims=*/true);
}

constexpr double kNoPhotographs = MadeWaiting::kEmpty;  // a bin without photographs

TEST(WaitingCourse, BeginsWhenTheLevelRises) {
  EXPECT_EQ(course({5, 6, 7, 5, 9, 40, 80, 200, 400, 400})->since_ns, 50'000);
  EXPECT_EQ(course({5, kNoPhotographs, 6, 5, 400, 400, 400, 400, 400, 400})->since_ns, 40'000);
  EXPECT_EQ(course({300, 300, 310, 320, 400, 400, 400, 400, 400, 400})->since_ns, std::nullopt);
}

TEST(WaitingCourse, EndsWhenItFallsBack) {
  EXPECT_EQ(course({5, 5, 5, 400, 400, 100, 20, 5, 5, 5})->until_ns, 60'000);
  EXPECT_EQ(course({5, 5, 5, 400, 400, 100, 80, 60, 50, 5})->until_ns, std::nullopt)
      << "one bin is no evidence";
  EXPECT_EQ(course({5, 5, 5, 400, 400, 400, 400, 400, 400, 400})->until_ns, std::nullopt);
}

TEST(WaitingCourse, ComparesTheLastTwoQuarters) {
  // The quarters of the window of 100 us end at 175 us and 200 us.
  std::vector<double> victims(17, 100);
  for (int i = 0; i < 3; ++i) victims.push_back(300);
  EXPECT_EQ(course(victims)->growth, 3);
  EXPECT_EQ(course(victims)->at_end, 300);
  std::ranges::fill(victims, 300);
  EXPECT_EQ(course(victims)->growth, 1);
}

// The course of all runs ends with the shortest one; the bins of some of them tell something else.
TEST(WaitingCourse, OfRunsOfDifferentLengthEndsWithTheShortest) {
  MadeWaiting made;
  made.victims_over_time({5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 40, 40, 40, 80, 40, 0, 0, 0});
  EXPECT_EQ(course_of(made.result(), true)->until_ns, 150'000);
  made.result().tables["series"].push_back({"seeds", {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 3, 1, 1, 1}});
  const auto found = course_of(made.result(), /*counts_victims=*/true);
  EXPECT_EQ(found->until_ns, std::nullopt);
  EXPECT_EQ(found->shortest_ns, 150'000);
  EXPECT_EQ(found->at_end, 40) << "the bin of one run does not count";
}

TEST(WaitingCourse, NeedsPhotographs) {
  EXPECT_EQ(course({}), std::nullopt);
  EXPECT_EQ(course({1, 2, 3}), std::nullopt);
  EXPECT_EQ(course(std::vector<double>(20, kNoPhotographs)), std::nullopt);
}

TEST(WaitingCourse, CountsAllWaitingPackets) {
  MadeWaiting made;
  made.victims_over_time(std::vector<double>(10, 0));
  Table& series = made.result().tables["series"];
  for (const char* const name : {"wait_admittance_packets", "wait_room_packets", "wait_output_packets",
                                 "wait_serial_packets", "wait_input_packets", "hol_packets"})
    series.push_back({name, {1, 1, 1, 9, 9, 9, 9, 9, 9, 9}});
  const auto found = course_of(made.result(), /*counts_victims=*/false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at_end, 54);
  EXPECT_EQ(found->since_ns, 30'000);
}

}  // namespace
}  // namespace headway
