// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/levels.h"

#include <utility>

#include "headway/topology/distances.h"

namespace headway {

Levels levels_of(const Graph& graph) {
  std::vector<SwitchId> of_nodes;
  for (NodeId node = 0; node < graph.nodes(); ++node) of_nodes.push_back(switch_to(graph, node));
  Distances distances = breadth_first(graph.switches(), of_nodes,
                                      [&](SwitchId sw, auto&& visit) { for_each_link_to(graph, sw, visit); });
  Levels levels{std::move(distances.links), {}, {}};
  for (const SwitchId sw : distances.order) {
    bool is_top = true;
    for_each_link_from(graph, sw, [&](PortId output, SwitchId other) {
      is_top &= levels.of[other] < levels.of[sw];
      if (levels.of[other] == levels.of[sw] && !levels.within) levels.within = output;
    });
    if (is_top) levels.tops.push_back(sw);
  }
  return levels;
}

}  // namespace headway
