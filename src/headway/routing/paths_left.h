// SPDX-License-Identifier: Apache-2.0
// The pairs of nodes that a routing connects after failures. For other pairs, its table has no candidates.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "headway/routing/route_table.h"
#include "headway/topology/distances.h"

namespace headway {

inline bool has_path(const Graph& graph, const RouteTable& table, NodeId source, NodeId destination) {
  return table.at(switch_from(graph, source), destination).count > 0;
}

// The first source, and its first destination, without a path between them. Between links of nodes in
// different networks there is none in any case.
inline std::optional<std::pair<NodeId, NodeId>> pair_without_path(const Graph& graph,
                                                                  const RouteTable& table) {
  const std::vector<NodeId> destinations = destinations_apart(graph, table.by_switch());
  SwitchId before = kNone;
  for (NodeId source = 0; source < graph.nodes(); ++source) {
    if (const SwitchId sw = switch_from(graph, source); std::exchange(before, sw) == sw) continue;
    for (const NodeId node : destinations)
      if (!has_path(graph, table, source, node) && graph.are_in_one_network(source, node))
        return std::pair(source, node);
  }
  return std::nullopt;
}

// The paths that are left, as an object that shares ownership of the graph and the table.
class PathsLeft {
 public:
  PathsLeft(std::shared_ptr<const Graph> graph, RouteTable table)
      : graph_(std::move(graph)), table_(std::move(table)), all_(!pair_without_path(*graph_, table_)) {}

  std::uint32_t nodes() const { return graph_->nodes(); }
  bool has_all() const { return all_; }  // paths from every node to every other one
  // All nodes that send to the same switch have the same paths.
  SwitchId switch_of(NodeId source) const { return switch_from(*graph_, source); }
  bool has_path(NodeId source, NodeId destination) const {
    return headway::has_path(*graph_, table_, source, destination);
  }

 private:
  std::shared_ptr<const Graph> graph_;
  RouteTable table_;
  bool all_;
};

}  // namespace headway
