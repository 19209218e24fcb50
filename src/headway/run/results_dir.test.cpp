// SPDX-License-Identifier: Apache-2.0
#include "headway/run/results_dir.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/io/atomic_file.h"
#include "tests/support/point.h"
#include "tests/support/texts.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kSpec = "seed = 1\n\n[switch]\nscheme = \"obqa\"\nqueues = 4\n";

class ResultsDirTest : public ::testing::Test {
 protected:
  ResultsDirTest() {
    experiment_.seeds = 2;
    experiment_.document = parse_toml(std::string(kSpec), "spec");
    for (const double load : {0.5, 0.9}) experiment_.points.push_back(point_of(load));
  }
  ~ResultsDirTest() override { fs::remove_all(path_); }

  static Point point_of(double load, std::uint64_t seed = 1, bool keep = false) {
    EventSpec spec;
    spec.traffic.flows[0].load.points[0].load = load;
    spec.seed = seed;
    spec.observe.waiting = true;
    spec.observe.keep = keep;
    return make_point({{"traffic.load", std::to_string(load)}}, spec);
  }

  static Result result_of(double latency) {
    Result result;
    result.metrics = {{"latency_mean_ns", latency}};
    return result;
  }

  fs::path journal() const { return path_ / "journal.jsonl"; }
  void append(std::string_view text) const { std::ofstream(journal(), std::ios::app) << text; }

  // Latencies of the stored runs as a new program finds them, by point and repetition.
  using Kept = std::map<std::pair<std::size_t, int>, double>;
  Kept kept() const {
    Kept latencies;
    ResultsDir directory(path_, experiment_);
    for (const auto& [task, result] : directory.take_results())
      latencies[{task.point, task.repetition}] = result.metric("latency_mean_ns");
    return latencies;
  }

  fs::path path_ = fs::path(::testing::TempDir()) /
                   (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
                    std::to_string(getpid())) /
                   "out";
  Experiment experiment_;
};

// The upper bound of 56 MB is that of results of 3.5 MB.
TEST(LackOfSpace, IsToldByWhatResultsTake) {
  EXPECT_EQ(lack_of_space(4e6, 56e6), "");
  EXPECT_EQ(lack_of_space(8192, 56e6), "has 8 kB of free space, but the results take about 3.5 MB to 28 MB");
  EXPECT_EQ(lack_of_space(0, 80e3), "has 0 kB of free space, but the results take about 5 kB to 40 kB");
}

TEST_F(ResultsDirTest, WhatWasAddedIsThereAfterReopening) {
  {
    ResultsDir directory(path_, experiment_);
    EXPECT_TRUE(directory.take_results().empty());
    directory.add({0, 1}, result_of(1));
    directory.add({1, 0}, result_of(2));
  }
  EXPECT_EQ(kept(), (Kept{{{0, 1}, 1}, {{1, 0}, 2}}));
}

TEST_F(ResultsDirTest, ATornLineIsARunToBeDoneAgain) {
  {
    ResultsDir(path_, experiment_).add({0, 0}, result_of(1));
  }
  append("{\"key\": \"00\", \"result\": {\"sta");
  {
    ResultsDir directory(path_, experiment_);
    EXPECT_EQ(directory.damaged(), 1U);
    EXPECT_EQ(directory.take_results().size(), 1U);
    directory.add({0, 1}, result_of(2));  // must not continue the torn line
  }
  append("nonsense\n{\"key\": 7}\n{\"key\": \"1\", \"result\": {\"metrics\": 3}}\n[]\n\n");
  EXPECT_EQ(kept(), (Kept{{{0, 0}, 1}, {{0, 1}, 2}}));
}

TEST_F(ResultsDirTest, RunsOfAPointThatDoNotGoTogetherAreDoneAgain) {
  {
    ResultsDir directory(path_, experiment_);
    Result other = result_of(1);
    other.metrics.emplace_back("accepted_load", 0.5);
    directory.add({0, 0}, result_of(1));
    directory.add({0, 1}, other);
    directory.add({1, 1}, other);
  }
  ResultsDir directory(path_, experiment_);
  const auto there = directory.take_results();
  ASSERT_EQ(there.size(), 1U);
  EXPECT_EQ(there[0].first.point, 1U);
}

TEST_F(ResultsDirTest, ARunIsDoneAgainWhenAFileOfItsSpecHasChanged) {
  fs::create_directories(path_);
  const std::string routes = path_ / "routes.txt";
  const auto name_routes = [&] {  // as in a new program
    EventSpec with_file;
    with_file.routing.algorithm = choose(routings(), "table", {{"file", routes}});
    experiment_.points[0] = make_point(experiment_.points[0].params, with_file);
  };
  std::ofstream(routes) << "0 0 0\n";
  const auto time = fs::last_write_time(routes);
  name_routes();
  {
    ResultsDir directory(path_, experiment_);
    directory.add({0, 0}, result_of(1));
    std::ofstream(routes) << "0 0 1\n";  // the file keeps its size and its modification time
    fs::last_write_time(routes, time);
    directory.add({0, 1}, result_of(2));  // this experiment read the file before the change
    directory.add({1, 0}, result_of(3));
  }
  name_routes();
  EXPECT_EQ(kept(), (Kept{{{1, 0}, 3}}));
  std::ofstream(routes) << "0 0 0\n";
  name_routes();
  EXPECT_EQ(kept(), (Kept{{{0, 0}, 1}, {{0, 1}, 2}, {{1, 0}, 3}}));
}

TEST_F(ResultsDirTest, AFileCountsByItsContentWhateverItsName) {
  fs::create_directories(path_);
  const auto name_file = [&](const char* name, std::string_view content) {
    const std::string file = path_ / name;
    std::ofstream(file) << content;
    EventSpec with_files;
    with_files.routing.algorithm = choose(routings(), "table", {{"file", file}});
    with_files.traffic.traces.push_back({.format = choose(trace_formats(), "csv", {{"file", file}})});
    experiment_.points[0] = make_point(experiment_.points[0].params, with_files);
  };
  name_file("one.txt", "0 0 0\n");
  ResultsDir(path_, experiment_).add({0, 0}, result_of(1));
  name_file("two.txt", "0 0 0\n");
  EXPECT_EQ(kept(), (Kept{{{0, 0}, 1}}));
  name_file("one.txt", "0 0 1\n");
  EXPECT_EQ(kept(), Kept{});
}

TEST_F(ResultsDirTest, HasTheFilesInMemoryThatItsSpecNames) {
  const InputFile queues = InputFile::in_memory("queues", "txt", "destination queue\n* 0\n");
  experiment_.files.emplace(queues.path(), queues);
  const ResultsDir directory(path_, experiment_);
  EXPECT_EQ(read_text(path_ / queues.path()), *queues.content());
}

TEST_F(ResultsDirTest, ASearchHasResultsOfItsOwn) {
  const auto add = [&](const std::optional<SaturationSearch>& search, double latency) {
    experiment_.search = search;
    ResultsDir directory(path_, experiment_);
    EXPECT_TRUE(directory.take_results().empty());
    EXPECT_FALSE(fs::exists(path_ / "results.json"));  // it was computed otherwise
    directory.add({0, 0}, result_of(latency));
    directory.write({}, "{}", "manifest");
  };
  const auto kept_by = [&](const std::optional<SaturationSearch>& search) {
    experiment_.search = search;
    return kept();
  };
  constexpr SaturationSearch kFine{.precision = 0.01}, kCoarse{.precision = 0.02};
  add(kFine, 1);
  EXPECT_THAT(
      read_text(path_ / "spec.toml"),
      StartsWith("# saturation search: precision 0.01, share 0.97, times 5, lowest 0.01\n\nseed = 1\n"));
  add(kCoarse, 2);
  add({}, 3);
  EXPECT_EQ(read_text(path_ / "spec.toml"), kSpec);
  EXPECT_EQ(kept_by(kFine), (Kept{{{0, 0}, 1}}));
  EXPECT_EQ(kept_by(kCoarse), (Kept{{{0, 0}, 2}}));
  EXPECT_EQ(kept_by({}), (Kept{{{0, 0}, 3}}));
}

// The key of a run depends on what determines its result, not on its place in a sweep.
TEST_F(ResultsDirTest, AnotherExperimentTakesTheRunsThatItShares) {
  {
    ResultsDir directory(path_, experiment_);
    directory.add({0, 0}, result_of(1));
    directory.add({0, 1}, result_of(2));
    directory.add({1, 0}, result_of(3));
    directory.write({}, "{}", "manifest");
  }
  const Experiment before = experiment_;
  experiment_.seeds = 3;
  experiment_.points = {point_of(0.2), point_of(0.9), point_of(0.5), point_of(0.5, 2)};
  {
    experiment_.document = parse_toml("seed = 2\n", "spec");
    ResultsDir directory(path_, experiment_);
    EXPECT_EQ(directory.others(), 0U);
    EXPECT_FALSE(fs::exists(path_ / "results.json"));  // it belonged to the other experiment
    EXPECT_EQ(read_text(path_ / "spec.toml"), "seed = 2\n");
    directory.add({0, 0}, result_of(4));
  }
  EXPECT_EQ(kept(), (Kept{{{0, 0}, 4}, {{1, 0}, 3}, {{2, 0}, 1}, {{2, 1}, 2}, {{3, 0}, 2}}));
  experiment_ = before;
  EXPECT_EQ(kept(), (Kept{{{0, 0}, 1}, {{0, 1}, 2}, {{1, 0}, 3}}));
  EXPECT_EQ(ResultsDir(path_, experiment_).others(), 1U);
}

TEST_F(ResultsDirTest, SnapshotsMoveWithTheirPoints) {
  const auto snapshot = [&](std::size_t point) {
    const auto file = snapshots_of(path_, point);
    return file ? read_text(*file) : "none";
  };
  Result result = result_of(1);
  const auto keep = [](double load) { return point_of(load, 1, true); };
  experiment_.points = {keep(0.5), keep(0.9)};
  {
    ResultsDir directory(path_, experiment_);
    for (const std::size_t point : {0U, 1U}) {
      result.snapshots = point == 0 ? "at 0.5" : "at 0.9";
      directory.add({point, 0}, result);
    }
  }
  experiment_.points = {keep(0.9), keep(0.7), keep(0.5)};
  EXPECT_EQ(kept().size(), 2U);
  EXPECT_EQ(snapshot(0) + ", " + snapshot(1) + ", " + snapshot(2), "at 0.9, none, at 0.5");
  experiment_.points = {keep(0.7), keep(0.5)};
  EXPECT_EQ(kept().size(), 1U);
  EXPECT_EQ(snapshot(0) + ", " + snapshot(1), "none, at 0.5");
  // a run whose file is missing is repeated, unless it needs no snapshots
  fs::remove(*snapshots_of(path_, 1));
  EXPECT_EQ(kept().size(), 0U);
  experiment_.points = {point_of(0.5), keep(0.9)};
  EXPECT_EQ(kept().size(), 2U);
  EXPECT_EQ(snapshot(0) + ", " + snapshot(1), "none, at 0.9");
}

TEST_F(ResultsDirTest, OneProcessAtATime) {
  const ResultsDir directory(path_, experiment_);
  EXPECT_THROW(ResultsDir(path_, experiment_), std::system_error);
}

// A shard finds all journals, has only its part of the runs, and writes no files for people.
TEST_F(ResultsDirTest, AShardHasItsPartOfTheRuns) {
  ResultsDir(path_, experiment_).add({0, 1}, result_of(1));
  std::size_t dealt = 0;
  {
    ResultsDir first(path_, experiment_, {}, Shard{1, 2}), second(path_, experiment_, {}, Shard{2, 2});
    EXPECT_FALSE(first.has({0, 1}) || second.has({0, 1}));
    for (const Task task : {Task{0, 0}, Task{1, 0}, Task{1, 1}}) {
      EXPECT_NE(first.has(task), second.has(task));
      ResultsDir& one = first.has(task) ? first : second;
      one.add(task, result_of(10 * static_cast<double>(++dealt)));
    }
    first.write({}, "{}", "{}");
    EXPECT_FALSE(fs::exists(path_ / "results.json"));
    EXPECT_EQ(read_text(path_ / "spec.toml"), kSpec);
  }
  // what the others have finished does not change the part of a shard that comes back
  ResultsDir again(path_, experiment_, {}, Shard{1, 2});
  const auto found = again.take_results();
  EXPECT_FALSE(found.empty());
  for (const auto& [task, result] : found) EXPECT_TRUE(again.has(task));
}

TEST_F(ResultsDirTest, TheRunsOfAllShardsAreThere) {
  for (const std::uint64_t number : {1U, 2U, 3U}) {
    ResultsDir shard(path_, experiment_, {}, Shard{number, 3});
    for (const Task& task : all_tasks(experiment_))
      if (shard.has(task)) shard.add(task, result_of(static_cast<double>(task.point) + 1));
    shard.end("done");
  }
  EXPECT_EQ(kept(), (Kept{{{0, 0}, 1}, {{0, 1}, 1}, {{1, 0}, 2}, {{1, 1}, 2}}));
  EXPECT_FALSE(fs::exists(path_ / "shards"));
}

TEST_F(ResultsDirTest, AnUnusableDirectoryIsFoundAtOnce) {
  fs::create_directories(path_.parent_path());
  std::ofstream(path_) << "a file";
  EXPECT_THROW(ResultsDir(path_, experiment_), std::system_error);
  EXPECT_THROW(ResultsDir("/proc/headway", experiment_), std::system_error);
}

TEST_F(ResultsDirTest, TooLittleSpaceIsFoundAtOnce) {
  EventSpec long_series;
  long_series.measure.bin = Duration{{1, 1'000'000'000}};
  long_series.measure.duration = Duration{1'000'000'000};
  experiment_.points.front() = make_point({}, long_series);
  try {
    const ResultsDir directory(path_, experiment_);
    FAIL() << "accepted";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOSPC);
  }
}

TEST_F(ResultsDirTest, WritesTheFilesForPeople) {
  ResultsDir directory(path_, experiment_);
  Result result = result_of(1);
  result.tables["series"] = {{"time_ns", {1}}};
  const std::vector<PointResult> points = {make_point_result(experiment_.points[0], {result, result})};
  const auto finished = test::pointers(points);
  directory.write(finished, "{}", manifest_json(experiment_, finished, {"headway", "run"}));
  EXPECT_EQ(read_text(path_ / "results.json"), test::json_of("{}", points));
  EXPECT_EQ(read_text(path_ / "spec.toml"), kSpec);
  EXPECT_EQ(read_text(path_ / "results.csv"), test::csv_of(points));
  EXPECT_EQ(read_text(path_ / "series.csv"), test::table_of(points, "series"));
  EXPECT_FALSE(fs::exists(path_ / "per_link.csv"));
  const auto manifest = nlohmann::json::parse(read_text(path_ / "manifest.json"));
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
  fs::create_directory(path.string() + ".tmp");  // so that the temporary file cannot be opened
  EXPECT_THROW(write_file(path, "new"), std::system_error);
  EXPECT_EQ(read_text(path), "old");
  fs::remove(path.string() + ".tmp");
  write_file(path, "new");
  EXPECT_EQ(read_text(path), "new");
  // a write neither waits for the reader of a pipe nor follows a link
  ASSERT_EQ(::mkfifo((path.string() + ".tmp").c_str(), 0600), 0);
  write_file(path, "newer");
  EXPECT_EQ(read_text(path), "newer");
  fs::create_symlink(path, path.string() + ".tmp");
  write_file(path, "newest");
  EXPECT_EQ(read_text(path), "newest");
  EXPECT_FALSE(fs::is_symlink(path));
  fs::remove(path);
  EXPECT_THROW(read_text(path), SpecError);
}

}  // namespace
}  // namespace headway
