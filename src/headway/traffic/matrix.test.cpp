// SPDX-License-Identifier: Apache-2.0
// Traffic by a matrix of weights, and the mistakes of its file.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "headway/config/assign.h"
#include "headway/traffic/pattern.h"
#include "tests/support/npy_bytes.h"

namespace headway {
namespace {

using Lines = std::vector<std::string>;

class MatrixFile : public testing::Test {
 protected:
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".weights";

  std::unique_ptr<Destinations> destinations(const std::string& text, std::uint32_t nodes,
                                             const char* loads = "equal") {
    std::ofstream(path, std::ios::binary) << text;
    return choose(patterns(), "matrix", {{"file", path}, {"loads", loads}})->build(nodes, 1);
  }
  Lines mistakes_of(const std::string& text, std::uint32_t nodes) {
    std::ofstream(path, std::ios::binary) << text;
    Mistakes mistakes;
    choose(patterns(), "matrix", {{"file", path}})->check(nodes, mistakes);
    Lines result;
    for (const Mistake& m : mistakes.list()) {
      std::string said = m.key + m.where + ": " + m.message + (m.hint.empty() ? "" : "; " + m.hint);
      for (std::size_t at = said.find(path); at != std::string::npos; at = said.find(path))
        said.erase(at, path.size());
      result.push_back(said);
    }
    return result;
  }
};

std::map<NodeId, double> shares_of(const Destinations& destinations, NodeId source) {
  std::map<NodeId, double> shares;
  destinations.shares(source, [&](NodeId node, double share) { shares[node] = share; });
  return shares;
}

std::string real(double value) { return test::little_endian(std::bit_cast<std::uint64_t>(value), 8); }

constexpr const char* kSquare = "0 1 3  # of node 0\n0 0 0\n2.5e-1 0.25 0\n";

TEST_F(MatrixFile, EveryFormGivesTheSame) {
  std::string array;
  for (const double weight : {0., 1., 3., 0., 0., 0., .25, .25, 0.}) array += real(weight);
  for (const std::string& text :
       {std::string(kSquare), std::string("source destination weight\n2 0 1\n0 1 10\n2 1 1\n0 2 30\n1 1 0\n"),
        test::npy("'<f8'", "(3, 3)", array)}) {
    const auto drawn = destinations(text, 3);
    EXPECT_EQ(shares_of(*drawn, 0), (std::map<NodeId, double>{{1, 0.25}, {2, 0.75}}));
    EXPECT_EQ(shares_of(*drawn, 1), (std::map<NodeId, double>{}));
    EXPECT_EQ(shares_of(*drawn, 2), (std::map<NodeId, double>{{0, 0.5}, {1, 0.5}}));
    Rng rng(1, 1);
    EXPECT_EQ(drawn->next(1, rng), kNone);
    std::map<NodeId, double> count;
    for (int i = 0; i < 40'000; ++i) count[drawn->next(0, rng)] += 1.0 / 40'000;
    EXPECT_EQ(count.size(), 2U);
    EXPECT_NEAR(count[1], 0.25, 0.01);
  }
}

TEST_F(MatrixFile, LoadsCanFollowTheSumsOfTheRows) {
  EXPECT_EQ(destinations(kSquare, 3)->load_of(2), 1.0);
  const auto by_rows = destinations(kSquare, 3, "by-rows");
  EXPECT_EQ(by_rows->load_of(0), 1.0);
  EXPECT_EQ(by_rows->load_of(1), 1.0);  // it sends nothing
  EXPECT_EQ(by_rows->load_of(2), 0.125);
}

TEST_F(MatrixFile, ReportsEveryMistake) {
  EXPECT_EQ(mistakes_of("0 1\n1 -2\n", 2),
            Lines{"file:2:1: \"-2\", from node 1 to node 1, is not a weight; 0 to 1e12"});
  EXPECT_EQ(mistakes_of("0 nan\ninf x\n", 2),
            (Lines{"file:1:1: \"nan\", from node 0 to node 1, is not a weight; 0 to 1e12",
                   "file:2:1: \"inf\", from node 1 to node 0, is not a weight; 0 to 1e12",
                   "file:2:1: \"x\", from node 1 to node 1, is not a weight; 0 to 1e12"}));
  EXPECT_EQ(mistakes_of("0 1 2\n", 2),
            (Lines{"file:1:1: this row has 3 weights; give one for each of the 2 nodes",
                   "file: has 1 rows; give one for each of the 2 nodes"}));
  EXPECT_EQ(mistakes_of("0 0\n0 0\n", 2), Lines{"file: no weight is above 0, so no node sends"});
  EXPECT_EQ(mistakes_of("#\n", 2).size(), 1U);
  EXPECT_EQ(mistakes_of("weight source\n", 2), Lines{"file:1:1: this is neither a row of weights nor the "
                                                     "header; the header is \"source destination weight\""});
  EXPECT_EQ(mistakes_of("source destination weight\n0 1 1\n0 2 1\n0 1\n0 1 3\n", 2),
            (Lines{"file:3:1: there is no node \"2\"; 0 to 1",
                   "file:4:1: this row does not have 3 columns; write source, destination and weight",
                   "file:5:1: there is another row from node 0 to node 1; see :2:1"}));
  EXPECT_EQ(mistakes_of(test::npy("'<f8'", "(4,)", std::string(32, '\0')), 2),
            Lines{"file: its shape is 4; give numbers, 2 x 2 in this network"});
  EXPECT_EQ(
      mistakes_of(test::npy("'<f8'", "(2, 2)",
                            real(1) + real(-1) + real(std::numeric_limits<double>::quiet_NaN()) + real(0)),
                  2),
      (Lines{"file: -1, from node 0 to node 1, is not a weight; 0 to 1e12",
             "file: nan, from node 1 to node 0, is not a weight; 0 to 1e12"}));
  EXPECT_EQ(mistakes_of("\x93NUMPY", 2), Lines{"file: is no NumPy array of weights: it ends in its header"});
  Mistakes mistakes;
  choose(patterns(), "matrix")->check(4, mistakes);
  EXPECT_EQ(mistakes.list().size(), 1U);
}

}  // namespace
}  // namespace headway
