// SPDX-License-Identifier: Apache-2.0
#include "headway/remedies/goal.h"

#include <gmock/gmock.h>

#include <cmath>

#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/why/why.h"

namespace headway {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

PointResult point_of(const std::string& spec) {
  const Experiment experiment = load_for_why(parse_toml(spec, "x"));
  return make_point_result(experiment.points.front(), {run(experiment.points.front().spec())});
}
Result with(std::string metric, double value, Status status = Status::ok) {
  Result result;
  result.metrics = {{std::move(metric), value}};
  result.status = status;
  return result;
}

const std::string kHot = R"(
network = { k = 4, n = 2 }
[[traffic.flow]]
name = "others"
sources = { first = 12 }
load = 0.3
[[traffic.flow]]
name = "hot"
sources = { rest = true }
pattern = "hotspot"
destination = 11
load = 1.0
[measure]
warmup = "20 us"
duration = "50 us"
[observe]
interval = "1 us"
)";

TEST(Goals, AreTheFlowThatSuffersUnlessThereIsAJob) {
  EXPECT_EQ(goal_of(point_of(kHot), {}).of, "others");
  const Goal of_job = goal_of(point_of(kHot.substr(0, kHot.find("[measure]")) +
                                       "[[traffic.job]]\nname = \"sync\"\nprogram = \"barrier\"\n"),
                              {});
  EXPECT_EQ(of_job.metric, "sync.completion_ns");
  EXPECT_TRUE(of_job.is_of_job);
}

TEST(Goals, ThatUsersNameMustBeMetricsOfTheRun) {
  const PointResult point = point_of(kHot);
  const Goal goal = goal_of(point, "hot.accepted_load");
  EXPECT_EQ(goal.of, "hot");
  EXPECT_TRUE(goal.more_is_better);
  EXPECT_FALSE(goal_of(point, "others.latency_mean_ns").more_is_better);
  EXPECT_THAT([&] { goal_of(point, "others.latency_men_ns"); },
              ThrowsMessage<NoResult>(HasSubstr("did you mean")));
}

TEST(Goals, GainMoreOrTakeLessTime) {
  const Goal time{.metric = "t_ns"}, load{.metric = "x", .more_is_better = true};
  EXPECT_EQ(time.gain(with("t_ns", 6), with("t_ns", 2)), 3);
  EXPECT_EQ(load.gain(with("x", 2), with("x", 6)), 3);
  EXPECT_TRUE(std::isnan(time.gain(with("t_ns", 6, Status::deadlock), with("t_ns", 2))));
}

TEST(Goals, OfAJobThatWasNotDoneInTimeHaveNoGain) {
  const Goal job{.metric = "t_ns", .of = "j", .is_of_job = true};
  EXPECT_EQ(job.gain(with("t_ns", 6), with("t_ns", std::nan(""), Status::unfinished)), 0);
}

// A load is a fraction of the rate of links, which a change can double.
TEST(Goals, OfLoadsComparePacketsPerTime) {
  const Goal load{.metric = "accepted_load", .more_is_better = true};
  Result before = with("accepted_load", 0.4), after = with("accepted_load", 0.4);
  before.metrics.insert(before.metrics.end(), {{"packets_delivered", 100}, {"duration_ns", 50}});
  after.metrics.insert(after.metrics.end(), {{"packets_delivered", 400}, {"duration_ns", 100}});
  EXPECT_DOUBLE_EQ(load.gain(before, after), 2);
}

TEST(Goals, KnowWhetherMoreIsBetter) {
  for (const char* metric : {"accepted_load", "hot.accepted_load", "train.bus_bandwidth_gb_per_s",
                             "train.iterations", "jain_index", "worst_part"})
    EXPECT_TRUE(grows_when_better(metric)) << metric;
  for (const char* metric : {"train.completion_ns", "latency_p90_ns", "hot.latency_mean_ns", "load_imbalance",
                             "out_of_order_packets", "no_such_metric"})
    EXPECT_FALSE(grows_when_better(metric)) << metric;
}

TEST(Goals, TellGainsInWords) {
  EXPECT_EQ(gain_text("t_ns", 4.526), "4.53 times faster");
  EXPECT_EQ(gain_text("t_ns", 0.5), "2 times slower");
  EXPECT_EQ(gain_text("t_ns", 1.04), "no change");
  EXPECT_EQ(gain_text("accepted_load", 3), "3 times as much");
  EXPECT_EQ(gain_text("t_ns", 163.4), "163 times faster");
}

}  // namespace
}  // namespace headway
