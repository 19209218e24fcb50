// SPDX-License-Identifier: Apache-2.0
// Layers of paths: every path of a network is put into one of several lanes, so that the paths of no lane
// wait for each other in a cycle. With them any routes, such as shortest paths over any graph, are free of
// deadlock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "headway/routing/routes.h"

namespace headway {

// A graph of channels (outputs of a network) that stays free of cycles. Keeps a topological order and mends
// it with every edge (Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs",
// ACM JEA 11, 2006).
class AcyclicGraph {
 public:
  explicit AcyclicGraph(std::uint32_t vertices);
  // Adds an edge, unless it would close a cycle; returns false then. Edges are counted.
  bool add(std::uint32_t from, std::uint32_t to);
  void remove(std::uint32_t from, std::uint32_t to);  // one that was added

 private:
  struct Edge {
    std::uint32_t to;
    std::uint32_t count;
  };
  bool mend(std::uint32_t from, std::uint32_t to);

  std::vector<std::vector<Edge>> out_;          // [vertex]
  std::vector<std::vector<std::uint32_t>> in_;  // [vertex] without counts
  std::vector<std::uint32_t> place_;            // [vertex] in the order
  std::vector<bool> seen_;                      // [vertex] in the search that is under way
};

// The layers of all paths from a switch to a node: [switch * nodes + destination]. A path with no link
// between switches is in layer 0.
struct Layers {
  std::uint32_t count = 1;
  std::vector<std::uint8_t> of_path;
};

// Puts path after path into the first layer that stays free of cycles (LASH: Skeie, Lysne and Theiss,
// "Layered shortest path (LASH) routing in irregular system area networks", IPDPS 2002). None if that needs
// more than `most` layers.
std::optional<Layers> layers_by_first_fit(const Graph& graph, const RouteTable& table, std::uint32_t most);

// Begins with all paths in the first layer. As long as it has a cycle, the paths over the dependency of the
// cycle that the fewest paths have move on to the next layer; then the next layer is treated likewise
// (DFSSSP: Domke, Hoefler and Nagel, "Deadlock-free oblivious routing for arbitrary topologies", IPDPS 2011,
// section V).
std::optional<Layers> layers_by_weakest_edge(const Graph& graph, const RouteTable& table, std::uint32_t most);

// Routes whose packets stay in the layer of their path.
Routes in_layers(const Graph& graph, RouteTable table, Layers layers);

}  // namespace headway
