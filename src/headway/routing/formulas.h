// SPDX-License-Identifier: Apache-2.0
// Routes of regular networks by formula: at(switch, destination) -> output ports. Destinations are nodes or
// waypoints. by_switch(): see RouteTable::by_switch().
#pragma once

#include <cstdint>
#include <vector>

#include "headway/base/divisor.h"
#include "headway/base/ids.h"
#include "headway/base/shared_vector.h"
#include "headway/routing/port_range.h"
#include "headway/topology/graph.h"

namespace headway {

// The places of switches along one dimension of a grid.
class GridPlaces {
 public:
  GridPlaces(const std::vector<std::uint32_t>& sides, std::uint32_t dimension);
  std::uint32_t place(SwitchId sw) const {
    const std::uint32_t from_here = stride_divisor_.quotient(sw);
    return from_here - side_divisor_.quotient(from_here) * side_;
  }
  std::uint32_t side() const { return side_; }

 private:
  Divisor side_divisor_;
  Divisor stride_divisor_;  // switches between neighbours
  std::uint32_t side_ = 0;
};

// The number by which a destination determines one of parallel links. Destinations whose packets meet at such
// links have different places at their switches, or differ in some dimensions. The parity of their own
// numbers is often that of the one dimension in which they are the same.
template <class Dimensions>
std::uint32_t number_among_parallel(const Dimensions& dimensions, SwitchId to, std::uint32_t node,
                                    std::uint32_t nodes_per_switch) {
  std::uint32_t sum = 0;
  for (const auto& dimension : dimensions) sum += dimension.places.place(to);
  return node + sum * nodes_per_switch;
}

// Grids: along the dimensions in the given order, in a torus in the shorter direction.
class GridRoutes {
 public:
  // With `to_switches`, destinations are switches; a switch has no route to itself. Of the two links between
  // two switches alone in a line, both are then candidates, as in a HyperX.
  GridRoutes(const GridShape& shape, const std::vector<std::uint32_t>& order, bool to_switches);
  PortRange at(SwitchId sw, std::uint32_t destination) const;
  bool by_switch() const;

 private:
  struct Dimension {  // in the order of correction
    GridPlaces places;
    std::uint16_t lower_port = 0;
  };
  bool goes_up(std::uint32_t from, const Dimension& dimension, SwitchId to, std::uint32_t destination) const;

  std::vector<Dimension> dimensions_;
  std::uint32_t nodes_per_switch_;
  Divisor nodes_per_switch_divisor_;
  bool wraps_;
  bool to_switches_;
};

// HyperX: one link in each dimension in which switch and destination differ, in the given order. The
// destination node determines one of several parallel links (number_among_parallel). With `to_switches`, all
// parallel links are candidates, because the number of the switch would always determine the same one.
class HyperXRoutes {
 public:
  HyperXRoutes(const HyperXShape& shape, const std::vector<std::uint32_t>& order, bool to_switches);
  PortRange at(SwitchId sw, std::uint32_t destination) const;
  bool by_switch() const;

 private:
  struct Dimension {
    GridPlaces places;
    std::uint32_t first_port = 0;
    std::uint32_t width = 1;
    Divisor width_divisor;
  };
  std::vector<Dimension> dimensions_;
  std::uint32_t nodes_per_switch_;
  Divisor nodes_per_switch_divisor_;
  bool to_switches_;
};

// Candidates at the switches of one stage of a tree: among so many ports up, and so many of the parallel
// links to a child. They divide the numbers of these ports.
struct TreeCandidates {
  std::uint32_t up = 1, down = 1;
};

// Trees: up until the destination is below, then down to it. The number of the destination's way, its place
// div ways(stage), determines an up port (D-mod-K; Zahavi 2010, section 4) and one of several parallel down
// links. The candidates are the block of consecutive ports that contains it: this port alone, or more.
class TreeRoutes {
 public:
  // `candidates`: [stage]
  TreeRoutes(const TreeShape& shape, const std::vector<TreeCandidates>& candidates);
  PortRange at(SwitchId sw, NodeId destination) const;
  bool by_destination() const { return by_destination_; }
  bool by_switch() const { return by_switch_; }
  // The number of the node's way at this switch. Modulo the number of candidates, it determines one of them.
  std::uint32_t way(SwitchId sw, NodeId node) const {
    return stages_[switches_[sw].stage].ways.quotient(place(node));
  }
  std::uint64_t bytes() const { return switches_.bytes() + place_of_.bytes(); }

 private:
  struct Stage {
    Divisor below_child;  // places of nodes below a child
    Divisor children_divisor;
    Divisor ways;
    std::uint32_t children, links, up_ports;
    TreeCandidates candidates;
  };
  struct Switch {
    std::uint32_t stage;
    std::uint32_t subtree;
  };
  NodeId place(NodeId node) const { return place_of_.empty() ? node : place_of_[node]; }

  std::vector<Stage> stages_;
  SharedVector<Switch> switches_;
  SharedVector<NodeId> place_of_;  // [node], for relabelled trees
  bool by_destination_ = true;     // no switch has several candidates
  bool by_switch_ = true;          // the destination's way matters nowhere
};
// [stage] of a tree: one port each, or all of them.
std::vector<TreeCandidates> one_candidate(const TreeShape& shape);
std::vector<TreeCandidates> all_candidates(const TreeShape& shape);

// Any routes that are the same for all nodes of a switch, up to this switch, which is a leaf. The table has a
// column for each leaf instead of one for each node.
class LeafRoutes {
 public:
  struct Node {
    std::uint32_t leaf = 0;
    std::uint16_t port = 0;  // of its leaf, to the node
  };
  // `nodes`: [node]. `candidates`: [switch * leaves + leaf]; not read for the leaf itself, whose switch is
  // `leaves[leaf]`.
  LeafRoutes(std::vector<Node> nodes, const std::vector<SwitchId>& leaves, std::vector<PortRange> candidates);
  PortRange at(SwitchId sw, NodeId destination) const {
    const Node& node = nodes_[destination];
    const PortRange range = candidates_[std::size_t{sw} * leaves_ + node.leaf];
    return range == kHere ? PortRange{node.port, 1} : range;
  }
  bool by_destination() const { return by_destination_; }
  bool by_switch() const { return true; }
  std::uint64_t bytes() const { return nodes_.bytes() + candidates_.bytes(); }

 private:
  static constexpr PortRange kHere{UINT16_MAX, UINT16_MAX};  // the leaf itself

  std::uint32_t leaves_;
  bool by_destination_;
  SharedVector<Node> nodes_;
  SharedVector<PortRange> candidates_;
};

// Shortest paths between the switches of a graph, from a table; nodes are at switches in the order of their
// numbers. The numbers of both switches determine one of several ports on shortest paths.
class SwitchRoutes {
 public:
  SwitchRoutes(const Graph& graph, std::uint32_t nodes_per_switch);
  // These routes with switches as destinations; a switch has no route to itself.
  SwitchRoutes to_switches() const {
    SwitchRoutes routes = *this;
    routes.to_switches_ = true;
    return routes;
  }
  PortRange at(SwitchId sw, std::uint32_t destination) const;
  bool by_switch() const { return true; }
  std::uint64_t bytes() const { return port_of_.bytes(); }

 private:
  std::uint32_t switches_;
  std::uint32_t nodes_per_switch_;
  Divisor nodes_divisor_;
  bool to_switches_ = false;
  SharedVector<std::uint16_t> port_of_;  // [switch * switches + switch]
};

}  // namespace headway
