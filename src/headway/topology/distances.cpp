// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/distances.h"

#include <algorithm>

namespace headway {

Distances distances_from(const Graph& graph, SwitchId from) {
  return breadth_first(graph.switches(), {from},
                       [&](SwitchId sw, auto&& visit) { for_each_link_from(graph, sw, visit); });
}

Distances distances_to(const Graph& graph, SwitchId to) {
  return breadth_first(graph.switches(), {to},
                       [&](SwitchId sw, auto&& visit) { for_each_link_to(graph, sw, visit); });
}

std::vector<std::uint16_t> ports_nearer(const Graph& graph, SwitchId sw, const Distances& distances) {
  std::vector<std::uint16_t> ports;
  for_each_link_from(graph, sw, [&](PortId output, SwitchId other) {
    if (distances.has_path(other) && distances.links[other] < distances.links[sw])
      ports.push_back(static_cast<std::uint16_t>(graph.local(output)));
  });
  return ports;
}

SwitchId switch_from(const Graph& graph, NodeId node) {
  return graph.switch_of(graph.peer_of(graph.node_port(node)));
}
SwitchId switch_to(const Graph& graph, NodeId node) {
  return graph.switch_of(graph.source_of(graph.node_port(node)));
}

std::vector<NodeId> destinations_apart(const Graph& graph, bool by_switch) {
  std::vector<NodeId> nodes;
  std::vector<bool> has_one(graph.switches());
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const PortId output = graph.source_of(graph.node_port(node));
    if (by_switch && output != kNone) {
      if (has_one[graph.switch_of(output)]) continue;
      has_one[graph.switch_of(output)] = true;
    }
    nodes.push_back(node);
  }
  return nodes;
}

std::vector<SwitchId> switches_with_nodes(const Graph& graph, SwitchId (*of_node)(const Graph&, NodeId)) {
  std::vector<SwitchId> switches;
  for (NodeId node = 0; node < graph.nodes(); ++node) switches.push_back(of_node(graph, node));
  std::ranges::sort(switches);
  switches.erase(std::unique(switches.begin(), switches.end()), switches.end());
  return switches;
}

}  // namespace headway
