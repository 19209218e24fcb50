// SPDX-License-Identifier: Apache-2.0
// Random up ports: in a fat-tree every up port leads to the destination, so all k ports are candidates and
// each packet takes a random one, as it does for parallel down links. It is a reference for DET: it balances
// the links only on average, and packets of a pair can overtake each other. Source: Leiserson, "Fat-trees:
// universal networks for hardware-efficient supercomputing", IEEE Trans. Computers C-34(10), 1985, and
// Greenberg and Leiserson, "Randomized routing on fat-trees", 1989.
#include "headway/routing/around_failures.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

class RandomUp final : public Routing {
 public:
  bool single_path() const override { return false; }

  bool routes(const Shape& shape) const override { return std::holds_alternative<TreeShape>(shape); }
  bool avoids_failures(const Shape& shape) const override { return std::holds_alternative<TreeShape>(shape); }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (graph.has_failures()) return tree_around_failures(graph, /*by_destination=*/false);
    return RouteTable::tree(std::get<TreeShape>(graph.shape()), RouteTable::TreeUp::random);
  }
};

}  // namespace

Entry<Routing> random_up() {
  return {"random-up",
          "every switch on the way up sends each packet to a random up port, and down over a random one of "
          "parallel links",
          "Greenberg and Leiserson 1989", make_entry<Routing, RandomUp>};
}

}  // namespace headway
