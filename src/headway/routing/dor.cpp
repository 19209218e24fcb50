// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing in grids: a packet travels along one dimension after the other, in the same order
// for all packets, and in a torus in the shorter direction. Without wrap-around links no cycle of channels
// can exist, because a packet never goes back to an earlier dimension and never turns within one (Dally and
// Seitz, IEEE Trans. Computers 36(5), 1987). The rings of a torus are cycles; there, bubble flow control
// keeps a slot of every ring free (docs/modelling.md, "Rings"). Source: Sullivan and Bashkow, "A large scale,
// homogeneous, fully distributed parallel machine", 1977; DBBM (Euro-Par 2005), section 5.
#include <algorithm>
#include <numeric>

#include "headway/routing/routing.h"

namespace headway {
namespace {

constexpr std::uint64_t kLargestTable = 1 << 17;  // entries: half a megabyte, the size of a processor's cache

class DimensionOrder final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "order",
         .help =
             "order in which the dimensions are routed: [1, 0] is Y before X; default: ascending, X first",
         .at_least = 0,
         .at_most = 31},
        order_);
  }
  bool single_path() const override { return true; }

  bool routes(const Shape& shape) const override { return std::holds_alternative<GridShape>(shape); }

 private:
  RouteTable table_of(const Graph& graph) const override {
    const auto& grid = std::get<GridShape>(graph.shape());
    std::vector<std::uint32_t> ascending(grid.sides.size());
    std::iota(ascending.begin(), ascending.end(), 0U);
    std::vector<std::uint32_t> order(order_.begin(), order_.end());
    if (order.empty()) order = ascending;
    if (!std::ranges::is_permutation(order, ascending))
      throw SpecError({{.key = "routing.order",
                        .message = "does not contain every dimension exactly once",
                        .hint = "the numbers 0 to " + std::to_string(ascending.size() - 1) + " in some order",
                        .where = ""}});
    RouteTable routes = RouteTable::grid(grid, order);
    return std::uint64_t{graph.switches()} * graph.nodes() <= kLargestTable ? routes.tabulated(graph)
                                                                            : routes;
  }

  std::vector<std::int64_t> order_;
};

}  // namespace

Entry<Routing> dor() {
  return {"dor", "dimension-order routing: packets travel along one dimension of the grid after the other",
          "Sullivan and Bashkow 1977; DBBM (Euro-Par 2005), section 5", make_entry<Routing, DimensionOrder>};
}

}  // namespace headway
