// SPDX-License-Identifier: Apache-2.0
// Dragonfly+: the groups are two-level trees, whose spines have the links between groups. Source: Shpiner,
// Haramaty, Eliad, Zdornov, Gafni and Zahavi, "Dragonfly+: low cost topology for scaling datacenters",
// HiPINEB 2017, section III.
#include <string>
#include <vector>

#include "headway/topology/global_links.h"
#include "headway/topology/parts.h"

namespace headway {
namespace {

class DragonflyPlus final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "p", .help = "nodes per leaf", .bounds = Bounds::from(1, kMostNodesPerSwitch)},
                     p_);
    parameters.field(
        {.name = "leaves", .help = "leaves per group", .bounds = Bounds::from(1, kMostNodesPerSwitch)},
        leaves_);
    parameters.field(
        {.name = "spines", .help = "spines per group", .bounds = Bounds::from(1, kMostNodesPerSwitch)},
        spines_);
    global_.describe(parameters, "global links per spine");
  }

  void check(Mistakes& mistakes) const override {
    if (!global_.check(spines_, "spines * h + 1", mistakes)) return;
    if (p_ + spines_ > kMostSwitchPorts || leaves_ + global_.per_switch() > kMostSwitchPorts)
      mistakes.add("network.spines", "a switch has more than " + std::to_string(kMostSwitchPorts) + " ports",
                   "p + spines and leaves + h are at most that");
    else if (nodes() > kMostNodes || (leaves_ + spines_) * groups() > kMostNodes ||
             switch_ports() > kMostNetworkPorts)
      mistakes.add("network.g", "a dragonfly+ of more than " + std::to_string(kMostNodes) + " nodes",
                   "use fewer groups, or smaller ones");
  }

  std::int64_t nodes() const override { return p_ * leaves_ * groups(); }
  std::int64_t switch_ports() const override {
    return groups() * (leaves_ * (p_ + spines_) + spines_ * (leaves_ + global_.per_switch()));
  }

  Graph build(const Link& link) const override {
    const DragonflyPlusShape shape{
        static_cast<std::uint32_t>(p_),       static_cast<std::uint32_t>(leaves_),
        static_cast<std::uint32_t>(spines_),  static_cast<std::uint32_t>(global_.per_switch()),
        static_cast<std::uint32_t>(groups()), global_.arrangement()};
    std::vector<std::uint32_t> radix;
    for (std::uint32_t group = 0; group < shape.groups; ++group) {
      radix.insert(radix.end(), shape.leaves, shape.nodes_per_leaf + shape.spines);
      radix.insert(radix.end(), shape.spines, shape.leaves + shape.global_ports);
    }
    Graph graph(static_cast<NodeId>(nodes()), radix, shape);
    for (std::uint32_t group = 0; group < shape.groups; ++group) connect_group(graph, shape, group, link);
    GlobalLinks::connect(graph, shape, link, [&](std::uint32_t group, std::uint32_t number) {
      return graph.port(group * shape.switches_per_group() + shape.leaves + number / shape.global_ports,
                        shape.leaves + number % shape.global_ports);
    });
    return graph;
  }

 private:
  static void connect_group(Graph& graph, const DragonflyPlusShape& shape, std::uint32_t group,
                            const Link& link) {
    const SwitchId first = group * shape.switches_per_group();
    for (std::uint32_t leaf = 0; leaf < shape.leaves; ++leaf) {
      for (std::uint32_t i = 0; i < shape.nodes_per_leaf; ++i)
        graph.connect(graph.node_port((group * shape.leaves + leaf) * shape.nodes_per_leaf + i),
                      graph.port(first + leaf, i), link);
      for (std::uint32_t spine = 0; spine < shape.spines; ++spine)
        graph.connect(graph.port(first + leaf, shape.nodes_per_leaf + spine),
                      graph.port(first + shape.leaves + spine, leaf), link);
    }
  }

  std::int64_t groups() const { return global_.groups(spines_); }

  std::int64_t p_ = 2, leaves_ = 4, spines_ = 4;
  GlobalLinks global_;
};

}  // namespace

Entry<Topology> dragonfly_plus() {
  return {"dragonfly-plus", "groups that are two-level trees; every two groups are linked by their spines",
          "Shpiner et al., HiPINEB 2017", make_entry<Topology, DragonflyPlus>};
}

}  // namespace headway
