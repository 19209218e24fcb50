// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/levels.h"

#include "headway/topology/distances.h"

namespace headway {

Levels levels_of(const Graph& graph) {
  Levels levels{std::vector<std::uint32_t>(graph.switches(), kNone), {}, {}};
  std::vector<SwitchId> order;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (const SwitchId sw = switch_to(graph, node); levels.of[sw] == kNone) {
      levels.of[sw] = 0;
      order.push_back(sw);
    }
  for (std::size_t i = 0; i < order.size(); ++i)
    for_each_link_to(graph, order[i], [&](PortId, SwitchId other) {
      if (levels.of[other] != kNone) return;
      levels.of[other] = levels.of[order[i]] + 1;
      order.push_back(other);
    });
  for (const SwitchId sw : order) {
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
