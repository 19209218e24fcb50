// SPDX-License-Identifier: Apache-2.0
// Meshes and tori: switches at the points of a grid, each linked to its neighbours in every dimension. In a
// torus, the last switch of a line is also linked to the first. There can be any number of nodes at every
// switch.
//
// All switches have the ports of an inner one; those of a mesh's border lead nowhere. In a torus side 2 two
// links join the same two switches, one in each direction of the ring. Source: Dally and Towles, "Principles
// and practices of interconnection networks", 2004, chapter 5; the meshes of DBBM (Euro-Par 2005), section 5.
#include <algorithm>

#include "headway/topology/topology.h"

namespace headway {
namespace {

constexpr std::int64_t kMostGridNodes = 1LL << 24;
constexpr std::int64_t kMostGridPorts = 1LL << 28;
constexpr std::int64_t kMaxDimensions = 8;

template <bool kWraps>
class Grid final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "sides",
                      .help = "number of switches along each dimension, such as [8, 8] or [8, 8, 4]",
                      .at_least = 1,
                      .at_most = kMostGridNodes},
                     sides_);
    parameters.field({.name = "nodes_per_switch",
                      .help = "number of nodes at every switch",
                      .at_least = 1,
                      .at_most = 65'000},
                     nodes_per_switch_);
  }

  void check(Mistakes& mistakes) const override {
    const auto dimensions = static_cast<std::int64_t>(sides_.size());
    if (dimensions < 1 || dimensions > kMaxDimensions)
      mistakes.add(
          "network.sides", std::to_string(dimensions) + " dimensions",
          "give one number per dimension, for 1 to " + std::to_string(kMaxDimensions) + " dimensions");
    else if (nodes() > kMostGridNodes || switch_ports() > kMostGridPorts)
      mistakes.add("network.sides", "a grid of more than " + std::to_string(kMostGridNodes) + " nodes",
                   "use fewer switches, or fewer nodes per switch");
  }

  std::int64_t nodes() const override { return switches() * nodes_per_switch_; }
  std::int64_t switch_ports() const override { return switches() * radix(); }

  Graph build(const Link& link) const override {
    const GridShape shape{
        {sides_.begin(), sides_.end()}, static_cast<std::uint32_t>(nodes_per_switch_), kWraps};
    const auto count = static_cast<SwitchId>(switches());
    Graph graph(static_cast<NodeId>(nodes()),
                std::vector<std::uint32_t>(count, static_cast<std::uint32_t>(radix())), shape);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      graph.connect(graph.node_port(node),
                    graph.port(node / shape.nodes_per_switch, node % shape.nodes_per_switch), link);
    for (std::uint32_t d = 0, stride = 1; d < shape.sides.size(); stride *= shape.sides[d++]) {
      const std::uint32_t side = shape.sides[d];
      for (SwitchId sw = 0; sw < count; ++sw) {
        const bool last = sw / stride % side == side - 1;
        if (side == 1 || (last && !kWraps)) continue;
        const SwitchId next = last ? sw - (side - 1) * stride : sw + stride;
        graph.connect(graph.port(sw, shape.higher_port(d)), graph.port(next, shape.lower_port(d)), link);
      }
    }
    return graph;
  }

 private:
  std::int64_t switches() const {
    std::int64_t result = 1;
    for (const std::int64_t side : sides_) result = std::min(result * side, kMostGridNodes + 1);
    return result;
  }
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
