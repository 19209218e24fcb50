// SPDX-License-Identifier: Apache-2.0
// Routes over random graphs: up*/down* never turns up again, shortest paths are shortest, layers have no
// cycle, and links carry their share.
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

TEST(AnyGraph, UpDownGoesUpThenDown) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = random_graph(seed);
    const auto root = static_cast<std::int64_t>(seed % graph.switches());
    const Routes routes = choose(routings(), "up-down", {{"root", root}})->build(graph);
    EXPECT_EQ(routes.lanes.lanes(), 1U);
    EXPECT_TRUE(find_dependency_cycle(graph, routes).empty()) << seed;
    const std::vector<std::uint32_t> depth = distances_to(graph, static_cast<SwitchId>(root)).links;
    for (NodeId source = 0; source < graph.nodes(); ++source)
      for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
        bool down = false;
        const std::vector<SwitchId> path = walk(graph, routes.table, source, destination);
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
          if (depth[path[i + 1]] > depth[path[i]]) down = true;
          EXPECT_FALSE(down && depth[path[i + 1]] < depth[path[i]]) << seed;
        }
      }
  }
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
  for (const char* name : {"up-down", "lash", "dfsssp"}) {
    const Routes routes = choose(routings(), name)->build(tree);
    std::vector<std::uint32_t> paths(tree.ports());
    for (SwitchId sw = 0; sw < 4; ++sw)
      for (NodeId node = 0; node < tree.nodes(); ++node)
        ++paths[tree.port(sw, routes.table.at(sw, node).first)];
    for (SwitchId sw = 0; sw < 4; ++sw)
      for (std::uint32_t up = 4; up < 8; ++up) EXPECT_EQ(paths[tree.port(sw, up)], 3U) << name;
  }
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
          ASSERT_EQ(found.port(found.at(sw, node), i), up.port(up.at(sw, node), i));
        for (NodeId source = 0; sw == 0 && source < tree.nodes(); ++source)
          ++pairs[found.of_pair(sw, source, node).first];
      }
    if (name == std::string("ecmp"))
      for (std::uint32_t port = 3; port < 6; ++port) EXPECT_NEAR(pairs[port], 24 * 27 / 3.0, 50) << port;
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
