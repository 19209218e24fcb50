// SPDX-License-Identifier: Apache-2.0
// Dragonfly+: the groups are two-level trees, whose spines have the links between groups. Source: Shpiner,
// Haramaty, Eliad, Zdornov, Gafni and Zahavi, "Dragonfly+: low cost topology for scaling datacenters",
// HiPINEB 2017, section III.
#include <optional>
#include <string>
#include <vector>

#include "headway/topology/arrangement.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

constexpr std::int64_t kMostPlusNodes = 1LL << 24;
constexpr std::int64_t kMostPlusPorts = 1LL << 28;

class DragonflyPlus final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "p", .help = "nodes per leaf", .at_least = 1, .at_most = 65'000}, p_);
    parameters.field({.name = "leaves", .help = "leaves per group", .at_least = 1, .at_most = 65'000},
                     leaves_);
    parameters.field({.name = "spines", .help = "spines per group", .at_least = 1, .at_most = 65'000},
                     spines_);
    parameters.field({.name = "h", .help = "global links per spine", .at_least = 1, .at_most = 65'000}, h_);
    parameters.field({.name = "g",
                      .help = "groups; default: as many as a group has global links, and one more. With "
                              "fewer, several links join two groups",
                      .at_least = 2,
                      .at_most = kMostPlusNodes},
                     g_);
    parameters.field({.name = "arrangement", .help = kArrangementHelp}, arrangement_);
  }

  void check(Mistakes& mistakes) const override {
    const std::int64_t most = spines_ * h_ + 1;
    if (groups() > most)
      mistakes.add("network.g",
                   std::to_string(groups()) + " groups, but a group has " + std::to_string(spines_ * h_) +
                       " global links",
                   "at most spines * h + 1 = " + std::to_string(most));
    else if (p_ + spines_ > kMostSwitchPorts || leaves_ + h_ > kMostSwitchPorts)
      mistakes.add("network.spines", "a switch has more than " + std::to_string(kMostSwitchPorts) + " ports",
                   "p + spines and leaves + h are at most that");
    else if (nodes() > kMostPlusNodes || (leaves_ + spines_) * groups() > kMostPlusNodes ||
             switch_ports() > kMostPlusPorts)
      mistakes.add("network.g", "a dragonfly+ of more than " + std::to_string(kMostPlusNodes) + " nodes",
                   "use fewer groups, or smaller ones");
  }

  std::int64_t nodes() const override { return p_ * leaves_ * groups(); }
  std::int64_t switch_ports() const override {
    return groups() * (leaves_ * (p_ + spines_) + spines_ * (leaves_ + h_));
  }

  Graph build(const Link& link) const override {
    const DragonflyPlusShape shape{static_cast<std::uint32_t>(p_),       static_cast<std::uint32_t>(leaves_),
                                   static_cast<std::uint32_t>(spines_),  static_cast<std::uint32_t>(h_),
                                   static_cast<std::uint32_t>(groups()), arrangement_};
    std::vector<std::uint32_t> radix;
    for (std::uint32_t group = 0; group < shape.groups; ++group) {
      radix.insert(radix.end(), shape.leaves, shape.nodes_per_leaf + shape.spines);
      radix.insert(radix.end(), shape.spines, shape.leaves + shape.global_ports);
    }
    Graph graph(static_cast<NodeId>(nodes()), radix, shape);
    for (std::uint32_t group = 0; group < shape.groups; ++group) {
      connect_group(graph, shape, group, link);
      for (std::uint32_t other = group + 1; other < shape.groups; ++other)
        for (std::uint32_t copy = 0; copy < shape.copies(); ++copy)
          graph.connect(global_port(graph, shape, group, other, copy),
                        global_port(graph, shape, other, group, copy), link);
    }
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

  static PortId global_port(const Graph& graph, const DragonflyPlusShape& shape, std::uint32_t group,
                            std::uint32_t other, std::uint32_t copy) {
    const std::uint32_t number = shape.global_port(group, other) + copy * (shape.groups - 1);
    return graph.port(group * shape.switches_per_group() + shape.leaves + number / shape.global_ports,
                      shape.leaves + number % shape.global_ports);
  }

  std::int64_t groups() const { return g_.value_or(spines_ * h_ + 1); }

  std::int64_t p_ = 2, leaves_ = 4, spines_ = 4, h_ = 2;
  std::optional<std::int64_t> g_;
  Arrangement arrangement_ = Arrangement::absolute;
};

}  // namespace

Entry<Topology> dragonfly_plus() {
  return {"dragonfly-plus", "groups that are two-level trees, linked each to each by their spines",
          "Shpiner et al., HiPINEB 2017", make_entry<Topology, DragonflyPlus>};
}

}  // namespace headway
