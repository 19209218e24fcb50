// SPDX-License-Identifier: Apache-2.0
// Small graphs of every topology, and what is asked of a graph and of routes over it.
#pragma once

#include <optional>

#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/variants.h"

namespace headway {

struct NamedGraph {
  std::string label;
  Graph graph;
};

inline std::vector<NamedGraph> small_graphs(std::int64_t max_nodes) {
  std::vector<NamedGraph> result;
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes;
    topology->check(mistakes);
    if (mistakes.empty() && topology->nodes() <= max_nodes) result.push_back({label, topology->build({})});
  }
  return result;
}

// The routes, or none if the routing does not know the graph's shape.
inline std::optional<RouteTable> routes_over(const Graph& graph, const Routing& routing) {
  try {
    return routing.build(graph);
  } catch (const SpecError&) {
    return std::nullopt;
  }
}

}  // namespace headway
