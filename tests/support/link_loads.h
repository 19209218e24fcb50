// SPDX-License-Identifier: Apache-2.0
// How much traffic the links between switches can carry: over the routes of a routing, with packets divided
// among their paths evenly or as well as possible, or over any paths.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "headway/routing/routes.h"
#include "headway/topology/graph.h"

namespace headway::test {

// Packets from a node at a switch, as a part of what the node sends.
struct Demand {
  SwitchId from;
  NodeId node;
  double amount;
};
std::vector<Demand> to_all_others(const Graph& graph);
// To the nodes of the next group of so many nodes.
std::vector<Demand> to_next_group(const Graph& graph, NodeId size);

// Loads of nodes at which the busiest link is busy all the time, at most 1.
class LinkLoads {
 public:
  LinkLoads(Graph graph, Routes routes);

  // Packets share candidates evenly and, with detours, waypoints.
  double of_counted_paths(const std::vector<Demand>& demands);

  // The largest one over all ways to divide the packets among their paths: a linear program, solved within
  // two percent by prices that grow with the loads of links (Garg and Könemann, SIAM J. Computing 37(2),
  // 2007).
  double best(const std::vector<Demand>& demands);

 private:
  using State = std::tuple<SwitchId, std::uint32_t, NodeId>;  // switch, waypoint, destination

  std::uint32_t part(SwitchId sw) const { return routes_.detours->waypoint_of[sw]; }
  std::vector<std::uint32_t> waypoints_of(const Demand& demand) const;
  std::vector<PortId> outputs(SwitchId sw, std::uint32_t via, NodeId node) const;
  SwitchId behind(PortId output) const { return graph_.switch_of(graph_.peer_of(output)); }
  std::uint32_t left(std::uint32_t via, SwitchId sw) const {
    return via != kNone && part(sw) == via ? kNone : via;
  }
  bool is_between_switches(PortId output) const;
  void spread(SwitchId sw, std::uint32_t via, NodeId node, double amount);
  std::pair<double, PortId> cheapest(SwitchId sw, std::uint32_t via, NodeId node);
  void take_cheapest(const Demand& demand);

  Graph graph_;
  Routes routes_;
  std::vector<double> price_, load_;  // [output]
  std::map<State, std::pair<double, PortId>> cheapest_;
};

// The maximum flow from the first half of the nodes to the second half, for each node, at most 1.
double flow_between_halves(const Graph& graph);

}  // namespace headway::test
