// SPDX-License-Identifier: Apache-2.0
// Routes over random graphs: up*/down* never turns up again, shortest paths are shortest, layers have no
// cycle, and links carry their share. The roots of up*/down*.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "headway/base/rng.h"
#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/layers.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

// A random tree of switches with some additional links, and one or two nodes at each switch.
Graph random_graph(std::uint64_t seed) {
  Rng rng(seed, StreamKind::pattern, 0);
  const std::uint32_t switches = 3 + rng.below(14), more = rng.below(2 * switches);
  std::vector<std::pair<SwitchId, SwitchId>> links;
  for (SwitchId sw = 1; sw < switches; ++sw) links.emplace_back(sw, rng.below(sw));
  for (std::uint32_t i = 0; i < more; ++i) {
    const SwitchId a = rng.below(switches), b = rng.below(switches);
    if (a != b) links.emplace_back(a, b);
  }
  std::vector<SwitchId> place_of;  // [node]
  for (SwitchId sw = 0; sw < switches; ++sw) place_of.insert(place_of.end(), 1 + rng.below(2), sw);
  std::vector<std::uint32_t> radix(switches);
  for (const auto& [a, b] : links) ++radix[a], ++radix[b];
  for (const SwitchId sw : place_of) ++radix[sw];
  Graph graph(static_cast<std::uint32_t>(place_of.size()), radix, IrregularShape{});
  std::vector<std::uint32_t> used(switches);
  for (NodeId node = 0; node < place_of.size(); ++node)
    graph.connect(graph.node_port(node), graph.port(place_of[node], used[place_of[node]]++), {});
  for (const auto& [a, b] : links) {
    const PortId from = graph.port(a, used[a]++);
    graph.connect(from, graph.port(b, used[b]++), {});
  }
  return graph;
}

std::vector<SwitchId> walk(const Graph& graph, const RouteTable& table, NodeId source, NodeId destination) {
  std::vector<SwitchId> path = {switch_from(graph, source)};
  while (path.size() < 100) {
    const PortId input = graph.peer_of(graph.port(path.back(), table.at(path.back(), destination).first));
    if (graph.is_node_port(input)) {
      EXPECT_EQ(graph.node_of(input), destination);
      return path;
    }
    path.push_back(graph.switch_of(input));
  }
  ADD_FAILURE() << "no path";
  return path;
}

Routes up_down_from(const Graph& graph, const std::vector<std::string>& roots) {
  return choose(routings(), "up-down", {{"root", roots}})->build(graph);
}

// The message of the only mistake, and its hint.
std::string refusal_of(const Graph& graph, const std::vector<std::string>& roots) {
  try {
    up_down_from(graph, roots);
  } catch (const SpecError& error) {
    EXPECT_EQ(error.mistakes().size(), 1U);
    EXPECT_EQ(error.mistakes()[0].key, "routing.root");
    return error.mistakes()[0].message + "; " + error.mistakes()[0].hint;
  }
  return "not refused";
}

// Leaves "leaf-0", ... with two nodes each, all linked to spines "core-0", ...
Graph leaves_and_spines(std::uint32_t leaves, std::uint32_t spines) {
  std::vector<std::uint32_t> radix(leaves, 2 + spines);
  radix.resize(leaves + spines, leaves);
  IrregularShape shape;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    shape.switch_names.push_back("leaf-" + std::to_string(leaf));
  for (std::uint32_t spine = 0; spine < spines; ++spine)
    shape.switch_names.push_back("core-" + std::to_string(spine));
  Graph graph(2 * leaves, radix, shape);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    graph.connect(graph.node_port(node), graph.port(node / 2, node % 2), {});
  for (SwitchId leaf = 0; leaf < leaves; ++leaf)
    for (std::uint32_t spine = 0; spine < spines; ++spine)
      graph.connect(graph.port(leaf, 2 + spine), graph.port(leaves + spine, leaf), {});
  return graph;
}

// [output] the number of nodes that its switch reaches over it
std::vector<std::uint32_t> nodes_over(const Graph& graph, const RouteTable& table) {
  std::vector<std::uint32_t> nodes(graph.ports());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (const PortRange range = table.at(sw, node); range.count > 0) ++nodes[graph.port(sw, range.first)];
  return nodes;
}

// `depth`: [switch] distance from the nearest root.
void expect_up_then_down(const Graph& graph, const RouteTable& table,
                         const std::vector<std::uint32_t>& depth) {
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
      bool down = false;
      const std::vector<SwitchId> path = walk(graph, table, source, destination);
      for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        if (depth[path[i + 1]] > depth[path[i]]) down = true;
        EXPECT_FALSE(down && depth[path[i + 1]] < depth[path[i]]) << source << " to " << destination;
      }
    }
}

TEST(AnyGraph, UpDownGoesUpThenDown) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const auto root = static_cast<SwitchId>(seed % graph.switches());
    const Routes routes = up_down_from(graph, {std::to_string(root)});
    EXPECT_EQ(routes.lanes.lanes(), 1U);
    EXPECT_TRUE(find_dependency_cycle(graph, routes).empty()) << seed;
    const std::vector<std::uint32_t> depth = distances_to(graph, root).links;
    expect_up_then_down(graph, routes.table, depth);
  }
}

// With several roots, a path goes towards the nearest of them first.
TEST(AnyGraph, UpDownFromSeveralRootsGoesUpThenDown) {
  std::uint32_t routed = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const SwitchId first = static_cast<SwitchId>(seed % graph.switches()),
                   second = (first + 2) % graph.switches();
    const std::vector<std::string> names = {std::to_string(first), std::to_string(second)};
    if (refusal_of(graph, names) != "not refused") continue;
    ++routed;
    const Routes routes = up_down_from(graph, names);
    EXPECT_TRUE(find_dependency_cycle(graph, routes).empty()) << seed;
    std::vector<std::uint32_t> depth = distances_to(graph, first).links;
    const std::vector<std::uint32_t> other = distances_to(graph, second).links;
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) depth[sw] = std::min(depth[sw], other[sw]);
    expect_up_then_down(graph, routes.table, depth);
  }
  EXPECT_GT(routed, 20U);
}

// The top switches of a tree are its roots, whether it is known as a tree or not. All links up carry the same
// number of paths.
TEST(AnyGraph, TheTopsOfATreeAreItsRoots) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}})->build({});
  std::vector<std::string> tops;
  for (SwitchId sw = 18; sw < 27; ++sw) tops.push_back(std::to_string(sw));
  const RouteTable found = choose(routings(), "up-down")->build(tree).table;
  const std::vector<std::uint32_t> nodes = nodes_over(tree, found);
  EXPECT_EQ(nodes, nodes_over(tree, up_down_from(tree, tops).table));
  for (SwitchId sw = 0; sw < 18; ++sw)
    for (std::uint32_t up = 3; up < 6; ++up) EXPECT_EQ(nodes[tree.port(sw, up)], sw < 9 ? 8U : 6U) << sw;

  for (const std::uint32_t leaves : {3U, 24U}) {
    const Graph names = leaves_and_spines(leaves, 2);
    const std::vector<std::uint32_t> over =
        nodes_over(names, choose(routings(), "up-down")->build(names).table);
    EXPECT_EQ(over, nodes_over(names, up_down_from(names, {"core-0", "core-1"}).table));
    for (SwitchId leaf = 0; leaf < leaves; ++leaf)
      for (std::uint32_t up = 2; up < 4; ++up) EXPECT_EQ(over[names.port(leaf, up)], leaves - 1) << leaf;
  }
}

// A spine that has lost links is still a root. All pairs have paths even if no spine reaches both ends.
TEST(AnyGraph, FailuresLeaveATreeItsRoots) {
  Graph graph = leaves_and_spines(4, 3);
  graph.fail(graph.port(0, 2));
  EXPECT_EQ(nodes_over(graph, choose(routings(), "up-down")->build(graph).table),
            nodes_over(graph, up_down_from(graph, {"core-0", "core-1", "core-2"}).table));
  graph.fail(graph.port(0, 3));  // leaf 0 keeps its link to core-2 only, which leaf 1 loses
  graph.fail(graph.port(1, 4));
  const RouteTable table = choose(routings(), "up-down")->build(graph).table;
  EXPECT_TRUE(find_dependency_cycle(graph, Routes(table)).empty());
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId destination = 0; destination < graph.nodes(); ++destination)
      EXPECT_LE(walk(graph, table, source, destination).size(), 5U);
}

// Networks that are no trees have one root in the middle.
TEST(AnyGraph, OtherNetworksHaveOneRoot) {
  const Graph path = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{5}}})->build({});
  EXPECT_EQ(nodes_over(path, choose(routings(), "up-down")->build(path).table),
            nodes_over(path, up_down_from(path, {"2"}).table));
  const Graph full = choose(topologies(), "hyperx", {{"sides", std::vector<std::int64_t>{25}}})->build({});
  EXPECT_EQ(nodes_over(full, choose(routings(), "up-down")->build(full).table),
            nodes_over(full, up_down_from(full, {"0"}).table));
}

TEST(AnyGraph, RootsThatDoNotExistOrDoNotConnectAreRefused) {
  const Graph graph = leaves_and_spines(4, 2);
  EXPECT_EQ(refusal_of(graph, {"core-1", "cor-0"}), "there is no switch \"cor-0\"; did you mean \"core-0\"?");
  EXPECT_EQ(refusal_of(graph, {"77"}), "there is no switch \"77\"; 0 to 5");
  EXPECT_EQ(refusal_of(graph, {"5", "core-1"}), "not refused");  // the same one
  const Graph ring = choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{8}}})->build({});
  EXPECT_EQ(
      refusal_of(ring, {"0", "4"}),
      "no path up and then down leads from node 0 to node 3; name one switch, or all switches at the top "
      "of a tree");
}

TEST(AnyGraph, LayersOfShortestPathsHaveNoCycle) {
  std::uint32_t several = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = random_graph(seed);
    for (const char* name : {"lash", "dfsssp"}) {
      const Routes routes = choose(routings(), name)->build(graph);
      EXPECT_TRUE(find_dependency_cycle(graph, routes).empty()) << name << ' ' << seed;
      several += routes.lanes.lanes() > 1 ? 1 : 0;
      for (NodeId source = 0; source < graph.nodes(); ++source) {
        const auto distance = distances_from(graph, switch_from(graph, source)).links;
        for (NodeId destination = 0; destination < graph.nodes(); ++destination)
          ASSERT_EQ(walk(graph, routes.table, source, destination).size() - 1,
                    distance[switch_to(graph, destination)])
              << name << ' ' << seed;
      }
    }
  }
  EXPECT_GT(several, 10U);
}

// The numbers of lanes that docs/modelling.md gives.
TEST(AnyGraph, LayersOfATorus) {
  const Graph torus = choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{8, 8}}})->build({});
  EXPECT_EQ(choose(routings(), "lash")->build(torus).lanes.lanes(), 3U);
  EXPECT_EQ(choose(routings(), "dfsssp")->build(torus).lanes.lanes(), 7U);
}

// A ring of five switches: shortest paths need two lanes, and with one they are refused.
TEST(AnyGraph, ARingNeedsTwoLayers) {
  const Graph ring = choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{5}}})->build({});
  for (const char* name : {"lash", "dfsssp"}) {
    EXPECT_EQ(choose(routings(), name)->build(ring).lanes.lanes(), 2U);
    try {
      choose(routings(), name, {{"most_lanes", 1}})->build(ring);
      ADD_FAILURE() << "not refused";
    } catch (const SpecError& error) {
      ASSERT_EQ(error.mistakes().size(), 1U);
      EXPECT_EQ(error.mistakes()[0].key, "routing.most_lanes");
    }
  }
}

// In a fat-tree every up link carries the same number of paths.
TEST(AnyGraph, SpreadsPathsEvenly) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}})->build({});
  for (const char* name : {"up-down", "dfsssp"}) {
    const Routes routes = choose(routings(), name)->build(tree);
    std::vector<std::uint32_t> paths(tree.ports());
    for (SwitchId sw = 0; sw < 4; ++sw)
      for (NodeId node = 0; node < tree.nodes(); ++node)
        ++paths[tree.port(sw, routes.table.at(sw, node).first)];
    for (SwitchId sw = 0; sw < 4; ++sw)
      for (std::uint32_t up = 4; up < 8; ++up) EXPECT_EQ(paths[tree.port(sw, up)], 3U) << name;
  }
}

// With balance by destinations, a switch counts the destinations that it reaches over each port, although no
// packet goes to most of them over this switch.
TEST(AnyGraph, UpDownCanBeBalancedByDestinations) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}})->build({});
  const RouteTable table = choose(routings(), "up-down", {{"balance", "destinations"}})->build(tree).table;
  for (SwitchId sw = 0; sw < 18; ++sw)
    for (NodeId node = 0; node < tree.nodes(); ++node) {
      const std::uint32_t below =
          sw < 9 ? 3 : 9;  // nodes below the switch, from a multiple of this number on
      if (const SwitchId part = sw < 9 ? sw : (sw - 9) / 3; node / below != part)
        EXPECT_EQ(table.at(sw, node).first, 3 + node % 3) << sw << ' ' << node;
    }
}

// With lash, every pair of switches has one path. In a fat-tree a leaf uses the first link up for all.
TEST(AnyGraph, LashDoesNotSpreadPaths) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}})->build({});
  const RouteTable table = choose(routings(), "lash")->build(tree).table;
  for (SwitchId sw = 0; sw < 4; ++sw)
    for (NodeId node = 0; node < tree.nodes(); ++node)
      EXPECT_EQ(table.at(sw, node).first, node / 4 == sw ? node % 4 : 4U) << sw << ' ' << node;
}

// In a tree, the search finds the up ports. With ecmp a pair uses one of them, with spray all.
TEST(AnyGraph, EqualPathsOfATreeAreItsUpPorts) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}})->build({});
  const RouteTable up = choose(routings(), "random-up")->build(tree).table;
  for (const char* name : {"ecmp", "spray"}) {
    const RouteTable found = choose(routings(), name)->build(tree).table;
    std::vector<std::uint32_t> pairs(6);
    for (SwitchId sw = 0; sw < tree.switches(); ++sw)
      for (NodeId node = 0; node < tree.nodes(); ++node) {
        ASSERT_EQ(found.at(sw, node).count, up.at(sw, node).count) << sw << ' ' << node;
        for (std::uint32_t i = 0; i < up.at(sw, node).count; ++i)
          ASSERT_EQ(found.port(sw, node, found.at(sw, node), i), up.port(sw, node, up.at(sw, node), i));
        for (NodeId source = 0; sw == 0 && source < tree.nodes(); ++source)
          ++pairs[found.of_pair(sw, source, node).first];
      }
    if (name == std::string("ecmp"))
      for (std::uint32_t port = 3; port < 6; ++port) EXPECT_NEAR(pairs[port], 24 * 27 / 3.0, 50) << port;
  }
}

// [switch and pair] the port.
std::vector<std::uint16_t> ports_of_pairs(const Graph& graph, const RouteTable& table) {
  std::vector<std::uint16_t> ports;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (NodeId source = 0; source < graph.nodes(); ++source)
      for (NodeId node = 0; node < graph.nodes(); ++node)
        ports.push_back(table.of_pair(sw, source, node).first);
  return ports;
}

// Seed 1 has the paths of salt 0. Another salt leaves a third of the pairs on the same of three ports.
TEST(AnyGraph, EqualPathsOfAPairDependOnTheSalt) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 2}})->build({});
  const auto ports = [&](Arguments arguments, std::uint64_t seed) {
    RouteTable table = choose(routings(), "ecmp", arguments)->build(tree).table;
    table.follow_seed(seed);
    return ports_of_pairs(tree, table);
  };
  const std::vector<std::uint16_t> first = ports({}, 1);
  EXPECT_EQ(first, ports_of_pairs(tree, choose(routings(), "ecmp")->build(tree).table));
  EXPECT_EQ(first, ports({{"salt", 0}}, 7));
  EXPECT_EQ(ports({}, 5), ports({{"salt", 4}}, 1));
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    const std::vector<std::uint16_t> other = ports({}, seed);
    int same = 0, choices = 0;
    for (SwitchId sw = 0; sw < 3; ++sw)
      for (NodeId source = 0; source < 9; ++source)
        for (NodeId node = 0; node < 9; ++node) {
          if (node / 3 == sw) continue;  // no choice
          ++choices;
          same += first[(sw * 9 + source) * 9 + node] == other[(sw * 9 + source) * 9 + node] ? 1 : 0;
        }
    EXPECT_NEAR(same, choices / 3.0, 0.15 * choices) << seed;
  }
}

TEST(AnyGraph, EqualPathsThatCanDeadlockAreRefused) {
  const Graph mesh = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{3, 3}}})->build({});
  for (const char* name : {"ecmp", "spray"}) try {
      choose(routings(), name)->build(mesh);
      ADD_FAILURE() << "not refused";
    } catch (const SpecError& error) {
      EXPECT_NE(error.mistakes()[0].message.find("cycle, so it can deadlock: switch "), std::string::npos);
    }
}

TEST(AcyclicGraph, AgreesWithASearch) {
  Rng rng(1, StreamKind::pattern, 0);
  for (int round = 0; round < 50; ++round) {
    constexpr std::uint32_t kVertices = 12;
    AcyclicGraph graph(kVertices);
    std::vector<std::vector<int>> edges(kVertices, std::vector<int>(kVertices));
    const auto reaches = [&](std::uint32_t from, std::uint32_t to) {
      std::vector<bool> seen(kVertices);
      std::vector<std::uint32_t> frontier = {from};
      seen[from] = true;
      for (std::size_t i = 0; i < frontier.size(); ++i)
        for (std::uint32_t v = 0; v < kVertices; ++v)
          if (edges[frontier[i]][v] > 0 && !seen[v]) {
            seen[v] = true;
            frontier.push_back(v);
          }
      return static_cast<bool>(seen[to]);
    };
    for (int step = 0; step < 80; ++step) {
      const std::uint32_t a = rng.below(kVertices), b = rng.below(kVertices);
      if (edges[a][b] > 0 && rng.below(2) == 0) {
        graph.remove(a, b);
        --edges[a][b];
        continue;
      }
      const bool fits = edges[a][b] > 0 || !reaches(b, a);
      ASSERT_EQ(graph.add(a, b), fits);
      edges[a][b] += fits ? 1 : 0;
    }
  }
}

}  // namespace
}  // namespace headway
