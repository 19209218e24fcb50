// SPDX-License-Identifier: Apache-2.0
// Minimal routing in dragonflies: at most one local link to a switch with a link to the destination's group,
// one global link, and one local link there. Source: Kim, Dally, Scott and Abts, ISCA 2008, section 4.1.
#include "headway/routing/direct.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

class Minimal final : public Routing {
 public:
  void describe(Parameters&) override {}
  bool single_path() const override { return true; }
  bool routes(const Shape& shape) const override { return std::holds_alternative<DragonflyShape>(shape); }

 private:
  Routes routes_of(const Graph& graph) const override { return dragonfly_routes(graph); }
};

}  // namespace

Entry<Routing> minimal() {
  return {"minimal", "the shortest way between groups: at most one local, one global and one local link",
          "Kim et al., ISCA 2008, section 4.1", make_entry<Routing, Minimal>};
}

}  // namespace headway
