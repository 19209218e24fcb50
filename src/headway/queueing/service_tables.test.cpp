// SPDX-License-Identifier: Apache-2.0
// Tables of service levels and lanes, and their mistakes.
#include "headway/queueing/service_tables.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"
#include "tests/support/npy_bytes.h"

namespace headway {
namespace {

using Lines = std::vector<std::string>;

const Graph& tree() {
  static const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build({});
  return graph;
}

InputFile file(const std::string& text) { return InputFile::in_memory("table", "txt", text); }

Lines said(const Mistakes& mistakes) {
  Lines lines;
  for (const Mistake& m : mistakes.list())
    lines.push_back((m.where.find(':') == m.where.npos ? "file" : m.where.substr(m.where.find(':') + 1)) +
                    ' ' + m.message + "; " + m.hint);
  return lines;
}

TEST(ServiceTables, LevelsBySourceAndDestination) {
  Mistakes mistakes;
  const auto levels = read_pair_levels(
      tree(), file("source destination service_level\n* * 1\n2 * 5\n* 3 7\n2 3 0\n"), mistakes);
  ASSERT_TRUE(levels && mistakes.empty());
  for (NodeId source = 0; source < 4; ++source)
    for (NodeId destination = 0; destination < 4; ++destination)
      EXPECT_EQ(levels->at(source, destination), source == 2        ? (destination == 3 ? 0 : 5)
                                                 : destination == 3 ? 7
                                                                    : 1);
}

TEST(ServiceTables, LevelsByOneOfThem) {
  Mistakes mistakes;
  const auto by_destination =
      read_pair_levels(tree(), file("destination service_level\n0 3\n1-3 1\n"), mistakes);
  const auto by_source = read_pair_levels(tree(), file("service_level source\n2 3\n0 *\n"), mistakes);
  const auto array = read_pair_levels(
      tree(), InputFile::in_memory("table", "npy", test::npy("'|u1'", "(4,)", std::string("\3\1\1\1", 4))),
      mistakes);
  ASSERT_TRUE(by_destination && by_source && array) << said(mistakes).front();
  for (NodeId node = 0; node < 4; ++node) {
    EXPECT_EQ(by_destination->at(1, node), node == 0 ? 3 : 1);
    EXPECT_EQ(by_source->at(node, 1), node == 3 ? 2 : 0);
    EXPECT_EQ(array->at(2, node), by_destination->at(2, node));
  }
}

TEST(ServiceTables, LanesByAllColumns) {
  Mistakes mistakes;
  const auto table = read_lane_table(
      tree(), file("output service_level hop input lane\n* * * * 0\n3 1 0 * 1\n* 1 1 2 2\n"), 3, 2, mistakes);
  ASSERT_TRUE(table && mistakes.empty());
  EXPECT_EQ(table->hops, 3U);  // later hops are like the third
  EXPECT_EQ(table->inputs, 4U);
  EXPECT_TRUE(table->varies());
  for (std::uint32_t level = 0; level < 2; ++level)
    for (std::uint32_t hop = 0; hop < 3; ++hop)
      for (std::uint32_t input = 0; input < 4; ++input)
        for (std::uint32_t output = 0; output < 4; ++output)
          EXPECT_EQ(table->at(level, hop, input, output), level == 1 && hop == 0 && output == 3  ? 1
                                                          : level == 1 && hop == 1 && input == 2 ? 2
                                                                                                 : 0);
}

TEST(ServiceTables, LanesByLevelAloneDoNotVary) {
  Mistakes mistakes;
  const auto table = read_lane_table(tree(), file("service_level lane\n0 1\n1 0\n2-63 1\n"), 2, 3, mistakes);
  ASSERT_TRUE(table && mistakes.empty());
  EXPECT_FALSE(table->varies());
  EXPECT_EQ(table->lane, (std::vector<std::uint8_t>{1, 0, 1}));
}

TEST(ServiceTables, LanesAsAnArray) {
  Mistakes mistakes;
  const std::string two_by_three = test::npy("'|u1'", "(2, 3)", std::string("\0\1\1\1\0\0", 6));
  const auto table =
      read_lane_table(tree(), InputFile::in_memory("table", "npy", two_by_three), 2, 2, mistakes);
  ASSERT_TRUE(table && mistakes.empty());
  EXPECT_EQ(table->hops, 2U);
  EXPECT_EQ(table->at(1, 0, 3, 2), 1);
  EXPECT_EQ(table->at(1, 1, 3, 2), 0);
}

TEST(ServiceTables, ReportEveryMistake) {
  Mistakes mistakes;
  EXPECT_FALSE(read_lane_table(tree(), file("hop lanes\n"), 2, 1, mistakes));
  EXPECT_FALSE(read_lane_table(tree(), file("hop lane\n0 2\n16 0\nx 0\n0 1 1\n"), 2, 1, mistakes));
  EXPECT_FALSE(read_lane_table(tree(), file("hop lane\n0 1\n"), 2, 1, mistakes));
  EXPECT_FALSE(read_pair_levels(tree(), file("hop service_level\n* 0\n"), mistakes));
  EXPECT_FALSE(read_pair_levels(tree(), file("source service_level\n0-2 64\n"), mistakes));
  const Lines lines = said(mistakes);
  EXPECT_EQ(
      Lines(lines.begin(), lines.begin() + 6),
      (Lines{
          "1:1 there is no column \"lanes\"; did you mean \"lane\"?",
          "2:1 there is no lane \"2\"; lanes 0 to 1", "3:1 there is no hop \"16\"; 0 to 15",
          "4:1 there is no hop \"x\"; 0 to 15", "5:1 this row has 3 columns, and the header has 2; ",
          "file there is no lane for hop 1; a row with * applies to all values without a row of their own"}));
  EXPECT_EQ(lines[lines.size() - 2],
            "1:1 there is no column \"hop\"; columns are \"source\", \"destination\" and \"service_level\"");
  EXPECT_EQ(lines.back(), "2:1 there is no service_level \"64\"; service_levels 0 to 63");
}

TEST(ServiceTables, ArraysMustFit) {
  Mistakes mistakes;
  const auto lanes = [&](const char* shape, const std::string& elements, std::uint32_t services) {
    return read_lane_table(tree(), InputFile::in_memory("table", "npy", test::npy("'|u1'", shape, elements)),
                           2, services, mistakes);
  };
  EXPECT_FALSE(lanes("(2, 1, 1)", std::string(2, '\0'), 2));
  EXPECT_FALSE(lanes("(2, 17)", std::string(34, '\0'), 2));
  EXPECT_FALSE(lanes("(2,)", std::string(2, '\0'), 3));
  EXPECT_FALSE(lanes("(2,)", std::string(2, '\2'), 2));
  ASSERT_EQ(mistakes.list().size(), 5U);
  EXPECT_EQ(mistakes.list()[0].hint,
            "by \"service_level\", or by \"service_level\" and \"hop\", or by \"service_level\", \"hop\", "
            "\"input\" and \"output\"");
  EXPECT_EQ(mistakes.list()[1].hint, "1 to 16 hops");
  EXPECT_EQ(mistakes.list()[2].message, "has 2 service levels, and packets have 3");
  EXPECT_EQ(mistakes.list()[3].message, "there is no lane 2, which it has for service_level 0");
}

}  // namespace
}  // namespace headway
