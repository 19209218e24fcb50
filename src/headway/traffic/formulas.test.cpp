// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "headway/config/assign.h"
#include "headway/traffic/pattern.h"

namespace headway {
namespace {

std::vector<NodeId> table_of(const Choice<Pattern>& pattern, const NodeSpace& space) {
  Mistakes mistakes;
  pattern->check(space, mistakes);
  EXPECT_TRUE(mistakes.empty());
  const auto destinations = pattern->build(space, 1);
  Rng rng(1, 1);
  std::vector<NodeId> result;
  for (NodeId node = 0; node < space.nodes; ++node) {
    const NodeId destination = destinations->next(node, rng);
    result.push_back(destination == kNone ? node : destination);
  }
  return result;
}

std::vector<NodeId> table_of(std::string_view name, const NodeSpace& space) {
  return table_of(choose(patterns(), name), space);
}

TEST(Formulas, OnEightAndSixteenNodes) {
  using Table = std::vector<NodeId>;
  EXPECT_EQ(table_of("perfect-shuffle", 8), (Table{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(table_of("bit-reversal", 8), (Table{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(table_of("butterfly", 8), (Table{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(table_of("butterfly", 16), (Table{0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15}));
  EXPECT_EQ(table_of("transpose", 16), (Table{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(table_of(choose(patterns(), "tornado", {{"radix", 8}}), 8), (Table{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(table_of(choose(patterns(), "neighbour", {{"radix", 5}}), 5), (Table{1, 2, 3, 4, 0}));
  EXPECT_EQ(table_of(choose(patterns(), "neighbour", {{"radix", 2}}), 4), (Table{3, 2, 1, 0}));
  EXPECT_EQ(table_of(choose(patterns(), "tornado", {{"radix", 4}}), 16)[0], 5U)
      << "one on in both dimensions";
}

// Dally and Towles 2004, section 3.2: in a k-ary n-cube, every coordinate is shifted by ceil(k/2) - 1.
TEST(Formulas, ShiftTheCoordinatesOfAGrid) {
  using Table = std::vector<NodeId>;
  for (const char* name : {"torus", "mesh", "hyperx"}) {
    const auto grid = [&](const std::vector<std::int64_t>& sides, std::int64_t nodes_per_switch) {
      return NodeSpace::of(
          *choose(topologies(), name, {{"sides", sides}, {"nodes_per_switch", nodes_per_switch}}));
    };
    const Table on_square = table_of("tornado", grid({8, 8}, 1));
    for (NodeId node = 0; node < 64; ++node)
      EXPECT_EQ(on_square[node], (node % 8 + 3) % 8 + (node / 8 + 3) % 8 * 8) << name << ' ' << node;
    // four columns and two rows: one on in the first dimension, none in the second
    EXPECT_EQ(table_of("tornado", grid({4, 2}, 1)), (Table{1, 2, 3, 0, 5, 6, 7, 4}));
    EXPECT_EQ(table_of("neighbour", grid({4, 2}, 1)), (Table{5, 6, 7, 4, 1, 2, 3, 0}));
    EXPECT_EQ(table_of("neighbour", grid({3}, 2)), (Table{2, 3, 4, 5, 0, 1})) << "to the same place";
    EXPECT_EQ(table_of(choose(patterns(), "tornado", {{"radix", 8}}), grid({4, 2}, 1)),
              (Table{3, 4, 5, 6, 7, 0, 1, 2}))
        << "a radix replaces the coordinates";
  }
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
  for (const char* name : {"tornado", "neighbour"})
    EXPECT_TRUE(refuses(choose(patterns(), name), 8)) << name << " without coordinates";
  EXPECT_TRUE(refuses(choose(patterns(), "tornado", {{"radix", 3}}), 8));
  EXPECT_FALSE(refuses(choose(patterns(), "tornado", {{"radix", 3}}), 9));
}

}  // namespace
}  // namespace headway
