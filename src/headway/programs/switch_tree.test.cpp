// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/switch_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "headway/base/error.h"
#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Graph network_of_switches(std::int64_t k, std::int64_t n) {
  return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}})->build({});
}

std::vector<std::uint32_t> ranks_below(std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// Every place is next to its parent, and each member has a link to the switch of its place.
void expect_tree(const Graph& graph, const SwitchTree& tree, const std::vector<NodeId>& nodes) {
  std::vector<int> found(nodes.size());
  for (std::uint32_t place = 0; place < tree.places.size(); ++place) {
    const SwitchTree::Place& here = tree.places[place];
    EXPECT_EQ(here.parent == kNone, place == 0);
    if (place > 0) {
      ASSERT_LT(here.parent, place);
      EXPECT_EQ(distances_from(graph, here.sw).links[tree.places[here.parent].sw], 1U);
    }
    for (const std::uint32_t member : here.members) {
      ++found[member];
      EXPECT_EQ(switch_from(graph, nodes[member]), here.sw);
    }
  }
  EXPECT_THAT(found, testing::Each(1));
}

TEST(SwitchTree, IsAsLowAsItsMembersAllow) {
  const Graph graph = network_of_switches(4, 3);
  for (const auto& [count, places] : {std::pair(4U, 1U), {5U, 3U}, {16U, 5U}, {17U, 8U}, {64U, 21U}}) {
    const std::vector<NodeId> nodes = ranks_below(count);
    SwitchTrees trees(graph, nodes);
    const SwitchTree its = trees.tree_of(ranks_below(count));
    EXPECT_EQ(its.places.size(), places) << count << " nodes";
    expect_tree(graph, its, nodes);
  }
}

TEST(SwitchTree, TreesOfSeveralGroupsHaveDifferentRoots) {
  const Graph graph = network_of_switches(4, 2);
  SwitchTrees trees(graph, ranks_below(16));
  std::vector<SwitchId> roots;
  for (int group = 0; group < 4; ++group) roots.push_back(trees.tree_of(ranks_below(16)).places.front().sw);
  EXPECT_THAT(roots, ElementsAre(4U, 5U, 6U, 7U));
}

TEST(SwitchTree, AggregatorsHaveThePortsOfTheirTrees) {
  const Graph graph = network_of_switches(2, 2);  // leaves 0, 1 with ports 0, 1 down and 2, 3 up; roots 2, 3
  SwitchTrees trees(graph, ranks_below(4));
  trees.tree_of(ranks_below(4));
  const std::vector<Aggregator> aggregators = trees.aggregators();
  ASSERT_EQ(aggregators.size(), 3U);
  EXPECT_THAT(aggregators[0].ports, ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(aggregators[1].ports, ElementsAre(0U, 1U, 2U));
  EXPECT_EQ(aggregators[2].sw, 2U);
  EXPECT_THAT(aggregators[2].ports, ElementsAre(0U, 1U));
}

TEST(SwitchTree, CanHaveAnotherRoot) {
  const Graph graph = network_of_switches(3, 3);
  const std::vector<NodeId> nodes = ranks_below(27);
  SwitchTrees trees(graph, nodes);
  const SwitchTree its = trees.tree_of(nodes);
  const SwitchTree from = its.from(its.place_of(13));
  EXPECT_EQ(from.places.size(), its.places.size());
  EXPECT_EQ(from.places.front().sw, switch_from(graph, 13));
  expect_tree(graph, from, nodes);
}

TEST(SwitchTree, ASwitchMustReachAllMembers) {
  Graph graph(2, {1, 1}, IrregularShape{});
  graph.connect(graph.node_port(0), graph.port(0, 0), {});
  graph.connect(graph.node_port(1), graph.port(1, 0), {});
  SwitchTrees trees(graph, ranks_below(2));
  EXPECT_THROW(trees.tree_of(ranks_below(2)), SpecError);
  EXPECT_THAT(trees.aggregators(), IsEmpty());
}

}  // namespace
}  // namespace headway
