// SPDX-License-Identifier: Apache-2.0
// Meshes and tori: switches at the points of a grid, each linked to its neighbours in every dimension. In a
// torus, the last switch of a line is also linked to the first. Every switch has `nodes_per_switch` nodes.
//
// All switches have the ports of an inner one; at a mesh's border, the outward ports are not used. In a torus
// dimension of side 2, two links join the same two switches, one in each direction of the ring. Source: Dally
// and Towles, "Principles and practices of interconnection networks", 2004, chapter 5; the meshes of DBBM
// (Euro-Par 2005), section 5.
#include "headway/topology/parts.h"

namespace headway {
namespace {

template <bool kWraps>
class Grid final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "sides", .help = kSidesHelp, .bounds = Bounds::from(1, kMostNodes)}, sides_);
    parameters.field({.name = "nodes_per_switch",
                      .help = "number of nodes at every switch",
                      .bounds = Bounds::from(1, kMostNodesPerSwitch)},
                     nodes_per_switch_);
  }

  void check(Mistakes& mistakes) const override {
    if (!check_sides(sides_, mistakes)) return;
    if (nodes() > kMostNodes || switch_ports() > kMostNetworkPorts)
      mistakes.add("network.sides", "a grid of more than " + std::to_string(kMostNodes) + " nodes",
                   "use fewer switches, or fewer nodes per switch");
  }

  std::int64_t nodes() const override { return switches() * nodes_per_switch_; }
  std::vector<std::int64_t> sides() const override { return sides_; }
  std::int64_t switch_ports() const override { return switches() * radix(); }

  Graph build(const Link& link) const override {
    const GridShape shape{
        {sides_.begin(), sides_.end()}, static_cast<std::uint32_t>(nodes_per_switch_), kWraps};
    Graph graph = equal_switches(switches(), radix(), shape.nodes_per_switch, shape, link);
    for (std::uint32_t d = 0, stride = 1; d < shape.sides.size(); stride *= shape.sides[d++]) {
      const std::uint32_t side = shape.sides[d];
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
        const bool last = sw / stride % side == side - 1;
        if (side == 1 || (last && !kWraps)) continue;
        const SwitchId next = last ? sw - (side - 1) * stride : sw + stride;
        graph.connect(graph.port(sw, shape.higher_port(d)), graph.port(next, shape.lower_port(d)), link);
      }
    }
    return graph;
  }

 private:
  std::int64_t switches() const { return switches_of_grid(sides_); }
  std::int64_t radix() const { return nodes_per_switch_ + 2 * static_cast<std::int64_t>(sides_.size()); }

  std::vector<std::int64_t> sides_ = {8, 8};
  std::int64_t nodes_per_switch_ = 1;
};

}  // namespace

Entry<Topology> mesh() {
  return {"mesh", "grid of switches with any number of dimensions and of nodes per switch",
          "DBBM (Euro-Par 2005), section 5", make_entry<Topology, Grid<false>>};
}
Entry<Topology> torus() {
  return {"torus", "mesh with wrap-around links in every dimension", "Dally and Towles 2004, chapter 5",
          make_entry<Topology, Grid<true>>};
}

}  // namespace headway
