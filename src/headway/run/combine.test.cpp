// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "headway/metrics/units.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

Result combine(const std::vector<Result>& results) { return headway::combine(results, 1); }

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
  EXPECT_EQ(find_column(combined.table("series"), "seeds"), nullptr) << "both have all bins";
}

TEST(Combine, ASeriesIsAsLongAsTheLongestRun) {
  Result longer = result_of(10), shorter = result_of(20);
  longer.tables["series"] = {{"time_ns", {5, 10, 15, 17}}, {"latency_mean_ns", {10, 12, 14, 16}}};
  shorter.tables["series"] = {{"time_ns", {5, 8}}, {"latency_mean_ns", {20, 22}}};
  const Table series = combine({shorter, longer}).table("series");
  EXPECT_THAT(series[0].values, ElementsAre(5, 8, 10, 15, 17));
  EXPECT_THAT(series[1].values, ElementsAre(15, 22, 12, 14, 16));
  EXPECT_EQ(series[2].name, "seeds");
  EXPECT_THAT(series[2].values, ElementsAre(2, 1, 1, 1, 1));
}

// Pairs without deliveries have no row.
TEST(Combine, RowsOfSparseTablesAreMatchedByWhatTheyAreAbout) {
  Result a = result_of(1), b = result_of(1);
  a.tables["pair_series"] = {{"time_ns", {5, 5, 10}},
                             {"source", {0, 1, 0}},
                             {"destination", {2, 2, 2}},
                             {"accepted_load", {4, 2, 6}}};
  b.tables["pair_series"] = {{"time_ns", {5, 10, 10}},
                             {"source", {1, 0, 0}},
                             {"destination", {2, 1, 2}},
                             {"accepted_load", {4, 1, 8}}};
  const Table mean = combine({a, b}).table("pair_series");
  EXPECT_THAT(mean[0].values, ElementsAre(5, 5, 10, 10));
  EXPECT_THAT(mean[1].values, ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(mean[2].values, ElementsAre(2, 2, 1, 2));
  EXPECT_THAT(mean[3].values, ElementsAre(2, 3, 0.5, 7));
  EXPECT_THAT(mean[4].values, ElementsAre(1, 2, 1, 2)) << "seeds with this row";
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
  EXPECT_THAT(mean[1].words, ElementsAre("link", "link", "cycle")) << "in the order of the runs";
  EXPECT_THAT(mean[3].values, ElementsAre(2, 4, 4));
}

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

// A tree belongs to one run.
TEST(Combine, TreesAreListedRunByRunWithTheirSeed) {
  Result a = result_of(1), b = result_of(1);
  a.tables["trees"] = {{"tree", {0, 1}}, {"packets", {7, 8}}};
  b.tables["trees"] = {{"tree", {0}}, {"packets", {9}}};
  a.tables["tree_series"] = {{"time_ns", {5, 10, 10}}, {"tree", {0, 0, 1}}, {"packets", {4, 2, 6}}};
  b.tables["tree_series"] = {{"time_ns", {5}}, {"tree", {0}}, {"packets", {3}}};
  const Result combined = headway::combine({a, b}, 40);
  EXPECT_THAT(combined.table("trees")[0].values, ElementsAre(0, 1, 0));
  EXPECT_THAT(combined.table("trees")[1].values, ElementsAre(7, 8, 9));
  EXPECT_EQ(combined.table("trees")[2].name, "seed");
  EXPECT_THAT(combined.table("trees")[2].values, ElementsAre(40, 40, 41));
  EXPECT_THAT(combined.table("tree_series")[0].values, ElementsAre(5, 10, 10, 5));
  EXPECT_THAT(combined.table("tree_series")[1].values, ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(combined.table("tree_series")[2].values, ElementsAre(4, 2, 6, 3));
  EXPECT_THAT(combined.table("tree_series")[3].values, ElementsAre(40, 40, 40, 41));
}

// Constants stay, and what a seed does not have is no 0 among them.
TEST(Combine, ARootThatOneSeedLacksKeepsItsPlaceAndItsConstants) {
  Result a = result_of(1), b = result_of(1);
  a.tables["roots"] = {{"kind", {}, {"window"}}, {"port", {2}},       {"from_node", {3}},
                       {"packets", {8}},         {"tree_depth", {4}}, {"round_trip_ns", {464}}};
  b.tables["roots"] = {{"kind", {}, {"link"}}, {"port", {5}},       {"from_node", {6}},
                       {"packets", {2}},       {"tree_depth", {1}}, {"round_trip_ns", {kNaN}}};
  const Table roots = combine({a, b}).table("roots");
  EXPECT_THAT(roots[0].words, ElementsAre("window", "link"));
  EXPECT_THAT(roots[2].values, ElementsAre(3, 6));
  EXPECT_THAT(roots[3].values, ElementsAre(4, 1)) << "0 in the other seed";
  EXPECT_THAT(roots[4].values, ElementsAre(4, 1));
  EXPECT_EQ(roots[5].values[0], 464);
}

// With random placement, a rank has another node in every seed.
TEST(Combine, AnIdentifierThatSeedsDoNotShareIsEmpty) {
  Result a = result_of(1), b = result_of(1);
  a.tables["per_rank"] = {
      {"job", {}, {"x", "x"}}, {"rank", {0, 1}}, {"at_node", {6, 4}}, {"finish_ns", {10, 20}}};
  b.tables["per_rank"] = {
      {"job", {}, {"x", "x"}}, {"rank", {0, 1}}, {"at_node", {12, 4}}, {"finish_ns", {30, 40}}};
  const Table ranks = combine({a, b}).table("per_rank");
  EXPECT_TRUE(std::isnan(ranks[2].values[0]));
  EXPECT_EQ(ranks[2].values[1], 4);
  EXPECT_THAT(ranks[3].values, ElementsAre(20, 30));
}

// The longest of all packets is that of some run, so it has no interval.
TEST(Combine, MaximaAndMinimaAreThoseOfAllRuns) {
  std::vector<Result> results(2);
  results[0].metrics = {{"latency_max_ns", 900}, {"worst_part", 0.4}};
  results[1].metrics = {{"latency_max_ns", 500}, {"worst_part", 0.2}};
  const Result combined = combine(results);
  EXPECT_EQ(combined.metric("latency_max_ns"), 900);
  EXPECT_EQ(combined.metric("worst_part"), 0.2);
  EXPECT_TRUE(combined.intervals.empty());
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
