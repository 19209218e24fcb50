// SPDX-License-Identifier: Apache-2.0
#include "tests/support/link_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headway/topology/distances.h"

namespace headway::test {

std::vector<Demand> to_all_others(const Graph& graph) {
  std::vector<Demand> demands;
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (node != source) demands.push_back({switch_from(graph, source), node, 1.0 / (graph.nodes() - 1)});
  return demands;
}

std::vector<Demand> to_next_group(const Graph& graph, NodeId size) {
  std::vector<Demand> demands;
  for (NodeId source = 0; source < graph.nodes(); ++source)
    for (NodeId i = 0; i < size; ++i) {
      const NodeId first = (source / size + 1) % (graph.nodes() / size) * size;
      demands.push_back({switch_from(graph, source), first + i, 1.0 / size});
    }
  return demands;
}

LinkLoads::LinkLoads(Graph graph, Routes routes)
    : graph_(std::move(graph)),
      routes_(std::move(routes)),
      price_(graph_.switch_ports(), 1),
      load_(graph_.switch_ports()) {}

double LinkLoads::of_counted_paths(const std::vector<Demand>& demands) {
  std::ranges::fill(load_, 0);
  for (const Demand& demand : demands) {
    const std::vector<std::uint32_t> waypoints = waypoints_of(demand);
    if (waypoints.empty()) spread(demand.from, kNone, demand.node, demand.amount);
    for (const std::uint32_t via : waypoints)
      spread(demand.from, via, demand.node, demand.amount / static_cast<double>(waypoints.size()));
  }
  return 1 / std::max(1.0, std::ranges::max(load_));
}

// Every round sends all packets over the paths that are cheapest at the prices of the round. Prices grow with
// the mean load over all rounds.
double LinkLoads::best(const std::vector<Demand>& demands) {
  constexpr int kRounds = 200;
  std::vector<double> mean(load_.size());
  double least = std::numeric_limits<double>::infinity();
  std::ranges::fill(price_, 1);
  for (int round = 0; round < kRounds; ++round) {
    std::ranges::fill(load_, 0);
    cheapest_.clear();
    for (const Demand& demand : demands) take_cheapest(demand);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += (load_[i] - mean[i]) / (round + 1);
    least = std::min(least, std::ranges::max(mean));
    if (least <= 1) break;
    for (std::size_t i = 0; i < mean.size(); ++i)
      price_[i] = std::exp((20 + round) * (mean[i] / std::ranges::max(mean) - 1));
  }
  return 1 / std::max(1.0, least);
}

std::vector<std::uint32_t> LinkLoads::waypoints_of(const Demand& demand) const {
  std::vector<std::uint32_t> result;
  if (!routes_.detours) return result;
  const std::uint32_t from = part(demand.from), to = part(switch_to(graph_, demand.node));
  for (std::uint32_t via = 0; via < routes_.detours->waypoints; ++via)
    if (from != to && via != from && via != to) result.push_back(via);
  return result;
}

// At a switch towards a waypoint or, with none, a node; none at its switch.
std::vector<PortId> LinkLoads::outputs(SwitchId sw, std::uint32_t via, NodeId node) const {
  std::vector<PortId> result;
  if (via == kNone && sw == switch_to(graph_, node)) return result;
  const RouteTable& table = via == kNone ? routes_.table : routes_.detours->to_waypoint;
  const std::uint32_t to = via == kNone ? node : via;
  const PortRange range = table.at(sw, to);
  for (std::uint32_t i = 0; i < range.count; ++i)
    result.push_back(graph_.port(sw, table.port(sw, to, range, i)));
  return result;
}

bool LinkLoads::is_between_switches(PortId output) const {
  const PortId input = graph_.peer_of(output);
  return input != kNone && !graph_.is_node_port(input);
}

void LinkLoads::spread(SwitchId sw, std::uint32_t via, NodeId node, double amount) {
  const std::vector<PortId> ports = outputs(sw, via, node);
  const double each = amount / static_cast<double>(ports.size());
  for (const PortId output : ports) {
    load_[output] += each;
    spread(behind(output), left(via, behind(output)), node, each);
  }
}

std::pair<double, PortId> LinkLoads::cheapest(SwitchId sw, std::uint32_t via, NodeId node) {
  if (const auto known = cheapest_.find({sw, via, node}); known != cheapest_.end()) return known->second;
  std::pair<double, PortId> least = {0, kNone};
  for (const PortId output : outputs(sw, via, node)) {
    const double price = price_[output] + cheapest(behind(output), left(via, behind(output)), node).first;
    if (least.second == kNone || price < least.first) least = {price, output};
  }
  return cheapest_[{sw, via, node}] = least;
}

void LinkLoads::take_cheapest(const Demand& demand) {
  std::pair<double, std::uint32_t> least = {cheapest(demand.from, kNone, demand.node).first, kNone};
  for (const std::uint32_t via : waypoints_of(demand))
    least = std::min(least, std::pair{cheapest(demand.from, via, demand.node).first, via});
  SwitchId sw = demand.from;
  for (std::uint32_t via = least.second;;) {
    const PortId output = cheapest(sw, via, demand.node).second;
    if (output == kNone) return;
    load_[output] += demand.amount;
    sw = behind(output);
    via = left(via, sw);
  }
}

// By augmenting paths (Edmonds and Karp). The links of all nodes have the capacity of the others, 1.
double flow_between_halves(const Graph& graph) {
  const NodeId half = graph.nodes() / 2;
  std::vector<std::int64_t> to_send(graph.switches()), to_get(graph.switches()),
      room(graph.switch_ports(), 1);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    ++(node < half ? to_send[switch_from(graph, node)] : to_get[switch_to(graph, node)]);
  for (std::int64_t flow = 0;; ++flow) {
    std::vector<SwitchId> order;
    std::vector<PortId> came_by(graph.switches(), kNone);  // negated: back over a link that is in use
    std::vector<bool> seen(graph.switches()), back(graph.switches());
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      if (to_send[sw] > 0) seen[sw] = true, order.push_back(sw);
    SwitchId end = kNone;
    for (std::size_t i = 0; i < order.size() && end == kNone; ++i) {
      const SwitchId sw = order[i];
      if (to_get[sw] > 0) end = sw;
      const auto reach = [&](PortId output, SwitchId next, bool goes_back) {
        if (seen[next] || room[output] != (goes_back ? 0 : 1)) return;
        seen[next] = true;
        came_by[next] = output;
        back[next] = goes_back;
        order.push_back(next);
      };
      for_each_link_from(graph, sw, [&](PortId output, SwitchId next) { reach(output, next, false); });
      for_each_link_to(graph, sw, [&](PortId output, SwitchId from) { reach(output, from, true); });
    }
    if (end == kNone) return std::min(1.0, static_cast<double>(flow) / half);
    --to_get[end];
    while (came_by[end] != kNone) {
      const PortId output = came_by[end];
      room[output] = back[end] ? 1 : 0;
      end = back[end] ? graph.switch_of(graph.peer_of(output)) : graph.switch_of(output);
    }
    --to_send[end];
  }
}

}  // namespace headway::test
