// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/around_failures.h"

#include <algorithm>
#include <utility>

#include "headway/base/error.h"
#include "headway/routing/any_graph.h"
#include "headway/routing/port_sets.h"
#include "headway/routing/routes.h"
#include "headway/topology/distances.h"

namespace headway {
namespace {

// [switch] the ports that lead to the nodes of a leaf; none at the leaf itself.
void find_ports(const Graph& graph, const TreeShape& tree, SwitchId leaf,
                std::vector<std::vector<std::uint16_t>>& ports) {
  for (auto& of_switch : ports) of_switch.clear();
  std::vector<bool> reaches(graph.switches());
  reaches[leaf] = true;
  const auto collect = [&](std::uint32_t stage, bool down) {
    const std::uint32_t first = down ? 0 : tree.down_ports(stage);
    const std::uint32_t end = down ? tree.down_ports(stage) : first + tree.up_ports(stage);
    for (SwitchId sw = tree.first_switch(stage); sw < tree.first_switch(stage + 1); ++sw) {
      if (reaches[sw]) continue;
      for (std::uint32_t local = first; local < end; ++local) {
        const PortId input = graph.peer_of(graph.port(sw, local));
        if (input != kNone && !graph.is_node_port(input) && reaches[graph.switch_of(input)])
          ports[sw].push_back(static_cast<std::uint16_t>(local));
      }
    }
    for (SwitchId sw = tree.first_switch(stage); sw < tree.first_switch(stage + 1); ++sw)
      if (!ports[sw].empty()) reaches[sw] = true;
  };
  for (std::uint32_t stage = 1; stage < tree.stages(); ++stage) collect(stage, true);
  for (std::uint32_t stage = tree.stages() - 1; stage-- > 0;) collect(stage, false);
}

RouteTable one_path_around_failures(const Graph& graph) {
  const auto& shape = std::get<TreeShape>(graph.shape());
  const TreeRoutes formula(shape, one_candidate(shape));
  std::vector<PortRange> candidates(std::size_t{graph.switches()} * graph.nodes());
  std::vector<std::vector<std::uint16_t>> ports(graph.switches());
  std::vector<std::vector<NodeId>> nodes_at(shape.first_switch(1));
  for (NodeId node = 0; node < graph.nodes(); ++node) nodes_at[switch_from(graph, node)].push_back(node);
  for (SwitchId leaf = 0; leaf < nodes_at.size(); ++leaf) {
    if (nodes_at[leaf].empty()) continue;
    find_ports(graph, shape, leaf, ports);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      for (const NodeId node : nodes_at[leaf]) {
        PortRange& range = candidates[std::size_t{sw} * graph.nodes() + node];
        if (sw == leaf)
          range = formula.at(sw, node);
        else if (!ports[sw].empty())
          range = {ports[sw][formula.way(sw, node) % ports[sw].size()], 1};
      }
  }
  return RouteTable::from_table(graph.nodes(), std::move(candidates));
}

RouteTable all_paths_around_failures(const Graph& graph) {
  LeafTable table(graph);
  PortSets sets;
  std::vector<std::vector<std::uint16_t>> ports(graph.switches());
  for (std::uint32_t leaf = 0; leaf < table.leaves().size(); ++leaf) {
    find_ports(graph, std::get<TreeShape>(graph.shape()), table.leaves()[leaf], ports);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      const auto set = sets.range_of(ports[sw]);
      if (!set)
        throw SpecError("network.failures", "these links leave too many different sets of paths",
                        "routing.algorithm = \"det\" uses one of them");
      table.at(sw, leaf) = *set;
    }
  }
  return std::move(table).routes(sets.ports(), /*per_pair=*/false);
}

}  // namespace

RouteTable tree_around_failures(const Graph& graph, bool by_destination) {
  return by_destination ? one_path_around_failures(graph) : all_paths_around_failures(graph);
}

}  // namespace headway
