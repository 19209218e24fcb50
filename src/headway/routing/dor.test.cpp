// SPDX-License-Identifier: Apache-2.0
// Paths by hand in a mesh and a torus; the formula against its table; both directions of a torus carry the
// same load.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

using Sides = std::vector<std::int64_t>;

std::vector<SwitchId> path(const Graph& graph, const RouteTable& routes, NodeId source, NodeId destination) {
  std::vector<SwitchId> switches;
  test::walk(graph, routes, source, destination, [&](PortId output) {
    const PortId input = graph.peer_of(output);
    if (!graph.is_node_port(input)) switches.push_back(graph.switch_of(input));
  });
  return switches;
}

TEST(Dor, CorrectsOneDimensionAfterTheOther) {
  const Graph mesh = choose(topologies(), "mesh", {{"sides", Sides{4, 3}}})->build({});
  EXPECT_EQ(path(mesh, choose(routings(), "dor")->build(mesh).table, 0, 10),
            (std::vector<SwitchId>{0, 1, 2, 6, 10}));
  EXPECT_EQ(path(mesh, choose(routings(), "dor", {{"order", Sides{1, 0}}})->build(mesh).table, 0, 10),
            (std::vector<SwitchId>{0, 4, 8, 9, 10}));
  const Graph cube =
      choose(topologies(), "mesh", {{"sides", Sides{2, 2, 2}}, {"nodes_per_switch", 3}})->build({});
  EXPECT_EQ(path(cube, choose(routings(), "dor", {{"order", Sides{2, 0, 1}}})->build(cube).table, 0, 23),
            (std::vector<SwitchId>{0, 4, 5, 7}));
}

TEST(Dor, TakesTheShorterWayRoundATorus) {
  const Graph torus = choose(topologies(), "torus", {{"sides", Sides{6}}})->build({});
  const RouteTable routes = choose(routings(), "dor")->build(torus).table;
  EXPECT_EQ(path(torus, routes, 0, 5), (std::vector<SwitchId>{0, 5}));
  EXPECT_EQ(path(torus, routes, 4, 0), (std::vector<SwitchId>{4, 5, 0}));
  EXPECT_EQ(path(torus, routes, 0, 3), (std::vector<SwitchId>{0, 1, 2, 3}));
  EXPECT_EQ(path(torus, routes, 3, 0), (std::vector<SwitchId>{3, 2, 1, 0}));
}

TEST(Dor, LoadsBothDirectionsOfAnEvenTorusAlike) {
  const Graph torus = choose(topologies(), "torus", {{"sides", Sides{6, 4}}})->build({});
  const RouteTable routes = choose(routings(), "dor")->build(torus).table;
  std::vector<int> paths(torus.ports(), 0);
  for (NodeId source = 0; source < 24; ++source)
    for (NodeId destination = 0; destination < 24; ++destination)
      test::walk(torus, routes, source, destination, [&](PortId output) { ++paths[output]; });
  for (SwitchId sw = 0; sw < 24; ++sw)
    for (const std::uint32_t higher : {2U, 4U}) {
      const int up = paths[torus.port(sw, higher)], down = paths[torus.port(sw, higher - 1)];
      EXPECT_LE(std::abs(up - down), (up + down) / 3) << sw << " port " << higher;
    }
}

TEST(Dor, AnswersTheSameByFormulaAndByTable) {
  for (const char* name : {"mesh", "torus"})
    for (const Sides& sides : {Sides{7}, Sides{4, 5}, Sides{3, 2, 4}, Sides{1, 6}}) {
      const Graph graph = choose(topologies(), name, {{"sides", sides}, {"nodes_per_switch", 3}})->build({});
      std::vector<std::uint32_t> order(sides.size());
      for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::uint32_t>(order.size()) - 1 - i;
      const GridRoutes routes(std::get<GridShape>(graph.shape()), order, false);
      const RouteTable table = RouteTable::by_formula(routes, graph.switches(), graph.nodes());
      const RouteTable formula =
          RouteTable::by_formula(routes, graph.switches(), graph.nodes(), /*largest_table=*/0);
      for (SwitchId sw = 0; sw < graph.switches(); ++sw)
        for (NodeId node = 0; node < graph.nodes(); ++node)
          ASSERT_EQ(formula.at(sw, node), table.at(sw, node));
    }
}

TEST(Dor, RefusesOtherShapesAndWrongOrders) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build({});
  EXPECT_THROW(choose(routings(), "dor")->build(tree), SpecError);
  const Graph mesh = choose(topologies(), "mesh")->build({});
  for (const Sides& order : {Sides{0}, Sides{0, 0}, Sides{1, 2}, Sides{0, 1, 2}})
    EXPECT_THROW(choose(routings(), "dor", {{"order", order}})->build(mesh), SpecError);
}

}  // namespace
}  // namespace headway
