// SPDX-License-Identifier: Apache-2.0
// Adaptive routing in fat-trees: every up port leads to the destination, and the selection function chooses
// among them when the packet is at the head of its queue. On the way down there is one port, or one for each
// parallel link. Source: Petrini
// and Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997;
// Gilabert et al., Euro-Par 2006, section 2.
#include "headway/routing/routing.h"

namespace headway {
namespace {

class Adaptive final : public Routing {
 public:
  void describe(Parameters&) override {}
  bool single_path() const override { return false; }
  bool adaptive() const override { return true; }

  bool routes(const Shape& shape) const override { return std::holds_alternative<TreeShape>(shape); }

 private:
  Routes routes_of(const Graph& graph) const override {
    return RouteTable::tree(std::get<TreeShape>(graph.shape()), RouteTable::TreeUp::random);
  }
};

}  // namespace

Entry<Routing> adaptive() {
  return {"adaptive",
          "adaptive routing: any up port is permitted; routing.selection chooses among the free ones",
          "Petrini and Vanneschi 1997; Gilabert et al., Euro-Par 2006", make_entry<Routing, Adaptive>};
}

}  // namespace headway
