// SPDX-License-Identifier: Apache-2.0
#include "headway/view/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "headway/config/assign.h"
#include "headway/topology/aggregators.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Graph tree(std::int64_t k, std::int64_t n) {
  return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}})->build({});
}
Graph grid(const char* name, std::vector<std::int64_t> sides, std::int64_t nodes_per_switch = 1) {
  return choose(topologies(), name, {{"sides", std::move(sides)}, {"nodes_per_switch", nodes_per_switch}})
      ->build({});
}

// No two devices share a spot, and boxes do not overlap.
void expect_apart(const NetworkLayout& layout) {
  std::vector<Box> boxes = layout.switches;
  for (const Place& node : layout.nodes) boxes.push_back({node, 0.9, 0.9});
  for (const Place& sink : layout.sinks) boxes.push_back({sink, 0.9, 0.9});
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double x = std::abs(boxes[a].centre.x - boxes[b].centre.x);
      const double y = std::abs(boxes[a].centre.y - boxes[b].centre.y);
      EXPECT_TRUE(x >= (boxes[a].width + boxes[b].width) / 2 || y >= (boxes[a].height + boxes[b].height) / 2)
          << a << " and " << b;
    }
}

double row_of(const NetworkLayout& layout, SwitchId sw) { return layout.switches[sw].centre.y; }

// The picture is that of the network without them.
TEST(Layout, AggregatorsAreInTheMiddlesOfTheirSwitches) {
  for (const Graph& base :
       {tree(4, 2), grid("torus", {3, 3}, 2), grid("hyperx", {3, 2}, 2),
        choose(topologies(), "single-switch", {{"nodes", 5}})->build({}),
        choose(topologies(), "dragonfly")->build({}), choose(topologies(), "rails")->build({})}) {
    const Graph graph = with_aggregators(base, {{0, {0, 1}}, {base.switches() - 1, {0}}});
    const NetworkLayout layout = layout_of(graph), without = layout_of(base);
    ASSERT_EQ(layout.nodes.size(), graph.nodes());
    ASSERT_EQ(layout.sides.size(), graph.switch_ports());
    EXPECT_EQ(std::ranges::count(layout.sides, 'm'), 3);
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const PortId at = graph.peer_of(graph.node_port(node));
      EXPECT_EQ(layout.sides[at] == 'm', node >= base.nodes());
      EXPECT_EQ(layout.nodes[node],
                node < base.nodes() ? without.nodes[node] : without.switches[graph.switch_of(at)].centre);
    }
  }
}

TEST(Layout, TreesHaveStagesInRowsAboveTheirNodes) {
  const Graph graph = tree(4, 3);
  const NetworkLayout layout = layout_of(graph);
  expect_apart(layout);
  EXPECT_EQ(layout.stretch, PulledApart::y);
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    EXPECT_EQ(row_of(layout, sw), row_of(layout, sw / 16 * 16));
  EXPECT_LT(row_of(layout, 32), row_of(layout, 16));
  EXPECT_LT(row_of(layout, 16), row_of(layout, 0));
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    EXPECT_GT(layout.nodes[node].y, row_of(layout, 0));
    EXPECT_LT(std::abs(layout.nodes[node].x - layout.switches[node / 4].centre.x), 2);
  }
  EXPECT_EQ(layout.sides.substr(0, 8), "bbbbtttt");
}

// Stages of a PGFT have unequal numbers of switches and ports; rows are centred.
TEST(Layout, TreesWithUnequalStagesAreCentred) {
  using Numbers = std::vector<std::int64_t>;
  const Graph graph =
      choose(topologies(), "pgft",
             {{"children", Numbers{6, 3, 4}}, {"parents", Numbers{1, 3, 1}}, {"links", Numbers{1, 1, 3}}})
          ->build({});
  const NetworkLayout layout = layout_of(graph);
  expect_apart(layout);
  ASSERT_EQ(layout.sides.size(), graph.switch_ports());
  EXPECT_EQ(layout.sides.substr(0, 9), "bbbbbbttt");
  for (PortId port = 0; port < graph.switch_ports(); ++port) {
    const PortId peer = graph.peer_of(port);
    const bool up = !graph.is_node_port(peer) &&
                    row_of(layout, graph.switch_of(peer)) < row_of(layout, graph.switch_of(port));
    EXPECT_EQ(layout.sides[port], up ? 't' : 'b') << port;
  }
  const auto middle = [&](SwitchId first, SwitchId last) {
    return (layout.switches[first].centre.x + layout.switches[last].centre.x) / 2;
  };
  EXPECT_DOUBLE_EQ(middle(0, 11), middle(12, 23));
  EXPECT_DOUBLE_EQ(middle(0, 11), middle(24, 26));
}

// The links stay in their subtree. In a random order of switches, half of all pairs of links would cross.
TEST(Layout, LinksOfTheLowestStagesOfATreeCrossInTheirSubtreeOnly) {
  const NetworkLayout layout = layout_of(tree(4, 3));
  const Graph graph = tree(4, 3);
  for (SwitchId sw = 0; sw < 16; ++sw)
    for (std::uint32_t up = 4; up < 8; ++up) {
      const SwitchId above = graph.switch_of(graph.peer_of(graph.port(sw, up)));
      EXPECT_LE(std::abs(layout.switches[above].centre.x - layout.switches[sw].centre.x), 3 * 5);
    }
}

TEST(Layout, ShuffledBminsHaveEveryNodeBelowItsSwitch) {
  const Graph graph = choose(topologies(), "bmin", {{"nodes", 64}, {"radix", 8}})->build({});
  const NetworkLayout layout = layout_of(graph);
  expect_apart(layout);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const SwitchId leaf = graph.switch_of(graph.peer_of(graph.node_port(node)));
    EXPECT_LT(std::abs(layout.nodes[node].x - layout.switches[leaf].centre.x), 2) << node;
  }
}

TEST(Layout, GridsAreGrids) {
  for (const char* name : {"mesh", "torus"}) {
    const NetworkLayout layout = layout_of(grid(name, {5, 3}, 2));
    expect_apart(layout);
    for (SwitchId sw = 0; sw < 15; ++sw) {
      EXPECT_EQ(layout.switches[sw].centre.x, layout.switches[sw % 5].centre.x);
      EXPECT_EQ(layout.switches[sw].centre.y, layout.switches[sw / 5 * 5].centre.y);
    }
    EXPECT_EQ(layout.sides.substr(0, 6), "bblrtb");
    // wrap-around links of a torus are drawn at their ends only
    const double next = layout.switches[1].centre.x - layout.switches[0].centre.x;
    const double around = layout.switches[4].centre.x - layout.switches[0].centre.x;
    EXPECT_LT(next, layout.longest);
    EXPECT_GT(around, layout.longest);
  }
}

TEST(Layout, FurtherDimensionsOfGridsAreSlices) {
  for (const std::vector<std::int64_t>& sides :
       {std::vector<std::int64_t>{4, 4, 3}, {3, 3, 2, 2}, {2, 2, 2, 2, 2}}) {
    const NetworkLayout layout = layout_of(grid("mesh", sides));
    expect_apart(layout);
    const std::size_t slice = static_cast<std::size_t>(sides[0] * sides[1]);
    EXPECT_EQ(layout.names.size(), layout.switches.size() / slice);
    for (std::size_t sw = slice; sw < layout.switches.size(); ++sw) {  // all slices look alike
      const Place first = layout.switches[sw / slice * slice].centre;
      EXPECT_EQ(layout.switches[sw].centre.x - first.x,
                layout.switches[sw % slice].centre.x - layout.switches[0].centre.x);
    }
  }
}

TEST(Layout, ALineIsALine) {
  const NetworkLayout layout = layout_of(grid("mesh", {7}));
  expect_apart(layout);
  for (SwitchId sw = 0; sw < 7; ++sw) EXPECT_EQ(row_of(layout, sw), row_of(layout, 0));
}

// The side of the box of `from` that faces `to`, at least roughly.
bool faces(char side, Place from, Place to) {
  switch (side) {
    case 't':
      return to.y < from.y;
    case 'b':
      return to.y > from.y;
    case 'l':
      return to.x < from.x;
    default:
      return to.x > from.x;
  }
}

Place mean(const NetworkLayout& layout, std::size_t first, std::size_t count) {
  Place sum;
  for (std::size_t sw = first; sw < first + count; ++sw) {
    sum.x += layout.switches[sw].centre.x / static_cast<double>(count);
    sum.y += layout.switches[sw].centre.y / static_cast<double>(count);
  }
  return sum;
}
double distance(Place a, Place b) { return std::hypot(a.x - b.x, a.y - b.y); }

TEST(Layout, DragonfliesAreARingOfGroups) {
  for (const auto& [p, a, h, g] :
       {std::array{2, 4, 2, 9}, {1, 3, 2, 5}, {3, 1, 2, 3}, {1, 2, 1, 2}, {4, 8, 4, 33}}) {
    const Graph graph =
        choose(topologies(), "dragonfly", {{"p", p}, {"a", a}, {"h", h}, {"g", g}})->build({});
    const NetworkLayout layout = layout_of(graph);
    expect_apart(layout);
    const auto groups = static_cast<std::size_t>(g), size = static_cast<std::size_t>(a);
    const double radius = distance(mean(layout, 0, size), {});
    for (std::size_t group = 0; group < groups; ++group) {
      const Place centre = mean(layout, group * size, size);
      EXPECT_NEAR(distance(centre, {}), radius, 1e-6);
      for (std::size_t of_group = 0; of_group < size; ++of_group) {  // all groups look alike
        const Place at = layout.switches[group * size + of_group].centre,
                    first = layout.switches[of_group].centre;
        EXPECT_NEAR(at.x - centre.x, first.x - mean(layout, 0, size).x, 1e-6);
        EXPECT_LT(distance(at, centre), radius);
      }
    }
  }
}

TEST(Layout, SwitchesOfADragonflyFaceTheirGroupTheRingAndTheirNodes) {
  const Graph graph = choose(topologies(), "dragonfly", {{"p", 2}, {"a", 4}, {"h", 2}})->build({});
  const NetworkLayout layout = layout_of(graph);
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const Place at = layout.switches[sw].centre;
    const std::string sides = layout.sides.substr(graph.port(sw, 0), 7);
    EXPECT_TRUE(faces(sides[0], at, layout.nodes[sw * 2])) << sw;
    EXPECT_TRUE(faces(sides[2], at, mean(layout, sw / 4 * 4, 4))) << sw;
    if (std::abs(at.x) > 1) EXPECT_TRUE(faces(sides[5], at, {})) << sw;
    EXPECT_EQ(std::set<char>(sides.begin(), sides.end()).size(), 3) << sides;
  }
}

TEST(Layout, HyperXIsAMatrixWhoseLinksBowOutOfTheSameSides) {
  const Graph graph = choose(topologies(), "hyperx",
                             {{"sides", std::vector<std::int64_t>{5, 3}},
                              {"widths", std::vector<std::int64_t>{1, 2}},
                              {"nodes_per_switch", 3}})
                          ->build({});
  const NetworkLayout layout = layout_of(graph);
  expect_apart(layout);
  EXPECT_GT(layout.arc, 0);
  for (SwitchId sw = 0; sw < 15; ++sw) {
    EXPECT_EQ(layout.switches[sw].centre.x, layout.switches[sw % 5].centre.x);
    EXPECT_EQ(layout.switches[sw].centre.y, layout.switches[sw / 5 * 5].centre.y);
    EXPECT_EQ(layout.sides.substr(graph.port(sw, 0), graph.radix(sw)), "bbbttttllll");
    EXPECT_LT(std::abs(layout.nodes[sw * 3].x - layout.switches[sw].centre.x), 2);
  }
  // all links of a row and a column are drawn in full
  EXPECT_LE(distance(layout.switches[0].centre, layout.switches[4].centre), layout.longest);
  EXPECT_LE(distance(layout.switches[0].centre, layout.switches[10].centre), layout.longest);
}

TEST(Layout, FurtherDimensionsOfAHyperXAreSlices) {
  for (const std::vector<std::int64_t>& sides :
       {std::vector<std::int64_t>{4, 4, 4}, {3, 2, 2, 2}, {2, 2, 2, 2, 2}}) {
    const NetworkLayout layout = layout_of(grid("hyperx", sides, 2));
    expect_apart(layout);
    const auto slice = static_cast<std::size_t>(sides[0] * sides[1]);
    EXPECT_EQ(layout.names.size(), layout.switches.size() / slice);
    EXPECT_GT(distance(layout.switches[0].centre, layout.switches[slice].centre), layout.longest);
  }
  expect_apart(layout_of(grid("hyperx", {16}, 2)));  // a full mesh
}

TEST(Layout, MultistageNetworksHaveColumnsBetweenSendersAndReceivers) {
  for (const char* name : {"omega", "delta", "baseline"}) {
    const Graph graph = choose(topologies(), name, {{"nodes", 16}, {"fan_in", 4}})->build({});
    const NetworkLayout layout = layout_of(graph);
    expect_apart(layout);
    for (SwitchId sw = 0; sw < 8; ++sw)
      EXPECT_EQ(layout.switches[sw].centre.x, layout.switches[sw / 4 * 4].centre.x);
    EXPECT_LT(layout.nodes[0].x, layout.switches[0].centre.x);
    EXPECT_LT(layout.switches[0].centre.x, layout.switches[4].centre.x);
    EXPECT_LT(layout.switches[4].centre.x, layout.sinks[0].x);
    EXPECT_EQ(layout.sides, std::string(graph.switch_ports(), 'x'));
  }
}

TEST(Layout, ASingleSwitchHasNodesAround) {
  const NetworkLayout layout = layout_of(choose(topologies(), "single-switch", {{"nodes", 7}})->build({}));
  expect_apart(layout);
  EXPECT_EQ(layout.sides, "bbbbttt");
}

// Two leaves below two spines, and another switch above one of the spines.
TEST(Layout, OtherNetworksHaveLayersByTheDistanceFromNodes) {
  Graph graph(4, {4, 4, 3, 2, 1}, IrregularShape{});
  for (NodeId node = 0; node < 4; ++node)
    graph.connect(graph.node_port(node), graph.port(node / 2, node % 2), {});
  graph.connect(graph.port(0, 2), graph.port(3, 0), {});
  graph.connect(graph.port(0, 3), graph.port(2, 0), {});
  graph.connect(graph.port(1, 2), graph.port(3, 1), {});
  graph.connect(graph.port(1, 3), graph.port(2, 1), {});
  graph.connect(graph.port(2, 2), graph.port(4, 0), {});
  const NetworkLayout layout = layout_of(graph);
  expect_apart(layout);
  EXPECT_EQ(row_of(layout, 0), row_of(layout, 1));
  EXPECT_EQ(row_of(layout, 2), row_of(layout, 3));
  EXPECT_LT(row_of(layout, 4), row_of(layout, 2));
  EXPECT_LT(row_of(layout, 2), row_of(layout, 0));
  EXPECT_EQ(layout.sides.substr(0, 4), "bbtt");
}

// The upper switches are in the order of the lower switches that they connect to, whatever their numbers are.
TEST(Layout, LayersAreOrderedSoThatLinksDoNotCross) {
  constexpr std::uint32_t kLeaves = 6;
  Graph graph(kLeaves, {2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1}, IrregularShape{});
  for (NodeId node = 0; node < kLeaves; ++node) {
    graph.connect(graph.node_port(node), graph.port(node, 0), {});
    graph.connect(graph.port(node, 1), graph.port(kLeaves + (node * 5 + 2) % kLeaves, 0), {});
  }
  const NetworkLayout layout = layout_of(graph);
  expect_apart(layout);
  for (SwitchId leaf = 0; leaf < kLeaves; ++leaf)
    EXPECT_EQ(layout.switches[leaf].centre.x, layout.switches[kLeaves + (leaf * 5 + 2) % kLeaves].centre.x);
}

// The distance from nodes does not distinguish the switches, as in a ring from a file.
TEST(Layout, IfAllSwitchesHaveNodesTheLayersStartAtSwitch0) {
  Graph ring(6, std::vector<std::uint32_t>(6, 3), IrregularShape{});
  for (NodeId node = 0; node < 6; ++node) {
    ring.connect(ring.node_port(node), ring.port(node, 0), {});
    ring.connect(ring.port(node, 1), ring.port((node + 1) % 6, 2), {});
  }
  const NetworkLayout layout = layout_of(ring);
  expect_apart(layout);
  std::set<double> rows;
  for (SwitchId sw = 0; sw < 6; ++sw) rows.insert(row_of(layout, sw));
  EXPECT_EQ(rows.size(), 4);
}

}  // namespace
}  // namespace headway
