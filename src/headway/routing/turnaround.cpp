// SPDX-License-Identifier: Apache-2.0
// Turnaround routing, the self-routing of bidirectional MINs and fat-trees: up to a switch from which the
// destination can be reached, then down by the destination's digits. Any up port leads to the destination, so
// the rule only determines which packets share links. By the source's digit, every node has its own upward
// path, and the paths to one destination meet only on the way down. By the destination's digit (DET), they
// meet immediately. By the sum of both, packets from a node are spread over the up ports, and so are packets
// to a node. Sources: Xu, Gui, Ni, "Optimal software multicast in wormhole-routed multistage networks", 1994
// (turnaround); FBICM (HiPC 2008), section 3.1, where every output is a function of the destination; DBBM
// (Euro-Par 2005), section 5, which does not say how the up port is chosen. In trees whose levels differ, the
// digit is that of D-mod-K (Zahavi, CCIT report 776, 2010); it also determines one of several parallel down
// links.
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"

namespace headway {

constexpr auto names_in_specs(RouteTable::TreeUp) {
  return name_list("source", "source+destination", "destination", "random");
}

namespace {

using TreeUp = RouteTable::TreeUp;

class Turnaround final : public Routing {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "up",
         .help =
             "rule for the up port: the stage's digit of the source's number (S-mod-K), the sum of the "
             "source's and the destination's digit, the destination's digit (D-mod-K, as det), or a random "
             "port (as random-up)"},
        up_);
  }
  bool single_path() const override { return up_ != TreeUp::random; }
  bool by_destination() const override { return up_ == TreeUp::destination_digit; }

  bool routes(const Shape& shape) const override { return std::holds_alternative<TreeShape>(shape); }

 private:
  Routes routes_of(const Graph& graph) const override {
    return RouteTable::tree(std::get<TreeShape>(graph.shape()), up_);
  }

  TreeUp up_ = TreeUp::source_digit;
};

}  // namespace

Entry<Routing> turnaround() {
  return {"turnaround", "self-routing in BMINs and fat-trees; parameter up selects the rule for the up port",
          "Xu, Gui and Ni 1994; FBICM (HiPC 2008), section 3.1; DBBM (Euro-Par 2005), section 5",
          make_entry<Routing, Turnaround>};
}

}  // namespace headway
