// SPDX-License-Identifier: Apache-2.0
#include "headway/run/deal.h"
#include "headway/compile/run_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "headway/run/sweep.h"
#include "tests/support/point.h"

namespace headway {
namespace {

// One point for each duration in microseconds.
Experiment experiment_of(const std::vector<int>& durations, int seeds = 1) {
  Experiment experiment;
  experiment.seeds = seeds;
  for (const int duration : durations) {
    EventSpec spec;
    spec.measure.warmup = Duration{0};
    spec.measure.duration = Duration{1000 * duration};
    experiment.points.push_back(make_point({}, spec));
  }
  return experiment;
}

std::vector<bool> none_of(const Experiment& experiment) {
  return std::vector<bool>(experiment.points.size() * static_cast<std::size_t>(experiment.seeds), false);
}

TEST(Deal, TheLongestFirstToTheShardWithTheLeastWork) {
  const Experiment experiment = experiment_of({10, 40, 20, 30, 5});
  // 40; 30; then 20 to the second, 10 to the first, and 5: both have 50
  EXPECT_EQ(deal(experiment, 2, none_of(experiment)), (std::vector<std::uint64_t>{1, 1, 2, 2, 1}));
}

TEST(Deal, ARunThatIsThereIsNotDealt) {
  const Experiment experiment = experiment_of({10, 40, 20, 30});
  std::vector<bool> had = none_of(experiment);
  had[1] = true;
  EXPECT_EQ(deal(experiment, 2, had), (std::vector<std::uint64_t>{2, 0, 2, 1}));
}

TEST(Deal, EveryRunHasOneShardAndAllHaveAboutTheSame) {
  constexpr std::uint64_t kShards = 7;
  std::vector<int> durations(100);
  std::iota(durations.begin(), durations.end(), 1);
  const Experiment experiment = experiment_of(durations, 3);
  const std::vector<std::uint64_t> shard_of = deal(experiment, kShards, none_of(experiment));
  std::vector<double> work(kShards, 0);
  for (std::size_t run = 0; run < shard_of.size(); ++run) {
    ASSERT_GE(shard_of[run], 1U);
    ASSERT_LE(shard_of[run], kShards);
    work[shard_of[run] - 1] += expected_work(experiment, run / 3);
  }
  const auto [least, most] = std::ranges::minmax(work);
  EXPECT_LE(most, 1.02 * least);
}

TEST(Deal, MoreShardsThanRunsLeaveSomeWithoutWork) {
  const Experiment experiment = experiment_of({10, 20});
  EXPECT_EQ(deal(experiment, 5, none_of(experiment)), (std::vector<std::uint64_t>{2, 1}));
}

// Each round of a point depends on all of its earlier runs.
TEST(Deal, RepetitionsUntilAnIntervalIsNarrowStayTogether) {
  Experiment experiment = experiment_of({10, 10, 10, 10}, 6);
  experiment.until = SeedsUntil{.metric = "latency_mean_ns", .at_least = 2, .at_most = 6};
  const std::vector<std::uint64_t> shard_of = deal(experiment, 3, none_of(experiment));
  for (std::size_t run = 0; run < shard_of.size(); ++run) EXPECT_EQ(shard_of[run], shard_of[run / 6 * 6]);
}

TEST(Deal, AShardIsWrittenAsItsNumberAndTheNumberOfAll) {
  EXPECT_EQ(shard_in("3/8"), (Shard{3, 8}));
  EXPECT_EQ(shard_in("1/1"), (Shard{1, 1}));
  for (const char* wrong : {"", "3", "0/8", "9/8", "3/", "/8", "3/8 ", "-1/8", "3/8/9", "1/1000001", "a/b"})
    EXPECT_EQ(shard_in(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace headway
