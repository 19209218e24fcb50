// SPDX-License-Identifier: Apache-2.0
// What the routing functions for any graph share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "headway/routing/route_table.h"
#include "headway/topology/distances.h"

namespace headway {

// The port of the destination's switch that leads to the destination.
inline PortRange port_to(const Graph& graph, NodeId node) {
  return {static_cast<std::uint16_t>(graph.local(graph.source_of(graph.node_port(node)))), 1};
}

// One path for each switch and destination. Destinations are set in the order of their numbers. Choice: rows
// get several destinations at once, because they are far apart in memory.
class PathTable {
 public:
  explicit PathTable(const Graph& graph)
      : graph_(graph),
        candidates_(std::size_t{graph.switches()} * graph.nodes()),
        block_(std::size_t{graph.switches()} * kBlock) {}

  // `output_of`: [switch] the output on its path to the node, or kNone; not read for the node's own switch.
  void set(NodeId node, std::span<const PortId> output_of) {
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      in_block(sw, node) = output_of[sw] == kNone
                               ? PortRange{}
                               : PortRange{static_cast<std::uint16_t>(graph_.local(output_of[sw])), 1};
    in_block(switch_to(graph_, node), node) = port_to(graph_, node);
    if (node % kBlock == kBlock - 1 || node + 1 == graph_.nodes()) write(node - node % kBlock, node + 1);
  }
  RouteTable routes() && { return RouteTable::from_table(graph_.nodes(), std::move(candidates_)); }

 private:
  static constexpr std::uint32_t kBlock = 16;  // of a cache line

  PortRange& in_block(SwitchId sw, NodeId node) { return block_[std::size_t{sw} * kBlock + node % kBlock]; }
  void write(NodeId first, NodeId end) {
    for (SwitchId sw = 0; sw < graph_.switches(); ++sw)
      std::copy_n(&block_[std::size_t{sw} * kBlock], end - first,
                  &candidates_[std::size_t{sw} * graph_.nodes() + first]);
  }

  const Graph& graph_;
  std::vector<PortRange> candidates_;
  std::vector<PortRange> block_;  // [switch] destinations that are not in its row yet
};

// Routes that are the same for all nodes of a leaf, up to this leaf: candidates for each switch and leaf. A
// leaf is a switch that delivers to nodes; leaves are numbered in the order of their first nodes.
class LeafTable {
 public:
  explicit LeafTable(const Graph& graph) : graph_(graph) {
    std::vector<std::uint32_t> leaf_of(graph.switches(), kNone);
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      std::uint32_t& leaf = leaf_of[switch_to(graph, node)];
      if (leaf == kNone) {
        leaf = static_cast<std::uint32_t>(leaves_.size());
        leaves_.push_back(switch_to(graph, node));
      }
      nodes_.push_back({leaf, port_to(graph, node).first});
    }
    candidates_.resize(std::size_t{graph.switches()} * leaves_.size());
  }

  const std::vector<SwitchId>& leaves() const { return leaves_; }
  // Not read for the leaf itself.
  PortRange& at(SwitchId sw, std::uint32_t leaf) { return candidates_[sw * leaves_.size() + leaf]; }
  // `ports` and `per_pair`: see RouteTable::from_sets.
  RouteTable routes(std::vector<std::uint16_t> ports, bool per_pair) && {
    return RouteTable::from_leaves(LeafRoutes(std::move(nodes_), leaves_, std::move(candidates_)),
                                   graph_.switches(), graph_.nodes(), std::move(ports), per_pair);
  }

 private:
  const Graph& graph_;
  std::vector<SwitchId> leaves_;
  std::vector<LeafRoutes::Node> nodes_;  // [node]
  std::vector<PortRange> candidates_;    // [switch * leaves + leaf]
};

struct Routes;

// All shortest paths; in a tree without failures, by formula. `refuses_cycles`: throws SpecError if they can
// wait for each other in a cycle.
Routes equal_paths(const Graph& graph, bool per_pair, bool refuses_cycles);

}  // namespace headway
