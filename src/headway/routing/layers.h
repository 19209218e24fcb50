// SPDX-License-Identifier: Apache-2.0
// Layers of paths: every path of a network is put into one of several lanes, so that the paths in a lane
// never wait for each other in a cycle. Any routes, such as shortest paths over any graph, then are free of
// deadlock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "headway/routing/routes.h"

namespace headway {

// A graph of channels (outputs of a network) that stays free of cycles. Keeps a topological order and updates
// it with every edge (Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs",
// ACM JEA 11, 2006).
class AcyclicGraph {
 public:
  explicit AcyclicGraph(std::uint32_t vertices);
  // Adds an edge. Returns false, without adding it, if it would close a cycle. Equal edges are counted.
  bool add(std::uint32_t from, std::uint32_t to);
  void remove(std::uint32_t from, std::uint32_t to);  // an edge that was added

 private:
  struct Edge {
    std::uint32_t to;
    std::uint32_t count;
  };
  bool mend(std::uint32_t from, std::uint32_t to);

  std::vector<std::vector<Edge>> out_;          // [vertex]
  std::vector<std::vector<std::uint32_t>> in_;  // [vertex] without counts
  std::vector<std::uint32_t> place_;            // [vertex] place in the order
  std::vector<bool> seen_;                      // [vertex] in the current search
};

// The layers of all paths from a switch to a node: [switch * nodes + destination]; with one layer, it can be
// empty. A path with no link between switches is in layer 0.
struct Layers {
  std::uint32_t count = 1;
  std::vector<std::uint8_t> of_path;
};

// Puts one path after the other into the first layer that stays free of cycles (LASH: Skeie, Lysne and
// Theiss, "Layered shortest path (LASH) routing in irregular system area networks", IPDPS 2002). nullopt if
// this needs more than `most` layers.
std::optional<Layers> layers_by_first_fit(const Graph& graph, const RouteTable& table, std::uint32_t most);

// Begins with all paths in the first layer. While the layer has a cycle, moves the paths over its weakest
// dependency (the one with the fewest paths) to the next layer; then treats the next layer in the same way
// (DFSSSP: Domke, Hoefler and Nagel, "Deadlock-free oblivious routing for arbitrary topologies", IPDPS 2011,
// section V).
std::optional<Layers> layers_by_weakest_edge(const Graph& graph, const RouteTable& table, std::uint32_t most);

// Routes whose packets stay in the layer of their path.
Routes in_layers(const Graph& graph, RouteTable table, Layers layers);

}  // namespace headway
