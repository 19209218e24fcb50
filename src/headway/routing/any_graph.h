// SPDX-License-Identifier: Apache-2.0
// What the routing functions for any graph share.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "headway/routing/route_table.h"
#include "headway/topology/distances.h"

namespace headway {

// The port of the destination's switch that leads to the destination.
inline PortRange port_to(const Graph& graph, NodeId node) {
  return {static_cast<std::uint16_t>(graph.local(graph.source_of(graph.node_port(node)))), 1};
}

// One path for each switch and destination.
class PathTable {
 public:
  explicit PathTable(const Graph& graph)
      : graph_(graph), candidates_(std::size_t{graph.switches()} * graph.nodes()) {}

  // `output_of`: [switch] the output on its path to the node, or kNone; not read for the node's own switch.
  void set(NodeId node, std::span<const PortId> output_of) {
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      if (output_of[sw] != kNone) at(sw, node) = {static_cast<std::uint16_t>(graph_.local(output_of[sw])), 1};
    at(switch_to(graph_, node), node) = port_to(graph_, node);
  }
  RouteTable routes() && { return RouteTable::from_table(graph_.nodes(), std::move(candidates_)); }

 private:
  PortRange& at(SwitchId sw, NodeId node) { return candidates_[std::size_t{sw} * graph_.nodes() + node]; }

  const Graph& graph_;
  std::vector<PortRange> candidates_;
};

}  // namespace headway
