// SPDX-License-Identifier: Apache-2.0
// Which links packets may cross, and which share of them crosses each: the only place that says so for
// verdicts, bounds and fair shares. It follows the rules of the engine (engine/next_hop.h).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "headway/engine/network.h"

namespace headway {

// What is known of the routes before a run.
enum class RouteKnowledge : std::uint8_t {
  by_destination,  // a switch spreads the packets for a destination evenly over its candidates
  by_pair,         // the source determines the candidate, too
  by_waypoint,     // every packet goes by a random waypoint first (Valiant)
  only_bounds,     // packets choose by the state of the network
};
// `selects`: a selection function chooses among candidates.
RouteKnowledge knowledge_of(const Routes& routes, bool selects);

// Carries amounts of traffic from switches along the candidates of a table, which lead to one destination or
// waypoint. The work is proportional to the number of links on the way.
class Carrier {
 public:
  explicit Carrier(const Graph& graph);

  void add(SwitchId sw, double amount) {
    if (amount_[sw] == 0) starts_.push_back(sw);
    amount_[sw] += amount;
  }
  // `to`: the destination or waypoint in the table. `at(sw)` gives the candidates at a switch; none where the
  // way ends. Calls crosses(output, amount) for
  // every link, and ends(sw, amount) where the way ends before a node. Then nothing is left to carry.
  template <class At, class Crosses, class Ends>
  void carry(const RouteTable& table, std::uint32_t to, At&& at, Crosses&& crosses, Ends&& ends);

 private:
  struct Visit {
    SwitchId sw;
    std::uint32_t next;  // candidate to look behind
  };
  template <class At>
  void open(SwitchId sw, At&& at) {
    visited_[sw] = round_;
    candidates_[sw] = at(sw);
    path_.push_back({sw, 0});
  }

  std::vector<PortId> first_port_;      // [switch]
  std::vector<SwitchId> next_switch_;   // [switch port] behind the link; kNone: a node, or no link
  std::vector<double> amount_;          // [switch]
  std::vector<std::uint32_t> visited_;  // [switch] round in which it was last visited
  std::vector<PortRange> candidates_;   // [switch] of this round
  std::vector<SwitchId> starts_, order_;
  std::vector<Visit> path_;
  std::uint32_t round_ = 0;
};

template <class At, class Crosses, class Ends>
void Carrier::carry(const RouteTable& table, std::uint32_t to, At&& at, Crosses&& crosses, Ends&& ends) {
  ++round_;
  for (const SwitchId start : starts_) {
    if (visited_[start] == round_) continue;
    open(start, at);
    while (!path_.empty()) {  // depth first: a switch comes after all switches behind it
      Visit& visit = path_.back();
      const PortRange range = candidates_[visit.sw];
      if (visit.next == range.count) {
        order_.push_back(visit.sw);
        path_.pop_back();
        continue;
      }
      const SwitchId behind =
          next_switch_[first_port_[visit.sw] + table.port(visit.sw, to, range, visit.next++)];
      if (behind != kNone && visited_[behind] != round_) open(behind, at);
    }
  }
  for (; !order_.empty(); order_.pop_back()) {
    const SwitchId sw = order_.back();
    const double here = std::exchange(amount_[sw], 0);
    const PortRange range = candidates_[sw];
    if (range.count == 0) ends(sw, here);
    for (std::uint32_t c = 0; c < range.count; ++c) {
      const PortId output = first_port_[sw] + table.port(sw, to, range, c);
      crosses(output, here / range.count);
      if (next_switch_[output] != kNone) amount_[next_switch_[output]] += here / range.count;
    }
  }
  starts_.clear();
}

class PacketRoutes {
 public:
  explicit PacketRoutes(const Network& network);

  RouteKnowledge knowledge() const { return knowledge_; }
  bool known() const { return knowledge_ != RouteKnowledge::only_bounds; }
  // Returns true if routes to the nodes of a switch are the same up to this switch, and demand is carried so.
  bool by_switch() const {
    return knowledge_ != RouteKnowledge::by_pair && network_.routes.table.carries_by_switch();
  }
  const Network& network() const { return network_; }
  // The switch that a node sends to, and the one that delivers to it.
  SwitchId switch_from(NodeId node) const { return switch_from_[node]; }
  SwitchId switch_to(NodeId node) const { return switch_to_[node]; }

  // Carry what was added to the carrier: all of it from this source, if the routes are by pair.
  template <class Crosses>
  void to_destination(Carrier& carrier, NodeId source, NodeId destination, Crosses&& crosses) const {
    const RouteTable& table = network_.routes.table;
    const auto nothing = [](SwitchId, double) {};
    if (knowledge_ == RouteKnowledge::by_pair)
      carrier.carry(
          table, destination, [&](SwitchId sw) { return table.of_pair(sw, source, destination); }, crosses,
          nothing);
    else
      carrier.carry(
          table, destination, [&](SwitchId sw) { return table.at(sw, destination); }, crosses, nothing);
  }
  // Calls arrives(switch of the waypoint, amount).
  template <class Crosses, class Arrives>
  void to_waypoint(Carrier& carrier, std::uint32_t waypoint, Crosses&& crosses, Arrives&& arrives) const {
    const Detours& detours = *network_.routes.detours;
    carrier.carry(
        detours.to_waypoint, waypoint,
        [&](SwitchId sw) {
          return detours.waypoint_of[sw] == waypoint ? PortRange{} : detours.to_waypoint.at(sw, waypoint);
        },
        crosses, arrives);
  }

  // Calls crosses(output, share) for the links of a pair's packets, also those of the nodes; for some links
  // several times. The routes must be known.
  template <class Crosses>
  void visit(Carrier& carrier, NodeId source, NodeId destination, Crosses&& crosses) const {
    crosses(network_.graph.node_port(source), 1.0);
    const SwitchId from = switch_from(source);
    if (!takes_waypoint(from, switch_to(destination))) {
      carrier.add(from, 1.0);
      return to_destination(carrier, source, destination, crosses);
    }
    std::vector<std::pair<SwitchId, double>> entries;
    for (std::uint32_t waypoint = 0; waypoint < waypoints(); ++waypoint) {
      if (waypoint == part(from) || waypoint == part(switch_to(destination))) continue;
      carrier.add(from, 1.0 / drawn_waypoints());
      to_waypoint(carrier, waypoint, crosses,
                  [&](SwitchId sw, double amount) { entries.emplace_back(sw, amount); });
    }
    for (const auto& [sw, amount] : entries) carrier.add(sw, amount);
    to_destination(carrier, source, destination, crosses);
  }

  // For Valiant's routes: the part of a switch, and how many parts are drawn from.
  std::uint32_t waypoints() const { return network_.routes.detours->waypoints; }
  std::uint32_t part(SwitchId sw) const { return network_.routes.detours->waypoint_of[sw]; }
  double drawn_waypoints() const { return waypoints() - 2; }
  bool takes_waypoint(SwitchId from, SwitchId to) const {
    return knowledge_ == RouteKnowledge::by_waypoint && part(from) != part(to);
  }

 private:
  const Network& network_;
  RouteKnowledge knowledge_;
  std::vector<SwitchId> switch_from_, switch_to_;  // [node]
};

}  // namespace headway
