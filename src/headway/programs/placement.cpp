// SPDX-License-Identifier: Apache-2.0
#include "headway/programs/placement.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "headway/topology/distances.h"

namespace headway {
namespace {

// [node of the spec] the lowest node of its rack: nodes of one server, or with NICs at one leaf switch.
std::vector<std::uint32_t> racks_of(const Graph& graph) {
  const std::vector<std::uint32_t> servers = servers_of(graph);
  std::vector<std::uint32_t> leads_to(graph.nodes_of_spec());  // towards the lowest node
  std::iota(leads_to.begin(), leads_to.end(), 0U);
  const auto lowest = [&](std::uint32_t node) {
    while (leads_to[node] != node) node = leads_to[node] = leads_to[leads_to[node]];
    return node;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t of_a = lowest(a), of_b = lowest(b);
    leads_to[std::max(of_a, of_b)] = std::min(of_a, of_b);
  };
  std::map<SwitchId, NodeId> first_at;  // a node of each leaf switch
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const NodeId of_spec = graph.node_of_spec(node);
    join(of_spec, servers[of_spec]);
    if (!graph.hosts().none() && graph.hosts().link(node).scale_up) continue;
    join(of_spec, first_at.emplace(switch_from(graph, node), of_spec).first->second);
  }
  for (std::uint32_t& node : leads_to) node = lowest(node);
  return leads_to;
}

// The rail of the first link that has one.
std::uint32_t rail_of(const Graph& graph, NodeId node_of_spec) {
  const Hosts& hosts = graph.hosts();
  if (hosts.none()) return kNone;
  for (NodeId node = hosts.home(node_of_spec); node < hosts.home(node_of_spec + 1); ++node)
    if (hosts.link(node).rail != kNone) return hosts.link(node).rail;
  return kNone;
}

template <class T>
void shuffle(std::vector<T>& items, Rng& rng) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[rng.below(static_cast<std::uint32_t>(left))]);
}

// Gives the groups new numbers, which are in a random order.
void shuffle_groups(std::vector<std::uint32_t>& group_of, Rng& rng) {
  std::vector<std::uint32_t> groups = group_of;
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  const std::vector<std::uint32_t> before = groups;
  shuffle(groups, rng);
  for (std::uint32_t& group : group_of)
    group = groups[static_cast<std::size_t>(std::ranges::lower_bound(before, group) - before.begin())];
}

}  // namespace

std::vector<std::uint32_t> servers_of(const Graph& graph) {
  std::vector<std::uint32_t> servers(graph.nodes_of_spec());
  std::iota(servers.begin(), servers.end(), 0U);
  if (graph.hosts().none()) return servers;
  std::map<std::uint32_t, std::uint32_t> first_in;  // a node of each network
  for (NodeId node = graph.nodes(); node-- > 0;) {
    const HostLink& link = graph.hosts().link(node);
    if (link.scale_up) first_in[link.network] = graph.node_of_spec(node);
  }
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const HostLink& link = graph.hosts().link(node);
    std::uint32_t& server = servers[graph.node_of_spec(node)];
    if (link.scale_up) server = std::min(server, first_in[link.network]);
  }
  return servers;
}

std::vector<NodeId> placed(std::vector<NodeId> nodes, Placement placement, const Graph& graph, Rng rng) {
  if (placement == Placement::linear) return nodes;
  if (placement == Placement::random) {
    shuffle(nodes, rng);
    return nodes;
  }
  std::vector<std::uint32_t> group_of;  // [node of the spec]
  if (placement == Placement::server || placement == Placement::random_server) group_of = servers_of(graph);
  if (placement == Placement::random_server) shuffle_groups(group_of, rng);
  if (placement == Placement::rack) group_of = racks_of(graph);
  if (group_of.empty())
    for (NodeId node = 0; node < graph.nodes_of_spec(); ++node)
      group_of.push_back(placement == Placement::rail ? rail_of(graph, node)
                                                      : switch_from(graph, graph.home(node)));
  std::map<std::uint32_t, std::uint32_t> taken;  // nodes of a group so far
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, NodeId>> order;
  for (const NodeId node : nodes) {
    const std::uint32_t group = group_of[node], turn = taken[group]++;
    order.push_back(
        {placement == Placement::round_robin ? std::pair(turn, group) : std::pair(group, turn), node});
  }
  std::ranges::stable_sort(order, {}, [](const auto& place) { return place.first; });
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = order[i].second;
  return nodes;
}

}  // namespace headway
