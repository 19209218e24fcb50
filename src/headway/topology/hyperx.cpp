// SPDX-License-Identifier: Apache-2.0
// HyperX: switches at the points of a grid. Each switch is linked to all others of its line in each
// dimension. A HyperX with one dimension is a full mesh, with two or more dimensions of the same side a
// flattened butterfly, and with sides of 2 a hypercube. Source: Ahn, Binkert, Davis, McLaren and Schreiber,
// "HyperX: topology, routing, and packaging of efficient large-scale networks", SC 2009: L dimensions, shape
// S, relative bandwidth K (here `widths`), T nodes per switch.
#include <string>

#include "headway/topology/parts.h"

namespace headway {
namespace {

class HyperX final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "sides", .help = kSidesHelp, .bounds = Bounds::from(1, kMostSwitchPorts)},
                     sides_);
    parameters.field({.name = "widths",
                      .help = "parallel links between two switches of a line, for each dimension; default: 1",
                      .bounds = Bounds::from(1, kMostSwitchPorts)},
                     widths_);
    parameters.field({.name = "nodes_per_switch",
                      .help = "number of nodes at every switch",
                      .bounds = Bounds::from(1, kMostSwitchPorts)},
                     nodes_per_switch_);
  }

  void check(Mistakes& mistakes) const override {
    if (!check_sides(sides_, mistakes)) return;
    if (!widths_.empty() && widths_.size() != sides_.size())
      return mistakes.add(
          "network.widths",
          std::to_string(widths_.size()) + " widths for " + std::to_string(sides_.size()) + " dimensions",
          "give one per dimension, or none");
    if (radix() > kMostSwitchPorts)
      mistakes.add("network.sides", "a switch has " + std::to_string(radix()) + " ports",
                   "at most " + std::to_string(kMostSwitchPorts));
    else if (nodes() > kMostNodes || switch_ports() > kMostNetworkPorts)
      mistakes.add("network.sides", "a HyperX of more than " + std::to_string(kMostNodes) + " nodes",
                   "use fewer switches, or fewer nodes per switch");
  }

  std::int64_t nodes() const override { return switches() * nodes_per_switch_; }
  std::vector<std::int64_t> sides() const override { return sides_; }
  std::int64_t switch_ports() const override { return switches() * radix(); }

  Graph build(const Link& link) const override {
    HyperXShape shape{{sides_.begin(), sides_.end()},
                      {widths_.begin(), widths_.end()},
                      static_cast<std::uint32_t>(nodes_per_switch_)};
    shape.widths.resize(shape.sides.size(), 1);
    Graph graph = equal_switches(switches(), radix(), shape.nodes_per_switch, shape, link);
    for (std::uint32_t d = 0, stride = 1; d < shape.sides.size(); stride *= shape.sides[d++])
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) connect_line(graph, shape, d, stride, sw, link);
    return graph;
  }

 private:
  // Links a switch to the switches with a higher place in this dimension.
  static void connect_line(Graph& graph, const HyperXShape& shape, std::uint32_t dimension,
                           std::uint32_t stride, SwitchId sw, const Link& link) {
    const std::uint32_t place = sw / stride % shape.sides[dimension], width = shape.widths[dimension];
    for (std::uint32_t other = place + 1; other < shape.sides[dimension]; ++other)
      for (std::uint32_t copy = 0; copy < width; ++copy)
        graph.connect(
            graph.port(sw, shape.first_port(dimension) + (other - 1) * width + copy),
            graph.port(sw + (other - place) * stride, shape.first_port(dimension) + place * width + copy),
            link);
  }

  std::int64_t switches() const { return switches_of_grid(sides_); }
  std::int64_t radix() const {
    std::int64_t result = nodes_per_switch_;
    for (std::size_t d = 0; d < sides_.size(); ++d)
      result += (sides_[d] - 1) * (d < widths_.size() ? widths_[d] : 1);
    return result;
  }

  std::vector<std::int64_t> sides_ = {4, 4};
  std::vector<std::int64_t> widths_;
  std::int64_t nodes_per_switch_ = 4;
};

}  // namespace

Entry<Topology> hyperx() {
  return {"hyperx", "grid of switches in which all switches of a line are linked to each other",
          "Ahn et al., SC 2009", make_entry<Topology, HyperX>};
}

}  // namespace headway
