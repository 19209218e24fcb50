// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/paths_left.h"

namespace headway {

std::optional<std::pair<NodeId, NodeId>> pair_without_path(const Graph& graph, const RouteTable& table) {
  SwitchId before = kNone;
  for (NodeId source = 0; source < graph.nodes(); ++source) {
    if (const SwitchId sw = switch_from(graph, source); std::exchange(before, sw) == sw) continue;
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (!has_path(graph, table, source, node)) return std::pair(source, node);
  }
  return std::nullopt;
}

}  // namespace headway
