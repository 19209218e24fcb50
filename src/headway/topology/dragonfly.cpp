// SPDX-License-Identifier: Apache-2.0
// Dragonfly: groups of switches; the switches of a group are all linked to each other, and so are the groups,
// by the global links of their switches. Source: Kim, Dally, Scott and Abts, "Technology-driven,
// highly-scalable dragonfly topology", ISCA 2008, section 3: p nodes, a switches and h global links per
// switch, g groups; it is balanced if a = 2p = 2h.
#include <string>

#include "headway/topology/arrangement.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

constexpr std::int64_t kMostDragonflyNodes = 1LL << 24;
constexpr std::int64_t kMostDragonflyPorts = 1LL << 28;

class Dragonfly final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field({.name = "p", .help = "nodes per switch", .at_least = 1, .at_most = 65'000}, p_);
    parameters.field({.name = "a", .help = "switches per group", .at_least = 1, .at_most = 65'000}, a_);
    parameters.field({.name = "h", .help = "global links per switch", .at_least = 1, .at_most = 65'000}, h_);
    parameters.field({.name = "g",
                      .help = "groups; default: as many as a group has global links, and one more. With "
                              "fewer, several links join two groups",
                      .at_least = 2,
                      .at_most = kMostDragonflyNodes},
                     g_);
    parameters.field({.name = "arrangement", .help = kArrangementHelp}, arrangement_);
  }

  void check(Mistakes& mistakes) const override {
    if (groups() > a_ * h_ + 1)
      mistakes.add(
          "network.g",
          std::to_string(groups()) + " groups, but a group has " + std::to_string(a_ * h_) + " global links",
          "at most a * h + 1 = " + std::to_string(a_ * h_ + 1));
    else if (radix() > kMostSwitchPorts)
      mistakes.add("network.a", "a switch has " + std::to_string(radix()) + " ports",
                   "p + a - 1 + h of at most " + std::to_string(kMostSwitchPorts));
    else if (a_ * groups() > kMostDragonflyNodes || nodes() > kMostDragonflyNodes ||
             switch_ports() > kMostDragonflyPorts)
      mistakes.add("network.g", "a dragonfly of more than " + std::to_string(kMostDragonflyNodes) + " nodes",
                   "use fewer groups, or smaller ones");
  }

  std::int64_t nodes() const override { return p_ * a_ * groups(); }
  std::int64_t switch_ports() const override { return a_ * groups() * radix(); }

  Graph build(const Link& link) const override {
    const DragonflyShape shape{static_cast<std::uint32_t>(p_), static_cast<std::uint32_t>(a_),
                               static_cast<std::uint32_t>(h_), static_cast<std::uint32_t>(groups()),
                               arrangement_};
    Graph graph(static_cast<NodeId>(nodes()),
                std::vector<std::uint32_t>(static_cast<std::size_t>(a_ * groups()),
                                           static_cast<std::uint32_t>(radix())),
                shape);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      graph.connect(graph.node_port(node),
                    graph.port(node / shape.nodes_per_switch, node % shape.nodes_per_switch), link);
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
  static void connect_group(Graph& graph, const DragonflyShape& shape, std::uint32_t group,
                            const Link& link) {
    const SwitchId first = group * shape.switches_per_group;
    for (std::uint32_t from = 0; from < shape.switches_per_group; ++from)
      for (std::uint32_t to = from + 1; to < shape.switches_per_group; ++to)
        graph.connect(graph.port(first + from, shape.nodes_per_switch + to - 1),
                      graph.port(first + to, shape.nodes_per_switch + from), link);
  }

  static PortId global_port(const Graph& graph, const DragonflyShape& shape, std::uint32_t group,
                            std::uint32_t other, std::uint32_t copy) {
    const std::uint32_t number = shape.global_port(group, other) + copy * (shape.groups - 1);
    return graph.port(group * shape.switches_per_group + number / shape.global_ports,
                      shape.first_global_port() + number % shape.global_ports);
  }

  std::int64_t groups() const { return g_.value_or(a_ * h_ + 1); }
  std::int64_t radix() const { return p_ + a_ - 1 + h_; }

  std::int64_t p_ = 2, a_ = 4, h_ = 2;
  std::optional<std::int64_t> g_;
  Arrangement arrangement_ = Arrangement::absolute;
};

}  // namespace

Entry<Topology> dragonfly() {
  return {"dragonfly", "groups of switches; groups and the switches of a group are linked each to each",
          "Kim et al., ISCA 2008, section 3", make_entry<Topology, Dragonfly>};
}

}  // namespace headway
