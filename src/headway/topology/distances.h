// SPDX-License-Identifier: Apache-2.0
// Shortest paths between switches, found by breadth-first search over the working links.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/work_scope.h"
#include "headway/topology/graph.h"

namespace headway {

// Visit the links from a switch and the links to a switch, without the links of nodes: visit(output, switch
// at the other end).
template <class Visit>
void for_each_link_from(const Graph& graph, SwitchId sw, Visit&& visit) {
  count_work(graph.radix(sw));
  for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
    const PortId output = graph.port(sw, local), input = graph.peer_of(output);
    if (input != kNone && !graph.is_node_port(input)) visit(output, graph.switch_of(input));
  }
}
template <class Visit>
void for_each_link_to(const Graph& graph, SwitchId sw, Visit&& visit) {
  count_work(graph.radix(sw));
  for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
    const PortId output = graph.source_of(graph.port(sw, local));
    if (output != kNone && !graph.is_node_port(output)) visit(output, graph.switch_of(output));
  }
}

struct Distances {
  std::vector<std::uint32_t> links;  // [switch] number of links of a shortest path; kNone: no path
  std::vector<SwitchId> order;       // the switches with a path, nearest first

  bool has_path(SwitchId sw) const { return links[sw] != kNone; }
  std::uint32_t farthest() const { return links[order.back()]; }
};
// Breadth-first search. for_each_link(switch, visit) calls visit(output, next switch).
template <class ForEachLink>
Distances breadth_first(std::uint32_t switches, const std::vector<SwitchId>& roots,
                        ForEachLink&& for_each_link) {
  Distances result = {std::vector<std::uint32_t>(switches, kNone), {}};
  const auto reach = [&](SwitchId sw, std::uint32_t links) {
    if (result.has_path(sw)) return;
    result.links[sw] = links;
    result.order.push_back(sw);
  };
  for (const SwitchId root : roots) reach(root, 0);
  for (std::size_t i = 0; i < result.order.size(); ++i) {
    const SwitchId sw = result.order[i];
    for_each_link(sw, [&](PortId, SwitchId next) { reach(next, result.links[sw] + 1); });
  }
  return result;
}
Distances distances_from(const Graph& graph, SwitchId from);
Distances distances_to(const Graph& graph, SwitchId to);

// The ports of `sw` on its shortest paths to the switch that `distances` was computed to.
std::vector<std::uint16_t> ports_nearer(const Graph& graph, SwitchId sw, const Distances& distances);

// The switch that a node sends to, and the switch that delivers to it. They can differ in networks with
// one-way links.
SwitchId switch_from(const Graph& graph, NodeId node);
SwitchId switch_to(const Graph& graph, NodeId node);

// One node for each switch that delivers to nodes, its first; with `by_switch` = false, all nodes.
std::vector<NodeId> destinations_apart(const Graph& graph, bool by_switch);

// The switches that `of_node`, one of the two functions above, gives for the nodes, in ascending order.
std::vector<SwitchId> switches_with_nodes(const Graph& graph, SwitchId (*of_node)(const Graph&, NodeId));

}  // namespace headway
