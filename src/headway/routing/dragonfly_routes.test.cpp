// SPDX-License-Identifier: Apache-2.0
// Dragonflies and dragonflies+ with one and with several links between two groups: paths against a search of
// the graph, candidates against all shortest paths, and shares of the links against a count over all pairs.
#include "headway/routing/dragonfly_routes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"
#include "headway/topology/topology.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

struct Fabric {
  std::string name;
  Graph graph;
  std::uint32_t switches_of_group;

  std::uint32_t group_of(SwitchId sw) const { return sw / switches_of_group; }
  bool is_global(PortId output) const {
    const PortId input = graph.peer_of(output);
    return !graph.is_node_port(output) && !graph.is_node_port(input) &&
           group_of(graph.switch_of(output)) != group_of(graph.switch_of(input));
  }
};

using Size = std::array<int, 4>;  // p, a, h, g

Fabric dragonfly(const Size& of, const std::string& arrangement) {
  const auto& [p, a, h, g] = of;
  return {"dragonfly " + testing::PrintToString(of) + ' ' + arrangement,
          choose(topologies(), "dragonfly",
                 {{"p", p}, {"a", a}, {"h", h}, {"g", g}, {"arrangement", arrangement}})
              ->build({}),
          static_cast<std::uint32_t>(a)};
}

// With as many leaves as spines.
Fabric dragonfly_plus(const Size& of, const std::string& arrangement) {
  const auto& [p, spines, h, g] = of;
  return {"dragonfly+ " + testing::PrintToString(of) + ' ' + arrangement,
          choose(topologies(), "dragonfly-plus",
                 {{"p", p},
                  {"leaves", spines},
                  {"spines", spines},
                  {"h", h},
                  {"g", g},
                  {"arrangement", arrangement}})
              ->build({}),
          static_cast<std::uint32_t>(2 * spines)};
}

// One link between two groups, several at different switches and at one, also where the numbers do not
// divide, a group of one switch, and two groups.
const std::vector<Size> kSizesOfDragonflies = {{2, 4, 2, 9}, {1, 3, 2, 7}, {2, 3, 2, 4}, {2, 4, 2, 5},
                                               {2, 4, 4, 3}, {1, 4, 3, 5}, {3, 4, 3, 3}, {2, 3, 4, 2},
                                               {2, 1, 4, 3}, {1, 2, 3, 3}, {2, 5, 3, 6}, {2, 6, 4, 4}};

template <class Test>
void for_each_fabric(Test&& test) {
  for (const char* arrangement : {"absolute", "relative", "palm-tree"})
    for (const Size& size : kSizesOfDragonflies)
      for (const bool plus : {false, true}) {
        const Fabric fabric = plus ? dragonfly_plus(size, arrangement) : dragonfly(size, arrangement);
        SCOPED_TRACE(fabric.name);
        test(fabric);
      }
}

// [switch, and behind it: may it still cross to another group] links to a switch over at most one link
// between groups.
class Search {
 public:
  Search(const Fabric& fabric, SwitchId to)
      : found_(breadth_first(2 * fabric.graph.switches(), {2 * to, 2 * to + 1},
                             [&](std::uint32_t state, auto&& visit) {
                               for_each_link_to(fabric.graph, state / 2, [&](PortId output, SwitchId from) {
                                 if (!fabric.is_global(output))
                                   visit(output, 2 * from + state % 2);
                                 else if (state % 2 == 0)
                                   visit(output, 2 * from + 1);
                               });
                             })) {}
  std::uint32_t links(SwitchId from) const { return found_.links[2 * from + 1]; }
  // From the other end of a link on the way.
  std::uint32_t links_behind(const Fabric& fabric, PortId output) const {
    const SwitchId behind = fabric.graph.switch_of(fabric.graph.peer_of(output));
    return found_.links[2 * behind + (fabric.is_global(output) ? 0 : 1)];
  }

 private:
  Distances found_;
};

std::uint32_t links_of_path(const Graph& graph, const RouteTable& routes, NodeId source, NodeId destination) {
  std::uint32_t links = 0;
  test::walk(graph, routes, source, destination, [&](PortId) { ++links; });
  return links - 2;  // without those of the nodes
}

TEST(DragonflyRoutes, AreTheShortestPathsOverOneLinkBetweenGroups) {
  for_each_fabric([](const Fabric& fabric) {
    const Graph& graph = fabric.graph;
    const RouteTable routes = choose(routings(), "minimal")->build(graph).table;
    EXPECT_TRUE(routes.by_destination());
    for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
      const Search search(fabric, switch_to(graph, destination));
      for (NodeId source = 0; source < graph.nodes(); ++source)
        ASSERT_EQ(links_of_path(graph, routes, source, destination), search.links(switch_from(graph, source)))
            << source << " to " << destination;
    }
  });
}

// With two links between two groups, one of them ends at the destination's switch: three switches are enough.
TEST(DragonflyRoutes, EndAtTheDestinationsSwitchIfALinkDoes) {
  const Fabric fabric = dragonfly({2, 3, 2, 4}, "relative");
  const RouteTable routes = choose(routings(), "minimal")->build(fabric.graph).table;
  EXPECT_EQ(links_of_path(fabric.graph, routes, 0, 19), 2U);
}

std::vector<PortId> candidates(const Graph& graph, const RouteTable& routes, SwitchId sw, std::uint32_t to) {
  std::vector<PortId> outputs;
  const PortRange range = routes.at(sw, to);
  for (std::uint32_t i = 0; i < range.count; ++i)
    outputs.push_back(graph.port(sw, routes.port(sw, to, range, i)));
  return outputs;
}

// Between groups, packets that choose by load have all ports of such paths, each as often as links between
// the two groups are reached by it. A switch with a link to the group has its own links only.
TEST(DragonflyRoutes, ListAllPortsOfShortestPathsForChoicesByLoad) {
  for_each_fabric([](const Fabric& fabric) {
    const Graph& graph = fabric.graph;
    const Routes routes = choose(routings(), "ugal")->build(graph);
    for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
      const Search search(fabric, switch_to(graph, destination));
      const std::uint32_t group = fabric.group_of(switch_to(graph, destination));
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
        // from a spine without links to the group, the destination determines the leaf
        if (fabric.group_of(sw) == group || search.links(sw) > 3) continue;
        const std::vector<PortId> listed = candidates(graph, routes.table, sw, destination);
        std::set<PortId> shortest;
        for_each_link_from(graph, sw, [&](PortId output, SwitchId) {
          const std::uint32_t rest = search.links_behind(fabric, output);
          if (rest != kNone && rest + 1 == search.links(sw)) shortest.insert(output);
        });
        const auto is_global = [&](PortId output) { return fabric.is_global(output); };
        if (std::ranges::any_of(shortest, is_global)) std::erase_if(shortest, std::not_fn(is_global));
        ASSERT_EQ(std::set<PortId>(listed.begin(), listed.end()), shortest) << sw << " to " << destination;
        std::uint32_t links = 0;  // of all these paths, to the group
        for (const PortId output : shortest)
          for_each_link_from(graph, graph.switch_of(graph.peer_of(output)),
                             [&](PortId next, SwitchId behind) {
                               const std::uint32_t rest = search.links_behind(fabric, next);
                               links += !fabric.is_global(output) && fabric.is_global(next) &&
                                        fabric.group_of(behind) == group && rest + 2 == search.links(sw);
                             });
        links += static_cast<std::uint32_t>(std::ranges::count_if(shortest, is_global));
        ASSERT_EQ(listed.size(), links) << sw << " to " << destination;
      }
    }
  });
}

TEST(DragonflyRoutes, AreTheSameAsATableAndAsAFormula) {
  for_each_fabric([](const Fabric& fabric) {
    const Graph& graph = fabric.graph;
    for (const GroupRoutes kind :
         {GroupRoutes::to_node, GroupRoutes::to_any_node, GroupRoutes::to_any_group}) {
      const std::uint32_t to =
          kind == GroupRoutes::to_any_group ? graph.switches() / fabric.switches_of_group : graph.nodes();
      const auto both = [&](const auto& formula) {
        const RouteTable table = RouteTable::by_formula(formula, graph.switches(), to);
        const RouteTable by_formula = RouteTable::by_formula(formula, graph.switches(), to, 0);
        // a formula knows that there may be several ports, and a table whether there are
        EXPECT_TRUE(table.by_destination() || !by_formula.by_destination());
        for (SwitchId sw = 0; sw < graph.switches(); ++sw)
          for (std::uint32_t i = 0; i < to; ++i)
            if (kind != GroupRoutes::to_any_group || fabric.group_of(sw) != i)
              ASSERT_EQ(candidates(graph, table, sw, i), candidates(graph, by_formula, sw, i));
      };
      if (const auto* shape = std::get_if<DragonflyShape>(&graph.shape()))
        both(DragonflyRoutes(*shape, kind));
      else
        both(DragonflyPlusRoutes(std::get<DragonflyPlusShape>(graph.shape()), kind));
    }
  });
}

// The largest number of paths over a link between groups, relative to their mean, over all pairs of nodes.
double unevenness(const Fabric& fabric) {
  const Graph& graph = fabric.graph;
  const RouteTable routes = choose(routings(), "minimal")->build(graph).table;
  std::vector<double> paths(graph.ports());
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId destination = 0; destination < graph.nodes(); ++destination)
      test::walk(graph, routes, source, destination, [&](PortId output) { ++paths[output]; });
  double most = 0, sum = 0, links = 0;
  for (PortId output = 0; output < graph.switch_ports(); ++output) {
    if (graph.peer_of(output) == kNone || !fabric.is_global(output)) continue;
    most = std::max(most, paths[output]);
    sum += paths[output];
    ++links;
  }
  return most / (sum / links);
}

TEST(DragonflyRoutes, ShareTheLinksBetweenTwoGroupsEqually) {
  for (const char* arrangement : {"absolute", "relative", "palm-tree"}) {
    for (const Size& size : {Size{4, 8, 4, 33},
                             {4, 8, 4, 17},
                             {4, 8, 4, 9},
                             {4, 8, 4, 5},
                             {4, 8, 4, 3},
                             {8, 4, 4, 3},
                             {8, 4, 2, 2},
                             {6, 6, 3, 4},
                             {4, 1, 4, 3}}) {
      const Fabric fabric = dragonfly(size, arrangement);
      EXPECT_NEAR(unevenness(fabric), 1, 1e-9) << fabric.name;
    }
    for (const Size& size : {Size{4, 4, 4, 17}, {4, 4, 4, 9}, {4, 4, 4, 5}, {4, 4, 4, 3}, {4, 4, 4, 2}}) {
      const Fabric fabric = dragonfly_plus(size, arrangement);
      EXPECT_NEAR(unevenness(fabric), 1, 1e-9) << fabric.name;
    }
    // Switches of a group have different numbers of links to another one. A packet whose switch has a single
    // one can have no other shortest path.
    for (const Size& size : {Size{8, 4, 3, 3}, {8, 6, 4, 4}, {8, 4, 5, 4}, {5, 7, 4, 8}, {4, 8, 4, 2}}) {
      const Fabric fabric = dragonfly(size, arrangement);
      EXPECT_LT(unevenness(fabric), 1.13) << fabric.name;
    }
  }
}

// All paths to the nodes of a leaf would come over one spine if consecutive links were those of consecutive
// nodes.
TEST(DragonflyRoutes, ReachTheNodesOfALeafOverAllSpines) {
  const Fabric fabric = dragonfly_plus({4, 4, 4, 2}, "absolute");
  const Graph& graph = fabric.graph;
  const RouteTable routes = choose(routings(), "minimal")->build(graph).table;
  for (NodeId source = 0; source < 16; ++source)
    for (NodeId leaf = 16; leaf < 32; leaf += 4) {
      std::set<PortId> up, last;
      for (NodeId destination = leaf; destination < leaf + 4; ++destination) {
        std::vector<PortId> path;
        test::walk(graph, routes, source, destination, [&](PortId output) { path.push_back(output); });
        ASSERT_EQ(path.size(), 5U);
        up.insert(path[1]);
        last.insert(path[3]);
      }
      EXPECT_EQ(up.size(), 4U) << source << " to " << leaf;
      EXPECT_EQ(last.size(), 4U) << source << " to " << leaf;
    }
}

}  // namespace
}  // namespace headway
