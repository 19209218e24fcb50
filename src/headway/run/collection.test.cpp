// SPDX-License-Identifier: Apache-2.0
#include "headway/run/collection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <system_error>
#include <thread>

#include <nlohmann/json.hpp>

#include "headway/base/rng.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/run/run_key.h"
#include "headway/run/saturation.h"
#include "tests/support/point.h"
#include "tests/support/texts.h"

namespace headway {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

// Three points with two seeds each; a run gives its seed as latency.
class CollectionTest : public ::testing::Test {
 protected:
  CollectionTest() {
    experiment_.seeds = 2;
    experiment_.document = Document(Document::Table{{"seed", "", Document(std::int64_t{1})}});
    for (const std::string load : {"0.5", "0.7", "0.9"}) {
      EventSpec spec;
      spec.traffic.flows[0].load.points[0].load = std::stod(load);
      experiment_.points.push_back(make_point({{"traffic.load", load}}, spec));
    }
  }
  ~CollectionTest() override { fs::remove_all(path_); }

  SweepOptions options() {
    SweepOptions options;
    options.jobs = 1;
    return options;
  }
  bool run(Collection& collection, const SweepOptions& options) {
    return collection.run(options, [this](const Spec& spec, const RunOptions&, const RunProgress&) {
      ++runs_;
      Result result;
      result.metrics = {{"latency_mean_ns", static_cast<double>(seed_of(spec))}};
      return result;
    });
  }
  Collection::Place place() const { return {path_}; }

  Experiment experiment_;
  std::atomic<int> runs_ = 0;  // runs are parallel
  fs::path path_ = fs::path(::testing::TempDir()) / ("collection" + std::to_string(getpid()));
};

TEST_F(CollectionTest, HandsPointsOnInOrderWhateverTheOrderOfResults) {
  Collection collection(experiment_);
  std::vector<std::string> order;
  collection.on_point = [&](const PointResult& point) { order.push_back(point.params[0].second); };
  Result result;
  for (const Task task : {Task{2, 1}, {2, 0}, {0, 0}, {1, 1}}) collection.add(task, result);
  EXPECT_TRUE(order.empty());
  EXPECT_NE(collection.find({2, 1}), nullptr);
  EXPECT_NE(collection.find({0, 0}), nullptr);
  EXPECT_EQ(collection.find({0, 1}), nullptr);
  collection.add({0, 1}, result);
  EXPECT_THAT(order, ElementsAre("0.5"));
  EXPECT_EQ(collection.points().size(), 2U);
  collection.add({1, 0}, result);
  EXPECT_THAT(order, ElementsAre("0.5", "0.7", "0.9"));
  EXPECT_EQ(collection.finished(), collection.runs());
}

TEST_F(CollectionTest, WhatADirectoryHasIsNotRunAgain) {
  {
    Collection collection(experiment_, place());
    EXPECT_TRUE(run(collection, options()));
  }
  EXPECT_EQ(runs_, 6);
  const std::string json = read_text(path_ / "results.json");
  Collection collection(experiment_, place());
  int points = 0;
  collection.on_point = [&](const PointResult&) { ++points; };
  EXPECT_EQ(collection.resume(), 6U);
  EXPECT_EQ(points, 3);
  EXPECT_TRUE(run(collection, options()));
  EXPECT_EQ(runs_, 6);
  EXPECT_EQ(read_text(path_ / "results.json"), json);
}

// What the guard of free space (lack_of_space) says they take: from a sixteenth of their upper bound to half
// of it.
TEST_F(CollectionTest, FilesOfLongProgramsTakeWhatTheirDirectoryAsksFor) {
  for (const std::string program :
       {"program = \"all-reduce\"", "program = \"all-to-all\"\nalgorithm = \"pairwise\"",
        "program = \"training-step\"", "program = \"request-reply\"\ncopies = 2"})
    for (const std::string tables : {"\"per-operation\"", "\"per-operation\", \"critical-path\""}) {
      const Experiment experiment = load_experiment(
          parse_toml(fmt::format("[network]\nk = 4\nn = 3\n[[traffic.job]]\n{}\n[measure]\nuntil "
                                 "= \"done\"\ntables = [{}]\n",
                                 program, tables),
                     "spec"),
          {}, {});
      Collection collection(experiment, place());
      ASSERT_TRUE(collection.run(options()));
      double bytes = 0;
      for (const auto& file : fs::directory_iterator(path_)) bytes += static_cast<double>(file.file_size());
      const double most = RunKeys(experiment).most_bytes;
      EXPECT_GT(bytes, most / 16) << program << tables;
      EXPECT_LT(bytes, most / 2) << program << tables;
      fs::remove_all(path_);
    }
}

// Rows of a terminal, for example: a slow one stops no run, and it needs no lock.
TEST_F(CollectionTest, HandsPointsOnInTheThreadThatCallsRun) {
  Collection collection(experiment_, place());
  std::vector<std::string> order;
  collection.on_point = [&, caller = std::this_thread::get_id()](const PointResult& point) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(collection.points().front()->params[0].second, "0.5");
    order.push_back(point.params[0].second);
  };
  SweepOptions parallel = options();
  parallel.jobs = 4;
  EXPECT_TRUE(run(collection, parallel));
  EXPECT_THAT(order, ElementsAre("0.5", "0.7", "0.9"));
}

TEST_F(CollectionTest, AFileThatCannotBeWrittenIsReportedAndLosesNoRun) {
  {
    Collection collection(experiment_, place());
    fs::create_directories(path_ / "results.json.tmp" / "in the way");
    EXPECT_THROW(run(collection, options()), std::system_error);
    EXPECT_EQ(collection.points().size(), 3U);
  }
  fs::remove_all(path_ / "results.json.tmp");
  Collection collection(experiment_, place());
  EXPECT_EQ(collection.resume(), 6U);
  EXPECT_TRUE(run(collection, options()));
  EXPECT_EQ(runs_, 6);
  EXPECT_EQ(read_text(path_ / "results.json"), test::json_of(collection));
}

TEST_F(CollectionTest, WhatIsFinishedIsWrittenHoweverTheSweepEnds) {
  const auto points_written = [&] {
    return nlohmann::json::parse(read_text(path_ / "results.json"))["points"].size();
  };
  std::atomic<bool> cancelled = false;
  SweepOptions until_cancelled = options();
  until_cancelled.cancelled = &cancelled;
  const auto run_two = [&](const Spec&, const RunOptions& run, const RunProgress&) {
    if (++runs_ <= 2) return Result{};
    cancelled = true;
    while (!*run.cancelled) usleep(100);
    throw Cancelled{};
  };
  {
    Collection collection(experiment_, place());
    EXPECT_FALSE(collection.run(until_cancelled, run_two));
  }
  EXPECT_EQ(points_written(), 1U);

  const auto run_three = [&](const Spec&, const RunOptions&, const RunProgress&) -> Result {
    if (++runs_ <= 5) return {};
    throw std::runtime_error("as it may happen");
  };
  {
    Collection collection(experiment_, place());
    EXPECT_EQ(collection.resume(), 2U);
    EXPECT_THROW(collection.run(options(), run_three), PointError);
  }
  EXPECT_EQ(points_written(), 2U);
}

// The search belongs to the experiment, so whoever runs it computes and stores the same.
TEST_F(CollectionTest, OfASearchIsStoredUnderTheKeysOfTheSearch) {
  const std::string spec =
      "[network]\ntopology = \"single-switch\"\nnodes = 4\n[[traffic.flow]]\nload = 1.0\n"
      "[measure]\nwarmup = \"2 us\"\nduration = \"20 us\"\n";
  const Experiment plain = load_experiment(parse_toml(spec, "spec"));
  const Experiment search = load_for_search(parse_toml(spec, "spec"), {.precision = 0.4});
  const auto computed = [&](const Experiment& experiment, std::size_t stored) {
    Collection collection(experiment, place());
    EXPECT_EQ(collection.resume(), stored);
    EXPECT_TRUE(collection.run({.jobs = 1}));
    EXPECT_EQ(collection.points().at(0)->search, experiment.search);
    return collection.points().at(0)->result;
  };
  const Result found = computed(search, 0), result = computed(plain, 0);
  EXPECT_LT(found.metric("saturation_load"), 1);
  EXPECT_TRUE(std::isnan(result.metric("saturation_load")));
  EXPECT_EQ(computed(search, 1).trace_hash, found.trace_hash);
  EXPECT_EQ(computed(plain, 1).trace_hash, result.trace_hash);
  Experiment finer = search;
  finer.search->precision = 0.3;
  EXPECT_EQ(Collection(finer, place()).resume(), 0U);
}

// The latency depends on the seed; it varies more at higher loads.
Result scattered(const Spec& spec, const RunOptions&, const RunProgress&) {
  const double load = std::get<EventSpec>(spec).traffic.flows[0].load.points[0].load;
  Rng rng(seed_of(spec), 1);
  Result result;
  result.metrics = {
      {"latency_mean_ns", 100 + 100 * (load - 0.4) * static_cast<double>(rng.below(1000)) / 1000}};
  return result;
}

TEST_F(CollectionTest, RepeatsUntilTheIntervalIsNarrowEnoughWhateverTheNumberOfJobs) {
  experiment_.until = SeedsUntil{.metric = "latency_mean_ns", .relative = 0.04, .at_least = 3, .at_most = 40};
  experiment_.seeds = 40;
  SweepOptions scattering = options();
  Collection alone(experiment_);
  EXPECT_TRUE(alone.run(scattering, scattered));
  const std::vector<const PointResult*> points = alone.points();
  ASSERT_EQ(points.size(), 3U);
  EXPECT_LT(points[0]->runs.size(), points[1]->runs.size());
  EXPECT_LT(points[1]->runs.size(), points[2]->runs.size());
  for (const PointResult* const point : points) {
    EXPECT_TRUE(*point->narrow_enough);
    EXPECT_LE(point->result.intervals[0].second, 0.04 * point->result.metrics[0].second);
    if (point->runs.size() == 3) continue;
    const std::vector<Result> fewer(point->runs.begin(), point->runs.end() - 1);
    const Result combined = combine(fewer, point->seed);
    EXPECT_GT(combined.intervals[0].second, 0.04 * combined.metrics[0].second);
  }
  for (const unsigned jobs : {2U, 7U}) {
    scattering.jobs = jobs;
    Collection together(experiment_);
    EXPECT_TRUE(together.run(scattering, scattered));
    EXPECT_EQ(test::json_of(together), test::json_of(alone));
  }
  // stopped in the middle, and continued
  std::atomic<bool> cancelled = false;
  scattering.jobs = 2;
  scattering.cancelled = &cancelled;
  scattering.interval = std::chrono::milliseconds(1);
  const auto run_some = [&](const Spec& spec, const RunOptions& run, const RunProgress& progress) {
    if (++runs_ < 8) return scattered(spec, run, progress);
    cancelled = true;
    while (!*run.cancelled) usleep(100);
    throw Cancelled{};
  };
  EXPECT_FALSE(Collection(experiment_, place()).run(scattering, run_some));
  {
    Collection rest(experiment_, place());
    EXPECT_GT(rest.resume(), 0U);
    scattering.cancelled = nullptr;
    EXPECT_TRUE(rest.run(scattering, scattered));
    EXPECT_EQ(test::json_of(rest), test::json_of(alone));
    EXPECT_EQ(rest.finished(), rest.runs());
  }
  Collection again(experiment_, place());
  const std::size_t resumed = again.resume();
  EXPECT_EQ(resumed, again.runs());
  EXPECT_EQ(test::json_of(again), test::json_of(alone));
}

// A directory name that JSON cannot represent loses no results.
TEST_F(CollectionTest, NamesNeedNotBeUtf8) {
  Collection::Place strange{path_ / "\xFF", {"headway", "run", "--out", "\xFF"}};
  Collection collection(experiment_, strange);
  EXPECT_TRUE(run(collection, options()));
  const auto manifest = nlohmann::json::parse(read_text(strange.directory / "manifest.json"));
  EXPECT_EQ(manifest["command"][3], "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace headway
