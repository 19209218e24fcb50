// SPDX-License-Identifier: Apache-2.0
// Adaptive routing: the selection function chooses among the ports of shortest paths when a packet is at the
// head of its queue. In fat-trees every up port leads to the destination; on the way down there is one port,
// or one for each parallel link (Petrini and Vanneschi, "k-ary n-trees: high performance networks for
// massively parallel architectures", IPPS 1997; Gilabert et al., Euro-Par 2006, section 2). In grids and
// HyperX there is a port for each dimension in which the packet has to move, in a separate lane;
// dimension-order routing in the other lanes is the escape (Duato, IEEE TPDS 4(12), 1993).
#include "headway/routing/direct.h"
#include "headway/routing/routing.h"

namespace headway {
namespace {

class Adaptive final : public Routing {
 public:
  bool single_path() const override { return false; }
  bool adaptive() const override { return true; }

  bool routes(const Shape& shape) const override {
    return std::holds_alternative<TreeShape>(shape) || has_choices_and_escape(shape);
  }

 private:
  Routes routes_of(const Graph& graph) const override {
    if (has_choices_and_escape(graph.shape())) return routes_with_escape(graph);
    return RouteTable::tree(std::get<TreeShape>(graph.shape()), RouteTable::TreeUp::random);
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
