// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing in grids: a packet travels along one dimension after the other, in the same order
// for all packets, and in a torus in the shorter direction. Without wrap-around links no cycle of channels
// can exist, because a packet never goes back to an earlier dimension and never turns within one (Dally and
// Seitz, IEEE Trans. Computers 36(5), 1987). The rings of a torus are cycles; there, bubble flow control
// keeps a slot of every ring free (docs/modelling.md, "Rings"), or lanes break them. Source: Sullivan and
// Bashkow, "A large scale, homogeneous, fully distributed parallel machine", 1977; DBBM (Euro-Par 2005),
// section 5.
#include <algorithm>

#include "headway/routing/grids.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

enum class Rings { bubble, dateline };
constexpr auto names_in_specs(Rings) { return name_list("bubble", "dateline"); }

class DimensionOrder final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "order",
         .help =
             "order in which the dimensions are routed: [1, 0] is Y before X; default: ascending, X first",
         .bounds = Bounds::from(0, 31)},
        order_);
    parameters.field(
        {.name = "rings",
         .help = "what keeps the rings of a torus from blocking: a free slot in each (bubble), or "
                 "two lanes that packets change between at one link of the ring (dateline)"},
        rings_);
  }
  bool single_path() const override { return true; }

  bool routes(const Shape& shape) const override {
    return std::holds_alternative<GridShape>(shape) || std::holds_alternative<HyperXShape>(shape);
  }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (const auto* hyperx = std::get_if<HyperXShape>(&graph.shape()))
      return to_nodes(graph, HyperXRoutes(*hyperx, order(hyperx->sides.size()), false));
    const auto& grid = std::get<GridShape>(graph.shape());
    RouteTable table = to_nodes(graph, GridRoutes(grid, order(grid.sides.size()), false));
    if (grid.wraps && rings_ == Rings::dateline) return {std::move(table), torus_lanes(graph, grid, 1)};
    return table;
  }

  std::vector<std::uint32_t> order(std::size_t dimensions) const {
    std::vector<std::uint32_t> all = ascending(dimensions);
    if (order_.empty()) return all;
    std::vector<std::uint32_t> order(order_.begin(), order_.end());
    if (!std::ranges::is_permutation(order, all))
      throw SpecError("routing.order", "does not contain every dimension exactly once",
                      "use the numbers 0 to " + std::to_string(dimensions - 1) + " in some order");
    return order;
  }

  std::vector<std::int64_t> order_;
  Rings rings_ = Rings::bubble;
};

}  // namespace

Entry<Routing> dor() {
  return {"dor",
          "dimension-order routing in grids and HyperX: packets travel along one dimension after the other",
          "Sullivan and Bashkow 1977; DBBM (Euro-Par 2005), section 5", make_entry<Routing, DimensionOrder>};
}

}  // namespace headway
