// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/parts.h"

#include <algorithm>
#include <utility>

namespace headway {

Graph equal_switches(std::int64_t switches, std::int64_t radix, std::uint32_t per_switch, Shape shape,
                     const Link& link) {
  const auto count = static_cast<SwitchId>(switches);
  Graph graph(count * per_switch, std::vector<std::uint32_t>(count, static_cast<std::uint32_t>(radix)),
              std::move(shape));
  for (NodeId node = 0; node < graph.nodes(); ++node)
    graph.connect(graph.node_port(node), graph.port(node / per_switch, node % per_switch), link);
  return graph;
}

bool check_sides(const std::vector<std::int64_t>& sides, Mistakes& mistakes) {
  constexpr std::size_t kMostDimensions = 8;
  if (!sides.empty() && sides.size() <= kMostDimensions) return true;
  mistakes.add("network.sides", std::to_string(sides.size()) + " dimensions",
               "give one number per dimension, for 1 to " + std::to_string(kMostDimensions) + " dimensions");
  return false;
}

std::int64_t switches_of_grid(const std::vector<std::int64_t>& sides) {
  std::int64_t result = 1;
  for (const std::int64_t side : sides) result = std::min(result * side, kMostNodes + 1);
  return result;
}

}  // namespace headway
