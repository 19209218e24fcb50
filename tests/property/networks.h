// SPDX-License-Identifier: Apache-2.0
// Small graphs of every topology, and what is asked of a graph and of routes over it.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/hand_made.h"
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
inline std::optional<Routes> routes_over(const Graph& graph, const Routing& routing) {
  try {
    return routing.build(graph);
  } catch (const SpecError&) {
    return std::nullopt;
  }
}

// Tells which combinations of three variants to visit: all of three registry entries, and all pairs of
// variants. A variant's label begins with the name of its entry.
class NewCombinations {
 public:
  using Labels = std::array<std::string, 3>;
  bool add(const Labels& labels) {
    bool fresh = false;
    Labels names = labels;
    for (std::string& name : names) name.resize(std::min(name.find(' '), name.size()));
    fresh |= seen_.insert(names).second;
    for (std::size_t any = 0; any < labels.size(); ++any) {
      Labels pair = labels;
      pair[any] = "";
      fresh |= seen_.insert(pair).second;
    }
    return fresh;
  }

 private:
  std::set<Labels> seen_;
};

// Networks of topologies up to this size, routings that route them and schemes, combined as above; the other
// settings take turns. Calls visit(network) for each, and returns how many it visited.
template <class Visit>
std::uint32_t for_each_combination(std::int64_t max_nodes, std::uint32_t packet_bytes, Visit&& visit) {
  std::uint32_t number = 0;
  NewCombinations combinations;
  for (const NamedGraph& graph : small_graphs(max_nodes))
    for (const auto& [routing_label, routing] : variants(routings())) {
      const auto routes = routes_over(graph.graph, *routing);
      if (!routes) continue;
      for (const auto& [scheme_label, scheme] : variants(schemes())) {
        SCOPED_TRACE(graph.label + ", " + routing_label + ", " + scheme_label);
        NetworkOptions options;
        options.packet_bytes = packet_bytes;
        options.arbiter = static_cast<ArbiterKind>(number % 3);
        options.store_and_forward = number / 3 % 2 == 1;
        options.admittance = number / 6 % 2 == 1 ? Admittance::fifo : Admittance::per_destination;
        options.follow(*routes);
        options.capacity = least_room(graph.graph, options) + number % 4;
        options.injection_capacity = 1 + number % 5;
        options.routing_delay = number % 2;
        options.in_order = routing->single_path() && scheme->in_order();
        if (scheme->isolation() && (graph.graph.has_rings() || !routing->by_destination())) continue;
        const QueueMap map = scheme->build(graph.graph);
        if (options.lanes > 1 && scheme->pools_memory()) continue;
        if (options.decides_detours && map.key == QueueKey::output) continue;
        if (!combinations.add({graph.label, routing_label, scheme_label})) continue;
        ++number;
        visit(Network(graph.graph, *routes, map, test::options_for(*scheme, graph.graph.nodes(), options)));
      }
    }
  return number;
}

}  // namespace headway
