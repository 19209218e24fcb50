// SPDX-License-Identifier: Apache-2.0
#include "headway/run/collection.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

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
    options.run = [this](const Spec& spec, const RunOptions&) {
      ++runs_;
      Result result;
      result.metrics = {{"latency_mean_ns", static_cast<double>(seed_of(spec))}};
      return result;
    };
    return options;
  }
  Collection::Place place() const { return {path_}; }

  Experiment experiment_;
  int runs_ = 0;
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
    EXPECT_TRUE(collection.run(options()));
  }
  EXPECT_EQ(runs_, 6);
  const std::string json = read_text(path_ / "results.json");
  Collection collection(experiment_, place());
  int points = 0;
  collection.on_point = [&](const PointResult&) { ++points; };
  EXPECT_EQ(collection.resume(), 6U);
  EXPECT_EQ(points, 3);
  EXPECT_TRUE(collection.run(options()));
  EXPECT_EQ(runs_, 6);
  EXPECT_EQ(read_text(path_ / "results.json"), json);
}

TEST_F(CollectionTest, WhatIsFinishedIsWrittenHoweverTheSweepEnds) {
  const auto points_written = [&] {
    return nlohmann::json::parse(read_text(path_ / "results.json"))["points"].size();
  };
  std::atomic<bool> cancelled = false;
  SweepOptions until_cancelled = options();
  until_cancelled.cancelled = &cancelled;
  until_cancelled.run = [&](const Spec&, const RunOptions& run) {
    if (++runs_ <= 2) return Result{};
    cancelled = true;
    while (!*run.cancelled) usleep(100);
    throw Cancelled{};
  };
  {
    Collection collection(experiment_, place());
    EXPECT_FALSE(collection.run(until_cancelled));
  }
  EXPECT_EQ(points_written(), 1U);

  SweepOptions until_failure = options();
  until_failure.run = [&](const Spec&, const RunOptions&) -> Result {
    if (++runs_ <= 5) return {};
    throw std::runtime_error("as it may happen");
  };
  {
    Collection collection(experiment_, place());
    EXPECT_EQ(collection.resume(), 2U);
    EXPECT_THROW(collection.run(until_failure), PointError);
  }
  EXPECT_EQ(points_written(), 2U);
}

// Nothing is lost for a name that JSON cannot hold.
TEST_F(CollectionTest, NamesNeedNotBeUtf8) {
  Collection::Place strange{path_ / "\xFF", "", {"headway", "run", "--out", "\xFF"}};
  Collection collection(experiment_, strange);
  EXPECT_TRUE(collection.run(options()));
  const auto manifest = nlohmann::json::parse(read_text(strange.directory / "manifest.json"));
  EXPECT_EQ(manifest["command"][3], "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace headway
