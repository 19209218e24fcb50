// SPDX-License-Identifier: Apache-2.0
// Dragonfly: groups of switches; the switches of a group are all linked to each other, and so are the groups,
// by the global links of their switches. Source: Kim, Dally, Scott and Abts, "Technology-driven,
// highly-scalable dragonfly topology", ISCA 2008, section 3: p nodes, a switches and h global links per
// switch, g groups; it is balanced if a = 2p = 2h.
#include <string>

#include "headway/topology/global_links.h"
#include "headway/topology/parts.h"

namespace headway {
namespace {

class Dragonfly final : public Topology {
 public:
  void describe(Parameters& parameters) override {
    parameters.field(
        {.name = "p", .help = "nodes per switch", .bounds = Bounds::from(1, kMostNodesPerSwitch)}, p_);
    parameters.field(
        {.name = "a", .help = "switches per group", .bounds = Bounds::from(1, kMostNodesPerSwitch)}, a_);
    global_.describe(parameters, "global links per switch");
  }

  void check(Mistakes& mistakes) const override {
    if (!global_.check(a_, "a * h + 1", mistakes)) return;
    if (radix() > kMostSwitchPorts)
      mistakes.add("network.a", "a switch has " + std::to_string(radix()) + " ports",
                   "p + a - 1 + h must be at most " + std::to_string(kMostSwitchPorts));
    else if (a_ * groups() > kMostNodes || nodes() > kMostNodes || switch_ports() > kMostNetworkPorts)
      mistakes.add("network.g", "a dragonfly of more than " + std::to_string(kMostNodes) + " nodes",
                   "use fewer groups, or smaller ones");
  }

  std::int64_t nodes() const override { return p_ * a_ * groups(); }
  std::int64_t switch_ports() const override { return a_ * groups() * radix(); }

  Graph build(const Link& link) const override {
    const DragonflyShape shape{static_cast<std::uint32_t>(p_), static_cast<std::uint32_t>(a_),
                               static_cast<std::uint32_t>(global_.per_switch()),
                               static_cast<std::uint32_t>(groups()), global_.arrangement()};
    Graph graph = equal_switches(a_ * groups(), radix(), shape.nodes_per_switch, shape, link);
    for (std::uint32_t group = 0; group < shape.groups; ++group) connect_group(graph, shape, group, link);
    GlobalLinks::connect(graph, shape, link, [&](std::uint32_t group, std::uint32_t number) {
      return graph.port(group * shape.switches_per_group + number / shape.global_ports,
                        shape.first_global_port() + number % shape.global_ports);
    });
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

  std::int64_t groups() const { return global_.groups(a_); }
  std::int64_t radix() const { return p_ + a_ - 1 + global_.per_switch(); }

  std::int64_t p_ = 2, a_ = 4;
  GlobalLinks global_;
};

}  // namespace

Entry<Topology> dragonfly() {
  return {"dragonfly", "groups of switches; every two groups are linked, and every two switches of a group",
          "Kim et al., ISCA 2008, section 3", make_entry<Topology, Dragonfly>};
}

}  // namespace headway
