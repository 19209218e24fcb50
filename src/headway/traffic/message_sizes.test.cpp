// SPDX-License-Identifier: Apache-2.0
// Every size distribution has the specified mean, quantiles and shape.
#include "headway/traffic/message_sizes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "tests/support/variants.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

std::vector<double> draws(const SizeDistribution& sizes, int number) {
  Rng rng(7, 1);
  std::vector<double> result;
  for (int i = 0; i < number; ++i) result.push_back(static_cast<double>(sizes.next(rng)));
  std::ranges::sort(result);
  return result;
}

// The largest distance between the drawn and the expected cumulative distribution (Kolmogorov and Smirnov),
// times the root of the number of draws: above 1.95 with probability 0.001.
double distance(const std::vector<double>& sorted, const std::function<double(double)>& cumulative) {
  double most = 0;
  const auto n = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i + 1 < sorted.size() && sorted[i + 1] == sorted[i]) continue;
    most = std::max(most, std::abs(static_cast<double>(i + 1) / n - cumulative(sorted[i])));
  }
  return most * std::sqrt(n);
}

double between(const std::vector<std::pair<double, double>>& points, double size) {
  for (std::size_t i = 1; i < points.size(); ++i)
    if (size <= points[i].first)
      return points[i - 1].second + (points[i].second - points[i - 1].second) * (size - points[i - 1].first) /
                                        (points[i].first - points[i - 1].first);
  return 1;
}

TEST(MessageSizes, HaveTheMeanThatTheySay) {
  for (auto& [label, choice] : variants(message_sizes())) {
    Mistakes mistakes;
    choice->check(mistakes);
    if (!mistakes.empty()) continue;  // needs a file
    const SizeDistribution sizes = choice->build(64);
    constexpr int kDraws = 400'000;
    double sum = 0, squares = 0;
    for (const double size : draws(sizes, kDraws)) {
      EXPECT_GE(size, static_cast<double>(sizes.least()));
      EXPECT_LE(size, static_cast<double>(sizes.most()));
      sum += size;
      squares += size * size;
    }
    const double error = std::sqrt(squares / kDraws / kDraws);
    EXPECT_NEAR(sum / kDraws, sizes.mean(), 4 * error + 1e-9) << label;
    // heavy tails need many draws for a mean of squares
    EXPECT_NEAR(squares / sum / sizes.mean_of_bytes(), 1, 0.03) << label;
  }
}

TEST(MessageSizes, AreThoseOfTheirTables) {
  const std::vector<std::pair<double, double>> web = {{0, 0},     {1e4, 0.15}, {2e4, 0.2},  {3e4, 0.3},
                                                      {5e4, 0.4}, {8e4, 0.53}, {2e5, 0.6},  {1e6, 0.7},
                                                      {2e6, 0.8}, {5e6, 0.9},  {1e7, 0.97}, {3e7, 1}};
  const std::vector<std::pair<double, double>> mining = {
      {0, 0},      {180, 0.1}, {216, 0.2}, {560, 0.3},     {900, 0.4},  {1100, 0.5}, {1870, 0.6},
      {3160, 0.7}, {1e4, 0.8}, {4e5, 0.9}, {3.16e6, 0.95}, {1e8, 0.98}, {1e9, 1}};
  for (const auto& [name, points] : {std::pair{"web-search", web}, std::pair{"data-mining", mining}}) {
    const SizeDistribution sizes = choose(message_sizes(), name)->build(64);
    EXPECT_LT(
        distance(draws(sizes, 100'000), [&points = points](double size) { return between(points, size); }),
        1.95)
        << name;
    double mean = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      mean += (points[i].second - points[i - 1].second) * (points[i].first + points[i - 1].first) / 2;
    EXPECT_NEAR(sizes.mean() / mean, 1, 1e-6) << name;
  }
  EXPECT_NEAR(choose(message_sizes(), "web-search")->build(64).mean(), 1'711'250, 1);
  EXPECT_NEAR(choose(message_sizes(), "data-mining")->build(64).mean(), 12'658'199, 10);
  const SizeDistribution scaled = choose(message_sizes(), "web-search", {{"size_scale", 0.001}})->build(64);
  EXPECT_NEAR(scaled.mean(), 1711.25 + 0.5, 0.1);  // whole bytes, rounded up
  EXPECT_EQ(scaled.most(), 30'000U);
}

TEST(MessageSizes, UniformAndBimodalByHand) {
  const SizeDistribution uniform =
      choose(message_sizes(), "uniform", {{"smallest", Bytes{1}}, {"largest", Bytes{4}}})->build(64);
  EXPECT_DOUBLE_EQ(uniform.mean(), 2.5);
  EXPECT_DOUBLE_EQ(uniform.mean_of_bytes(), (1 + 4 + 9 + 16) / 10.0);
  std::vector<int> count(5, 0);
  for (const double size : draws(uniform, 40'000)) ++count[static_cast<std::size_t>(size)];
  double square = 0;
  for (int size = 1; size <= 4; ++size) {
    const double expected = 10'000, off = count[static_cast<std::size_t>(size)] - expected;
    square += off * off / expected;
  }
  EXPECT_LT(square, 16.3);  // exceeded with probability 0.001 at 3 degrees of freedom
  const SizeDistribution bimodal =
      choose(message_sizes(), "bimodal",
             {{"smallest", Bytes{10}}, {"largest", Bytes{110}}, {"largest_share", 0.25}})
          ->build(64);
  EXPECT_NEAR(bimodal.mean(), 35, 1e-9);
  const auto sizes = draws(bimodal, 40'000);
  EXPECT_NEAR(std::ranges::count(sizes, 110.0), 10'000, 4 * std::sqrt(7500));
  EXPECT_EQ(std::ranges::count(sizes, 10.0) + std::ranges::count(sizes, 110.0), 40'000);
  EXPECT_TRUE(choose(message_sizes(), "fixed")->build(64).fixed());
}

class SizesFile : public ::testing::Test {
 protected:
  std::string mistakes_of(const std::string& text) {
    std::ofstream(path_) << text;
    Mistakes mistakes;
    choose(message_sizes(), "file", {{"sizes_file", path_}})->check(mistakes);
    return mistakes.empty() ? "" : mistakes.list().front().where + ": " + mistakes.list().front().message;
  }
  std::string path_ = ::testing::TempDir() + "sizes.txt";
};

TEST_F(SizesFile, IsACumulativeDistribution) {
  // a quarter have 100 bytes, a quarter 101 to 200, half exactly 500
  EXPECT_EQ(mistakes_of("# sizes\n100 0.25\n200\t0.5  # half\n500 0.5\n\n500 1\n"), "");
  const SizeDistribution sizes = choose(message_sizes(), "file", {{"sizes_file", path_}})->build(64);
  EXPECT_NEAR(sizes.mean(), 0.25 * 100 + 0.25 * 150.5 + 0.5 * 500, 1e-9);
  const auto drawn = draws(sizes, 40'000);
  EXPECT_NEAR(std::ranges::count(drawn, 100.0), 10'000, 4 * std::sqrt(7500));
  EXPECT_NEAR(std::ranges::count(drawn, 500.0), 20'000, 400);
}

TEST_F(SizesFile, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "the last probability must be 1"},
      {"100 0.5\n", "the last probability must be 1"},
      {"100\n", ":1:1: must be a size in bytes and a probability"},
      {"100 0.5 3\n", ":1:1: must be a size in bytes and a probability"},
      {"100 nan\n", ":1:1: the probability must be from 0 to 1"},
      {"100 0.5\n50 1\n", ":2:1: sizes and probabilities must not decrease"},
      {"100 0.5\n200 0.4\n", ":2:1: sizes and probabilities must not decrease"},
      {"-1 0.5\n", ":1:1: the size must be from 0 to 1e15 bytes"},
      {"inf 1\n", ":1:1: the size must be from 0 to 1e15 bytes"},
      {"100 1.5\n", ":1:1: the probability must be from 0 to 1"},
      {"0 1\n", "all sizes are 0"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(mistakes_of(text), HasSubstr(message)) << text;
  Mistakes mistakes;
  choose(message_sizes(), "file")->check(mistakes);
  ASSERT_EQ(mistakes.list().size(), 1U);
  EXPECT_EQ(mistakes.list()[0].message, "is missing");
}

}  // namespace
}  // namespace headway
