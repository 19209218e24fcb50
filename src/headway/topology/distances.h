// SPDX-License-Identifier: Apache-2.0
// Shortest ways between switches, searched breadth first over the links that work.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

// Links that leave a switch, and links that lead to it; those of nodes are left out. Visits (output, the
// switch at the other end).
template <class Visit>
void for_each_link_from(const Graph& graph, SwitchId sw, Visit&& visit) {
  for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
    const PortId output = graph.port(sw, local), input = graph.peer_of(output);
    if (input != kNone && !graph.is_node_port(input)) visit(output, graph.switch_of(input));
  }
}
template <class Visit>
void for_each_link_to(const Graph& graph, SwitchId sw, Visit&& visit) {
  for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
    const PortId output = graph.source_of(graph.port(sw, local));
    if (output != kNone && !graph.is_node_port(output)) visit(output, graph.switch_of(output));
  }
}

struct Distances {
  std::vector<std::uint32_t> links;  // [switch] of a shortest way; kNone: there is none
  std::vector<SwitchId> order;       // the switches that have one, nearest first

  bool has_way(SwitchId sw) const { return links[sw] != kNone; }
  std::uint32_t farthest() const { return links[order.back()]; }
};
Distances distances_from(const Graph& graph, SwitchId from);
Distances distances_to(const Graph& graph, SwitchId to);

// The ports of a switch that begin its shortest ways, of `distances` to a switch.
std::vector<std::uint16_t> ports_nearer(const Graph& graph, SwitchId sw, const Distances& distances);

// The switch to which a node sends, and the one that delivers to it. They differ in networks of one-way
// links.
SwitchId switch_from(const Graph& graph, NodeId node);
SwitchId switch_to(const Graph& graph, NodeId node);

}  // namespace headway
