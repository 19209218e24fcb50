// SPDX-License-Identifier: Apache-2.0
// DET in trees from files: the links of a tree carry as many paths as with the formulas for its coordinates.
#include "headway/routing/tree_by_levels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

using testing::HasSubstr;

// The graph without its coordinates; switch s gets the number `number[s]`.
Graph from_a_file(const Graph& graph, const std::vector<SwitchId>& number) {
  std::vector<std::uint32_t> radix(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) radix[number[sw]] = graph.radix(sw);
  Graph result(graph.nodes(), radix, IrregularShape{});
  const auto port = [&](PortId of) {
    return graph.is_node_port(of) ? result.node_port(graph.node_of(of))
                                  : result.port(number[graph.switch_of(of)], graph.local(of));
  };
  for (PortId one = 0; one < graph.ports(); ++one)
    if (const PortId other = graph.peer_of(one); other != kNone && one < other)
      result.connect(port(one), port(other), graph.link(one));
  return result;
}
std::vector<SwitchId> as_they_are(const Graph& graph) {
  std::vector<SwitchId> number(graph.switches());
  std::iota(number.begin(), number.end(), SwitchId{0});
  return number;
}

// The paths over each link, most first.
std::vector<std::uint32_t> loads(const Graph& graph, const RouteTable& routes) {
  std::vector<std::uint32_t> paths(graph.ports());
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId destination = 0; destination < graph.nodes(); ++destination)
      if (source != destination)
        test::walk(graph, routes, source, destination, [&](PortId output) { ++paths[output]; });
  std::ranges::sort(paths, std::greater<>());
  return paths;
}
RouteTable det_of(const Graph& graph) { return choose(routings(), "det")->build(graph).table; }

TEST(TreeByLevels, LinksOfKAryTreesCarryAsManyPathsAsByFormula) {
  std::mt19937 random(7);
  for (const auto& [k, n] : {std::pair{2, 2}, {4, 2}, {2, 4}, {3, 3}, {4, 3}, {5, 1}}) {
    const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}})->build({});
    std::vector<SwitchId> number = as_they_are(tree);
    for (int draw = 0; draw < 3; ++draw) {
      const Graph graph = from_a_file(tree, number);
      EXPECT_EQ(loads(graph, det_of(graph)), loads(tree, det_of(tree))) << k << "-ary " << n << "-tree";
      std::ranges::shuffle(number, random);
    }
  }
}

// Of the most loaded link in PGFTs: with parallel links, more or fewer links up than nodes, several widths.
TEST(TreeByLevels, LinksOfTreesOfOtherShapesCarryNoMoreThanByFormula) {
  std::mt19937 random(11);
  const auto number = [&](int most) { return static_cast<std::int64_t>(random() % most) + 1; };
  for (int draw = 0; draw < 60; ++draw) {
    std::vector<std::int64_t> children, parents, links;
    for (std::int64_t level = 0, levels = 1 + number(2); level < levels; ++level) {
      children.push_back(1 + number(4));
      parents.push_back(level == 0 ? 1 : number(4));
      links.push_back(level == 0 ? 1 : number(2));
    }
    const Graph tree =
        choose(topologies(), "pgft", {{"children", children}, {"parents", parents}, {"links", links}})
            ->build({});
    const Graph graph = from_a_file(tree, as_they_are(tree));
    EXPECT_LE(loads(graph, det_of(graph)).front(), loads(tree, det_of(tree)).front())
        << testing::PrintToString(children) << testing::PrintToString(parents)
        << testing::PrintToString(links);
    EXPECT_TRUE(find_dependency_cycle(graph, det_of(graph)).empty());
  }
}

// Two leaves with two nodes each, and three spines, of which the last reaches one leaf only.
Graph uneven() {
  Graph graph(4, {5, 5, 2, 2, 2}, IrregularShape{{"left", "right", "s", "t", "u"}, {}});
  for (NodeId node = 0; node < 4; ++node)
    graph.connect(graph.node_port(node), graph.port(node / 2, node % 2), {});
  for (SwitchId leaf = 0; leaf < 2; ++leaf)
    for (std::uint32_t spine = 0; spine < 2; ++spine)
      graph.connect(graph.port(leaf, 2 + spine), graph.port(2 + spine, leaf), {});
  graph.connect(graph.port(0, 4), graph.port(4, 0), {});
  return graph;
}

TEST(TreeByLevels, UsesOnlyTopsThatReachAllNodes) {
  const Graph graph = uneven();
  const RouteTable routes = det_of(graph);
  EXPECT_EQ(routes.at(0, 2), (PortRange{2, 1}));
  EXPECT_EQ(routes.at(0, 3), (PortRange{3, 1}));
  EXPECT_EQ(routes.at(0, 1), (PortRange{1, 1}));
  EXPECT_EQ(routes.at(4, 2).count, 0U);
}

TEST(TreeByLevels, SaysWhyANetworkIsNoTree) {
  const auto refusal = [](const Graph& graph) -> std::string {
    try {
      det_of(graph);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  };
  Graph linked(2, {2, 2}, IrregularShape{{"left", "right"}, {}});
  for (NodeId node = 0; node < 2; ++node) linked.connect(linked.node_port(node), linked.port(node, 0), {});
  linked.connect(linked.port(0, 1), linked.port(1, 1), {});
  EXPECT_THAT(refusal(linked),
              HasSubstr("routing.algorithm: the links of this network do not form a tree: switches "
                        "left and right are linked and both have nodes; \"up-down\""));
  Graph split(3, {2, 3, 2, 2, 2}, IrregularShape{{"a", "b", "c", "ab", "bc"}, {}});
  for (NodeId node = 0; node < 3; ++node) split.connect(split.node_port(node), split.port(node, 0), {});
  split.connect(split.port(0, 1), split.port(3, 0), {});
  split.connect(split.port(1, 1), split.port(3, 1), {});
  split.connect(split.port(1, 2), split.port(4, 0), {});
  split.connect(split.port(2, 1), split.port(4, 1), {});
  EXPECT_THAT(
      refusal(split),
      HasSubstr("no switch at the top has links down to all nodes; switch ab reaches 2 of 3 switches"));
}

}  // namespace
}  // namespace headway
