// SPDX-License-Identifier: Apache-2.0
#include "headway/io/results_dir.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "headway/base/assign.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kSpec = "seed = 1\n\n[switch]\nscheme = \"obqa\"\nqueues = 4\n";

class ResultsDirTest : public ::testing::Test {
 protected:
  ResultsDirTest() {
    experiment_.seeds = 2;
    for (const std::string load : {"0.5", "0.9"}) {
      experiment_.points.push_back(make_point({{"traffic.load", load}}, {}));
    }
  }
  ~ResultsDirTest() override { fs::remove_all(path_); }

  static Result result_of(double latency) {
    Result result;
    result.metrics = {{"latency_mean_ns", latency}};
    return result;
  }

  void append(std::string_view text) const { std::ofstream(path_ / "journal.jsonl", std::ios::app) << text; }

  fs::path path_ = fs::path(::testing::TempDir()) /
                   (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
                    std::to_string(getpid())) /
                   "out";
  Experiment experiment_;
};

TEST_F(ResultsDirTest, WhatWasAddedIsThereAfterReopening) {
  {
    ResultsDir directory(path_, experiment_, kSpec);
    EXPECT_EQ(directory.find({0, 0}), nullptr);
    directory.add({0, 1}, result_of(1));
    directory.add({1, 0}, result_of(2));
  }
  const ResultsDir again(path_, experiment_, kSpec);
  EXPECT_EQ(again.size(), 2U);
  EXPECT_EQ(again.find({0, 0}), nullptr);
  ASSERT_NE(again.find({0, 1}), nullptr);
  EXPECT_EQ(again.find({0, 1})->metric("latency_mean_ns"), 1);
  EXPECT_EQ(again.find({1, 0})->metric("latency_mean_ns"), 2);
}

TEST_F(ResultsDirTest, ATornLineIsARunToBeDoneAgain) {
  {
    ResultsDir(path_, experiment_, kSpec).add({0, 0}, result_of(1));
  }
  append("{\"key\": \"00\", \"result\": {\"sta");
  {
    ResultsDir directory(path_, experiment_, kSpec);
    EXPECT_EQ(directory.size(), 1U);
    directory.add({0, 1}, result_of(2));  // must not be glued to the torn line
  }
  append("nonsense\n{\"key\": 7}\n{\"key\": \"1\", \"result\": {\"metrics\": 3}}\n[]\n\n");
  EXPECT_EQ(ResultsDir(path_, experiment_, kSpec).size(), 2U);
}

TEST_F(ResultsDirTest, ARunIsDoneAgainWhenAFileOfItsSpecHasChanged) {
  fs::create_directories(path_);
  const std::string routes = path_ / "routes.txt";
  std::ofstream(routes) << "0 0 0\n";
  Spec with_file;
  with_file.routing.algorithm = choose(routings(), "table", {{"file", routes}});
  experiment_.points[0] = make_point(experiment_.points[0].params, with_file);
  const Task named{0, 0}, other{1, 0};
  ResultsDir directory(path_, experiment_, kSpec);
  directory.add(named, result_of(1));
  directory.add(other, result_of(2));
  EXPECT_NE(directory.find(named), nullptr);
  std::ofstream(routes) << "0 0 0\n0 1 1\n";
  EXPECT_EQ(directory.find(named), nullptr);
  EXPECT_NE(directory.find(other), nullptr);
}

TEST_F(ResultsDirTest, AnotherMethodHasResultsOfItsOwn) {
  const Task task{0, 0};
  {
    ResultsDir(path_, experiment_, kSpec, "search: precision 0.01").add(task, result_of(1));
  }
  {
    ResultsDir other(path_, experiment_, kSpec, "search: precision 0.02");
    EXPECT_EQ(other.find(task), nullptr);
    other.add(task, result_of(2));
  }
  EXPECT_EQ(ResultsDir(path_, experiment_, kSpec).find(task), nullptr);
  EXPECT_EQ(
      ResultsDir(path_, experiment_, kSpec, "search: precision 0.01").find(task)->metric("latency_mean_ns"),
      1);
}

TEST_F(ResultsDirTest, AnotherSpecIsRefusedWithWhatDiffers) {
  {
    const ResultsDir directory(path_, experiment_, kSpec);
  }
  try {
    const ResultsDir other(path_, experiment_,
                           "seed = 1\n\n[switch]\nscheme = \"obqa\"\nqueues = 8\nmore = true\n");
    FAIL() << "accepted";
  } catch (const SpecError& error) {
    EXPECT_THAT(error.what(), HasSubstr("switch.queues: 4 there, 8 now"));
    EXPECT_THAT(error.what(), HasSubstr("switch.more: not given there, true now"));
    EXPECT_THAT(error.what(), Not(HasSubstr("seed")));
  }
}

TEST_F(ResultsDirTest, OneProcessAtATime) {
  const ResultsDir directory(path_, experiment_, kSpec);
  EXPECT_THROW(ResultsDir(path_, experiment_, kSpec), std::system_error);
}

TEST_F(ResultsDirTest, AnUnusableDirectoryIsFoundAtOnce) {
  fs::create_directories(path_.parent_path());
  std::ofstream(path_) << "a file";
  EXPECT_THROW(ResultsDir(path_, experiment_, kSpec), std::system_error);
  EXPECT_THROW(ResultsDir("/proc/headway", experiment_, kSpec), std::system_error);
}

TEST_F(ResultsDirTest, TooLittleSpaceIsFoundAtOnce) {
  Spec long_series;
  long_series.measure.bin = Duration{{1, 1'000'000'000}};
  long_series.measure.duration = Duration{1'000'000'000};
  experiment_.points.front() = make_point({}, long_series);
  try {
    const ResultsDir directory(path_, experiment_, kSpec);
    FAIL() << "accepted";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOSPC);
  }
}

TEST_F(ResultsDirTest, WritesTheFilesForPeople) {
  ResultsDir directory(path_, experiment_, kSpec);
  Result result = result_of(1);
  result.series = {{"time_ns", {1}}};
  const std::vector<PointResult> points = {make_point_result(experiment_.points[0], {result, result})};
  directory.write(points, "json", manifest_json(experiment_, points, {"headway", "run"}));
  EXPECT_EQ(read_file(path_ / "results.json"), "json");
  EXPECT_EQ(read_file(path_ / "spec.toml"), kSpec);
  EXPECT_EQ(read_file(path_ / "results.csv"), results_csv(points));
  EXPECT_EQ(read_file(path_ / "series.csv"), table_csv(points, &Result::series));
  EXPECT_FALSE(fs::exists(path_ / "per_link.csv"));
  const auto manifest = nlohmann::json::parse(read_file(path_ / "manifest.json"));
  EXPECT_EQ(manifest["command"].size(), 2U);
  EXPECT_EQ(manifest["points"], 2);
  EXPECT_EQ(manifest["points_finished"], 1);
  for (const auto& entry : fs::directory_iterator(path_)) EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST(AtomicFile, AFullDiskIsReported) {
  AppendFile full("/dev/full");
  try {
    full.append("text");
    FAIL() << "no error";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOSPC);
    EXPECT_THAT(error.what(), HasSubstr("/dev/full"));
  }
}

TEST(AtomicFile, AFailedWriteLeavesTheOldContent) {
  const fs::path path = fs::path(::testing::TempDir()) / ("atomic" + std::to_string(getpid()));
  write_file(path, "old");
  fs::create_directory(path.string() + ".tmp");  // so that the draft cannot be opened
  EXPECT_THROW(write_file(path, "new"), std::system_error);
  EXPECT_EQ(read_file(path), "old");
  fs::remove(path.string() + ".tmp");
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
  fs::remove(path);
  EXPECT_THROW(read_file(path), std::system_error);
}

}  // namespace
}  // namespace headway
