// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "headway/config/assign.h"
#include "headway/traffic/pattern.h"

namespace headway {
namespace {

std::vector<NodeId> table_of(const Choice<Pattern>& pattern, std::uint32_t nodes) {
  Mistakes mistakes;
  pattern->check(nodes, mistakes);
  EXPECT_TRUE(mistakes.empty());
  const auto destinations = pattern->build(nodes, 1);
  Rng rng(1, 1);
  std::vector<NodeId> result;
  for (NodeId node = 0; node < nodes; ++node) {
    const NodeId destination = destinations->next(node, rng);
    result.push_back(destination == kNone ? node : destination);
  }
  return result;
}

std::vector<NodeId> table_of(std::string_view name, std::uint32_t nodes) {
  return table_of(choose(patterns(), name), nodes);
}

TEST(Formulas, OnEightAndSixteenNodes) {
  using Table = std::vector<NodeId>;
  EXPECT_EQ(table_of("perfect-shuffle", 8), (Table{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(table_of("bit-reversal", 8), (Table{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(table_of("butterfly", 8), (Table{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(table_of("butterfly", 16), (Table{0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15}));
  EXPECT_EQ(table_of("transpose", 16), (Table{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(table_of("tornado", 8), (Table{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(table_of("neighbour", 5), (Table{1, 2, 3, 4, 0}));
  EXPECT_EQ(table_of(choose(patterns(), "neighbour", {{"radix", 2}}), 4), (Table{3, 2, 1, 0}));
  EXPECT_EQ(table_of(choose(patterns(), "tornado", {{"radix", 4}}), 16)[0], 5U)
      << "one on in both dimensions";
}

TEST(Formulas, RefuseNetworksWithoutSuchNumbers) {
  const auto refuses = [](const Choice<Pattern>& pattern, std::uint32_t nodes) {
    Mistakes mistakes;
    pattern->check(nodes, mistakes);
    return !mistakes.empty();
  };
  for (const char* name : {"perfect-shuffle", "bit-reversal", "butterfly", "transpose"})
    EXPECT_TRUE(refuses(choose(patterns(), name), 12)) << name;
  EXPECT_TRUE(refuses(choose(patterns(), "transpose"), 8));
  EXPECT_FALSE(refuses(choose(patterns(), "butterfly"), 8));
  EXPECT_TRUE(refuses(choose(patterns(), "tornado", {{"radix", 3}}), 8));
  EXPECT_FALSE(refuses(choose(patterns(), "tornado", {{"radix", 3}}), 9));
}

}  // namespace
}  // namespace headway
