// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/distances.h"

#include <algorithm>

namespace headway {
namespace {

template <class ForEachLink>
Distances search(const Graph& graph, SwitchId root, ForEachLink&& for_each_link) {
  Distances result = {std::vector<std::uint32_t>(graph.switches(), kNone), {root}};
  result.links[root] = 0;
  for (std::size_t i = 0; i < result.order.size(); ++i)
    for_each_link(graph, result.order[i], [&](PortId, SwitchId other) {
      if (result.has_path(other)) return;
      result.links[other] = result.links[result.order[i]] + 1;
      result.order.push_back(other);
    });
  return result;
}

}  // namespace

Distances distances_from(const Graph& graph, SwitchId from) {
  return search(graph, from,
                [](const Graph& g, SwitchId sw, auto&& visit) { for_each_link_from(g, sw, visit); });
}

Distances distances_to(const Graph& graph, SwitchId to) {
  return search(graph, to, [](const Graph& g, SwitchId sw, auto&& visit) { for_each_link_to(g, sw, visit); });
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

std::vector<SwitchId> switches_with_nodes(const Graph& graph, SwitchId (*of_node)(const Graph&, NodeId)) {
  std::vector<SwitchId> switches;
  for (NodeId node = 0; node < graph.nodes(); ++node) switches.push_back(of_node(graph, node));
  std::ranges::sort(switches);
  switches.erase(std::unique(switches.begin(), switches.end()), switches.end());
  return switches;
}

}  // namespace headway
