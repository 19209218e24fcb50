// SPDX-License-Identifier: Apache-2.0
// Adaptive routing: the selection function chooses among the ports of shortest paths when a packet is at the
// head of its queue. In fat-trees every up port leads to the destination; on the way down there is one port,
// or one for each parallel link (Petrini and Vanneschi, "k-ary n-trees: high performance networks for
// massively parallel architectures", IPPS 1997; Gilabert et al., Euro-Par 2006, section 2). In grids and
// HyperX there is a port for each dimension in which the packet has to move, in a separate lane;
// dimension-order routing in the other lanes, in a torus with datelines, is the escape (Duato, IEEE TPDS
// 4(12), 1993).
#include "headway/routing/grids.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

class Adaptive final : public Routing {
 public:
  bool single_path() const override { return false; }
  bool adaptive() const override { return true; }

  bool routes(const Shape& shape) const override {
    return std::holds_alternative<TreeShape>(shape) || std::holds_alternative<GridShape>(shape) ||
           std::holds_alternative<HyperXShape>(shape);
  }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (const auto* tree = std::get_if<TreeShape>(&graph.shape()))
      return RouteTable::tree(*tree, RouteTable::TreeUp::random);
    Routes routes;
    if (const auto* hyperx = std::get_if<HyperXShape>(&graph.shape())) {
      routes.table = to_nodes(graph, HyperXRoutes(*hyperx, ascending(hyperx->sides.size()), false));
      routes.choices.emplace(*hyperx);
      return routes;
    }
    const auto& grid = std::get<GridShape>(graph.shape());
    routes.table = to_nodes(graph, GridRoutes(grid, ascending(grid.sides.size()), false));
    if (grid.wraps) routes.lanes = torus_lanes(graph, grid, 1);
    routes.choices.emplace(grid);
    return routes;
  }
};

}  // namespace

Entry<Routing> adaptive() {
  return {"adaptive",
          "adaptive routing: routing.selection chooses among the free ports of all shortest paths",
          "Petrini and Vanneschi 1997; Gilabert et al., Euro-Par 2006; Duato 1993",
          make_entry<Routing, Adaptive>};
}

}  // namespace headway
