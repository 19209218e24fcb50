// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "headway/metrics/units.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

Result result_of(double latency, Status status = Status::ok) {
  Result result;
  result.status = status;
  result.detail = status == Status::ok ? "" : "why";
  result.metrics = {{"latency_mean_ns", latency}, {"packets_delivered", 10}};
  result.tables["series"] = {{"time_ns", {5, 10}}, {"latency_mean_ns", {latency, kNaN}}};
  return result;
}

TEST(Combine, OneResultIsItself) {
  const Result combined = combine({result_of(7)});
  EXPECT_EQ(combined.metrics, result_of(7).metrics);
  EXPECT_TRUE(combined.intervals.empty());
}

// Mean 12, sample variance 4: t(4) * 2 / sqrt(5) with t(4) = 2.77645.
TEST(Combine, GivesMeanAndStudentsInterval) {
  std::vector<Result> results;
  for (const double latency : {10.0, 11.0, 11.0, 13.0, 15.0}) results.push_back(result_of(latency));
  const Result combined = combine(results);
  EXPECT_DOUBLE_EQ(combined.metrics[0].second, 12);
  EXPECT_NEAR(combined.intervals[0].second, 2.77645 * 2 / std::sqrt(5), 1e-5);
  EXPECT_EQ(combined.metrics[1].second, 10);
  EXPECT_EQ(combined.intervals[1].second, 0);
}

// The cost of a network does not depend on the seed.
TEST(Combine, GivesNoIntervalToCosts) {
  std::vector<Result> results(2);
  for (Result& result : results) result.metrics = {{"accepted_load", 0.5}, {"queues_per_port", 4}};
  const Result combined = combine(results);
  EXPECT_EQ(combined.metric("queues_per_port"), 4);
  ASSERT_EQ(combined.intervals.size(), 1U);
  EXPECT_EQ(combined.intervals[0].first, "accepted_load");
}

TEST(Combine, QuantilesOfStudentsT) {
  struct Case {
    std::size_t degrees;
    double t;
  };
  for (const auto& [degrees, t] :
       {Case{1, 12.70620}, {29, 2.04523}, {31, 2.03951}, {59, 2.00100}, {99, 1.98422}}) {
    std::vector<Result> results;
    for (std::size_t i = 0; i <= degrees; ++i) results.push_back(result_of(i % 2 == 0 ? 1 : -1));
    EXPECT_NEAR(combine(results).intervals[0].second * std::sqrt(static_cast<double>(degrees)), t, 1e-5)
        << degrees;
  }
}

TEST(Combine, StatusIsTheWorstAndSaysHowMany) {
  const Result combined =
      combine({result_of(1), result_of(1, Status::deadlock), result_of(1, Status::saturated), result_of(1)});
  EXPECT_EQ(combined.status, Status::deadlock);
  EXPECT_EQ(combined.detail, "1 of 4 seeds: why");
}

TEST(Combine, TablesAreMeansOverTheSeedsThatHaveAValue) {
  Result shorter = result_of(20);
  Result longer = result_of(10);
  longer.tables["series"][1].values[1] = 4;
  const Result combined = combine({longer, shorter});
  EXPECT_THAT(combined.table("series")[0].values, ElementsAre(5, 10));
  EXPECT_THAT(combined.table("series")[1].values, ElementsAre(DoubleNear(15, 1e-12), 4));
  for (Column& column : shorter.tables["series"]) column.values.resize(1);
  EXPECT_THAT(combine({longer, shorter}).table("series")[0].values, ElementsAre(5));
}

// Pairs without deliveries have no row.
TEST(Combine, RowsOfSparseTablesAreMatchedByWhatTheyAreAbout) {
  Result a = result_of(1), b = result_of(1);
  a.tables["pair_series"] = {
      {"time_ns", {5, 5, 10}}, {"source", {0, 1, 0}}, {"destination", {2, 2, 2}}, {"x", {4, 2, 6}}};
  b.tables["pair_series"] = {
      {"time_ns", {5, 10, 10}}, {"source", {1, 0, 0}}, {"destination", {2, 1, 2}}, {"x", {4, 1, 8}}};
  const Table mean = combine({a, b}).table("pair_series");
  EXPECT_THAT(mean[0].values, ElementsAre(5, 5, 10, 10));
  EXPECT_THAT(mean[1].values, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(mean[2].values, ElementsAre(2, 2, 1, 2));
  EXPECT_THAT(mean[3].values, ElementsAre(2, 3, 0.5, 7));
}

TEST(Combine, RowsOfSparseTablesAreMatchedByNames) {
  Result a = result_of(1), b = result_of(1);
  a.tables["flow_roots"] = {{"flow", {}, {"storage", "web"}},
                            {"kind", {}, {"link", "link"}},
                            {"port", {1, 1}},
                            {"packets", {4, 2}}};
  b.tables["flow_roots"] = {
      {"flow", {}, {"web", "web"}}, {"kind", {}, {"link", "cycle"}}, {"port", {1, 1}}, {"packets", {6, 8}}};
  const Table mean = combine({a, b}).table("flow_roots");
  EXPECT_THAT(mean[0].words, ElementsAre("storage", "web", "web"));
  EXPECT_THAT(mean[1].words, ElementsAre("link", "cycle", "link"));
  EXPECT_THAT(mean[3].values, ElementsAre(2, 4, 4));
}

// A tree belongs to one run. It is renumbered, so that its number is still its row in the table trees.
// A size that one seed lacks has the means of the other seeds; its messages count as 0 there.
TEST(Combine, MissingRowsOfMeansHaveNoMeans) {
  const auto result = [](std::vector<double> sizes, std::vector<double> messages, std::vector<double> means) {
    Result one = result_of(1);
    const std::vector<double> errors(sizes.size(), 99);
    const std::vector<std::string> flows(sizes.size(), "storage");
    one.tables["per_message_size"] = {{"flow", {}, flows},
                                      {"size_bytes", std::move(sizes)},
                                      {"messages_completed", std::move(messages)},
                                      {"completion_mean_ns", std::move(means)},
                                      {"completion_se_ns", errors}};
    return one;
  };
  const Result combined = combine({result({64, 4096}, {10, 2}, {100, 700}), result({64}, {20}, {104})});
  const Table& table = combined.table("per_message_size");
  EXPECT_THAT(table[1].values, ElementsAre(64, 4096));
  EXPECT_THAT(table[2].values, ElementsAre(15, 1));
  EXPECT_THAT(table[3].values, ElementsAre(102, 700));
  EXPECT_DOUBLE_EQ(table[4].values[0], 2) << "from the scatter of 100 and 104";
  EXPECT_TRUE(std::isnan(table[4].values[1]));
}

TEST(Combine, TreesAreListedRunByRunAndNumberedThrough) {
  Result a = result_of(1), b = result_of(1);
  a.tables["trees"] = {{"tree", {0, 1}}, {"packets", {7, 8}}};
  b.tables["trees"] = {{"tree", {0}}, {"packets", {9}}};
  a.tables["tree_series"] = {{"time_ns", {5, 10, 10}}, {"tree", {0, 0, 1}}, {"packets", {4, 2, 6}}};
  b.tables["tree_series"] = {{"time_ns", {5}}, {"tree", {0}}, {"packets", {3}}};
  const Result combined = combine({a, b});
  EXPECT_THAT(combined.table("trees")[0].values, ElementsAre(0, 1, 2));
  EXPECT_THAT(combined.table("trees")[1].values, ElementsAre(7, 8, 9));
  EXPECT_THAT(combined.table("tree_series")[0].values, ElementsAre(5, 10, 10, 5));
  EXPECT_THAT(combined.table("tree_series")[1].values, ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(combined.table("tree_series")[2].values, ElementsAre(4, 2, 6, 3));
}

// The error of the mean that is printed, not the mean of the runs' errors: sample variance 4 over 5 runs.
TEST(Combine, TheErrorOfAMeanIsThatOfTheScatter) {
  std::vector<Result> results;
  for (const double latency : {10.0, 11.0, 11.0, 13.0, 15.0}) {
    results.push_back(result_of(latency));
    results.back().metrics = {{"latency_mean_ns", latency}, {"latency_se_ns", 7}};
  }
  EXPECT_NEAR(combine(results).metric("latency_se_ns"), 2 / std::sqrt(5), 1e-12);
  EXPECT_EQ(combine({results.front()}).metric("latency_se_ns"), 7);
}

TEST(Combine, AMetricThatOneSeedLacksHasNoMean) {
  const Result combined = combine({result_of(1), result_of(kNaN)});
  EXPECT_TRUE(std::isnan(combined.metrics[0].second));
  EXPECT_TRUE(std::isnan(combined.intervals[0].second));
}

TEST(Combine, TraceHashDependsOnEverySeed) {
  Result a = result_of(1), b = result_of(1);
  b.trace_hash = 1;
  EXPECT_NE(combine({a, b}).trace_hash, combine({a, a}).trace_hash);
  EXPECT_EQ(combine({a, b}).trace_hash, combine({a, b}).trace_hash);
}

}  // namespace
}  // namespace headway
