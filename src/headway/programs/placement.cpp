// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/placement.h"

#include <algorithm>
#include <map>
#include <utility>

#include "headway/topology/distances.h"

namespace headway {

std::vector<NodeId> placed(std::vector<NodeId> nodes, Placement placement, const Graph& graph, Rng rng) {
  if (placement == Placement::linear) return nodes;
  if (placement == Placement::random) {
    for (std::size_t left = nodes.size(); left > 1; --left)
      std::swap(nodes[left - 1], nodes[rng.below(static_cast<std::uint32_t>(left))]);
    return nodes;
  }
  std::map<SwitchId, std::uint32_t> taken;  // nodes of a leaf switch so far
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, NodeId>> order;
  for (const NodeId node : nodes) {
    const SwitchId leaf = switch_from(graph, node);
    const std::uint32_t turn = taken[leaf]++;
    order.push_back(
        {placement == Placement::round_robin ? std::pair(turn, leaf) : std::pair(leaf, turn), node});
  }
  std::ranges::stable_sort(order, {}, [](const auto& place) { return place.first; });
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = order[i].second;
  return nodes;
}

}  // namespace headway
