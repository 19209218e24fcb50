// SPDX-License-Identifier: Apache-2.0
#include "headway/run/sweep.h"
#include "tests/support/point.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace headway {
namespace {

using ::testing::HasSubstr;

// Points of 1, 2, ... times the same duration.
Experiment experiment_of(int points, int seeds = 1) {
  Experiment experiment;
  experiment.seeds = seeds;
  for (int i = 0; i < points; ++i) {
    EventSpec spec;
    spec.measure.duration.ns = 1000 * (i + 1);
    spec.measure.warmup = Duration{0};
    spec.seed = 10;
    experiment.points.push_back(make_point({{"measure.duration", std::to_string(i + 1)}}, spec));
  }
  return experiment;
}

Rational duration_of(const Spec& spec) { return std::get<EventSpec>(spec).measure.duration.ns; }

// The result of this run identifies its spec.
Result echo(const Spec& spec, const RunOptions&, const RunProgress&) {
  Result result;
  result.metrics = {{"duration_ns", duration_of(spec).to_double()}};
  result.trace_hash = seed_of(spec);
  return result;
}

struct Results {
  std::mutex mutex;
  std::map<std::pair<std::size_t, int>, Result> of;  // by point and repetition
};

TakeResult into(Results& results) {
  return [&results](const Task& task, Result result) {
    const std::scoped_lock lock(results.mutex);
    results.of[{task.point, task.repetition}] = std::move(result);
    return std::vector<Task>();
  };
}

SweepOptions options_for(unsigned jobs) { return {.jobs = jobs, .interval = std::chrono::milliseconds(1)}; }

TEST(Sweep, RunsEveryPointWithEverySeedOnceWhateverTheNumberOfThreads) {
  const Experiment experiment = experiment_of(7, 3);
  for (const unsigned jobs : {0U, 1U, 2U, 4U, 64U}) {
    Results results;
    std::atomic<int> runs = 0;
    const auto counted = [&](const Spec& spec, const RunOptions& run_options, const RunProgress& progress) {
      ++runs;
      return echo(spec, run_options, progress);
    };
    EXPECT_TRUE(run_sweep(experiment, all_tasks(experiment), into(results), options_for(jobs), counted));
    EXPECT_EQ(runs, 21);
    ASSERT_EQ(results.of.size(), 21U);
    for (const auto& [task, result] : results.of) {
      EXPECT_EQ(result.metric("duration_ns"), 1000.0 * static_cast<double>(task.first + 1));
      EXPECT_EQ(result.trace_hash, 10U + static_cast<unsigned>(task.second));
    }
  }
}

TEST(Sweep, ARunHasThreadsIfItIsLongOrItsNetworkIsLarge) {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  Experiment experiment = experiment_of(1);
  const auto threads = [&](const SweepOptions& options) {
    return plan_sweep(experiment, options, 1).threads;
  };
  EXPECT_EQ(threads({}), 1);
  EXPECT_EQ(threads({.threads = 3}), 3) << "the user has said how many";
  experiment.points.front().work.hops = 1e7;
  EXPECT_EQ(threads({}), cores);
  experiment.points.front().work.hops = 0;
  experiment.need.network = 1 << 28;
  EXPECT_EQ(threads({}), cores);
}

TEST(Sweep, ARunHasNoMoreThreadsThanFitIntoMemory) {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  Experiment experiment = experiment_of(1);
  experiment.points.front().work.hops = 1e7;
  experiment.need.start = 100;
  experiment.need.thread = 10;
  const auto threads = [&](const SweepOptions& options) {
    return plan_sweep(experiment, options, 1).threads;
  };
  EXPECT_EQ(threads({.memory = 100 + 10 * (cores - 1)}), cores);
  EXPECT_EQ(threads({.memory = 109}), 1);
  EXPECT_EQ(threads({.memory = 90}), 1);
  EXPECT_EQ(threads({.threads = 5, .memory = 109}), 5) << "the user has said how many";
}

TEST(Sweep, StartsTheLongestFirst) {
  const Experiment experiment = experiment_of(3);
  std::vector<std::size_t> order;
  const TakeResult take = [&](const Task& task, const Result&) {
    order.push_back(task.point);
    return std::vector<Task>();
  };
  run_sweep(experiment, all_tasks(experiment), take, options_for(1), echo);
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 1, 0}));
}

TEST(Sweep, RunsOnlyWhatItIsAskedFor) {
  Results results;
  EXPECT_TRUE(run_sweep(experiment_of(3, 2), {{1, 1}}, into(results), options_for(2), echo));
  ASSERT_EQ(results.of.size(), 1U);
  EXPECT_EQ(results.of.begin()->first, std::pair(std::size_t{1}, 1));
  EXPECT_TRUE(run_sweep(experiment_of(3, 2), {}, into(results), options_for(2), echo));
  EXPECT_EQ(results.of.size(), 1U);
}

TEST(Sweep, ProgressGrowsToAllOfTheWork) {
  const Experiment experiment = experiment_of(4);
  Results results;
  const auto slow = [](const Spec& spec, const RunOptions& run_options, const RunProgress& progress) {
    for (int i = 1; i <= 4; ++i) {
      progress.report(i / 4.0);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return echo(spec, run_options, progress);
  };
  SweepOptions options = options_for(2);
  std::vector<SweepProgress> seen;
  options.on_progress = [&](const SweepProgress& progress) { seen.push_back(progress); };
  run_sweep(experiment, all_tasks(experiment), into(results), options, slow);
  ASSERT_GE(seen.size(), 3U);
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GE(seen[i].fraction, seen[i - 1].fraction);
  EXPECT_EQ(seen.back().fraction, 1);
  EXPECT_EQ(seen.back().tasks_done, 4U);
  EXPECT_EQ(seen.back().tasks, 4U);
  ASSERT_TRUE(seen.back().left);
  EXPECT_EQ(seen.back().left->count(), 0);
}

// Each point asks for one more task, as with SeedsUntil.
TEST(Sweep, RunsWhatItsResultsAskForAndItsProgressNeverFalls) {
  Experiment experiment = experiment_of(4, 3);
  experiment.until = SeedsUntil{.at_least = 1, .at_most = 3};
  for (const unsigned jobs : {1U, 2U, 16U}) {
    Results results;
    const TakeResult keep = into(results);
    const TakeResult take = [&](const Task& task, Result result) {
      keep(task, std::move(result));
      return task.repetition < 2 ? std::vector<Task>{{task.point, task.repetition + 1}} : std::vector<Task>();
    };
    const auto slow = [](const Spec& spec, const RunOptions& run_options, const RunProgress& progress) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return echo(spec, run_options, progress);
    };
    SweepOptions options = options_for(jobs);
    std::vector<SweepProgress> seen;
    options.on_progress = [&](const SweepProgress& progress) { seen.push_back(progress); };
    EXPECT_TRUE(run_sweep(experiment, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, take, options, slow));
    EXPECT_EQ(results.of.size(), 12U);
    EXPECT_TRUE(std::ranges::is_sorted(seen, {}, &SweepProgress::fraction));
    EXPECT_EQ(seen.back().fraction, 1);
    EXPECT_EQ(seen.back().tasks_done, 12U);
    EXPECT_EQ(seen.back().tasks, 12U);
  }
}

// A terminal that takes nothing, and a result that takes long to store, stop no other run.
TEST(Sweep, NoRunWaitsForTheProgressOrForAnotherResult) {
  const Experiment experiment = experiment_of(6);
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t taken = 0;
  const auto wait_until = [&](std::size_t results) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return taken >= results; });
  };
  const TakeResult take = [&](const Task& task, const Result&) {
    if (task.point == 5) wait_until(5);  // the first one waits for all others
    const std::scoped_lock lock(mutex);
    ++taken;
    changed.notify_all();
    return std::vector<Task>();
  };
  SweepOptions options = options_for(2);
  options.on_progress = [&](const SweepProgress&) { wait_until(6); };
  EXPECT_TRUE(run_sweep(experiment, all_tasks(experiment), take, options, echo));
  EXPECT_EQ(taken, 6U);
}

TEST(Sweep, ProgressIsToldAtTheEndHoweverShortTheRuns) {
  const Experiment experiment = experiment_of(1);
  for (int trial = 0; trial < 200; ++trial) {
    Results results;
    SweepOptions options = options_for(1);
    double told = 0;
    options.on_progress = [&](const SweepProgress& progress) { told = progress.fraction; };
    run_sweep(experiment, all_tasks(experiment), into(results), options, echo);
    EXPECT_EQ(told, 1);
  }
}

// Runs until it is cancelled.
Result wait_for_cancellation(const RunOptions& options) {
  while (!*options.cancelled) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  throw Cancelled{};
}

TEST(Sweep, CancellationStopsRunningPointsAndKeepsFinishedOnes) {
  const Experiment experiment = experiment_of(5);
  Results results;
  std::atomic<bool> cancelled = false;
  SweepOptions options = options_for(2);
  options.cancelled = &cancelled;
  const auto run_point = [&](const Spec& spec, const RunOptions& run_options, const RunProgress& progress) {
    if (duration_of(spec) != Rational(5000)) return wait_for_cancellation(run_options);
    cancelled = true;
    return echo(spec, run_options, progress);
  };
  EXPECT_FALSE(run_sweep(experiment, all_tasks(experiment), into(results), options, run_point));
  EXPECT_EQ(results.of.size(), 1U);
}

TEST(Sweep, AFailedPointIsNamedAndStopsTheRestButNothingFinishedIsLost) {
  const Experiment experiment = experiment_of(5);
  Results results;
  const auto run_point = [&](const Spec& spec, const RunOptions& run_options, const RunProgress& progress) {
    if (duration_of(spec) == Rational(5000)) return echo(spec, run_options, progress);
    if (duration_of(spec) == Rational(3000)) throw InvariantError("credits leaked");
    return wait_for_cancellation(run_options);
  };
  try {
    run_sweep(experiment, all_tasks(experiment), into(results), options_for(2), run_point);
    FAIL() << "no error";
  } catch (const InvariantError& error) {
    EXPECT_THAT(error.what(), HasSubstr("measure.duration = 3, seed 10"));
    EXPECT_THAT(error.what(), HasSubstr("credits leaked"));
  }
  EXPECT_EQ(results.of.size(), 1U);
}

TEST(Sweep, FailuresKeepTheirKind) {
  const Experiment experiment = experiment_of(1);
  Results results;
  const auto sweep = [&](const TakeResult& take, const RunPoint& run_point) {
    run_sweep(experiment, all_tasks(experiment), take, options_for(1), run_point);
  };
  const auto fails = [](const auto& error) -> RunPoint {
    return [error](const Spec&, const RunOptions&, const RunProgress&) -> Result { throw error; };
  };
  EXPECT_THROW(sweep(into(results), fails(std::bad_alloc())), PointError);
  EXPECT_THROW(sweep(into(results), fails(SpecError({{"a.b", "is wrong", "", ""}}))), SpecError);
  const TakeResult full = [](const Task&, const Result&) -> std::vector<Task> {
    throw std::length_error("disk full");
  };
  EXPECT_THROW(sweep(full, echo), std::length_error);
}

}  // namespace
}  // namespace headway
