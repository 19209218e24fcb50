// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/link_roles.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "headway/topology/distances.h"

namespace headway {
namespace {

// Stage, or distance from the nodes; and, without stages, number of links. A switch with a link is unlike a
// node, and so are the ends of nodes for scale-up, for other links, and for those of aggregators.
using Kind = std::pair<int, std::uint32_t>;

Kind kind_of_node(const Graph& graph, NodeId node) {
  if (graph.node_of_spec(node) >= graph.nodes_of_spec()) return {-1, 2};
  return {-1, !graph.hosts().none() && graph.hosts().link(node).scale_up ? 1 : 0};
}

std::vector<Kind> kinds_of_switches(const Graph& graph) {
  std::vector<Kind> kinds;
  if (graph.stages() > 0) {
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) kinds.emplace_back(graph.stage_of(sw), 0);
    return kinds;
  }
  const Distances to_nodes =
      breadth_first(graph.switches(), switches_with_nodes(graph, switch_to),
                    [&](SwitchId sw, auto&& visit) { for_each_link_to(graph, sw, visit); });
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    std::uint32_t links = 0;
    for (std::uint32_t local = 0; local < graph.radix(sw); ++local)
      links += graph.peer_of(graph.port(sw, local)) != kNone;
    kinds.emplace_back(static_cast<int>(to_nodes.links[sw]), links);
  }
  return kinds;
}

}  // namespace

LinkRoles::LinkRoles(const Graph& graph) : role_(graph.ports()) {
  const std::vector<Kind> kinds = kinds_of_switches(graph);
  const auto kind_at = [&](PortId port) {
    return graph.is_node_port(port) ? kind_of_node(graph, graph.node_of(port)) : kinds[graph.switch_of(port)];
  };
  std::map<std::pair<Kind, Kind>, std::uint32_t> roles;
  struct OfRate {
    std::size_t links = 0;
    PortId first = kNone;
  };
  std::vector<std::map<Rate, OfRate, std::greater<>>> links_of_rate;  // [role] the fastest rate first
  for (PortId port = 0; port < graph.ports(); ++port) {
    const PortId peer = graph.peer_of(port);
    if (peer == kNone) continue;
    const auto [role, is_new] =
        roles.emplace(std::pair(kind_at(port), kind_at(peer)), static_cast<std::uint32_t>(roles.size()));
    if (is_new) links_of_rate.emplace_back();
    role_[port] = role->second;
    OfRate& of_rate = links_of_rate[role->second][graph.link(port).rate];
    if (of_rate.links++ == 0) of_rate.first = port;
  }
  for (const auto& rates : links_of_rate)
    usual_.push_back(std::ranges::max_element(rates, {}, [](const auto& rate) {
                       return rate.second.links;
                     })->second.first);
}

}  // namespace headway
