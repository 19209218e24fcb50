// SPDX-License-Identifier: Apache-2.0
// Small graphs of every topology, and questions about a graph and routes over it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "headway/routing/routing.h"
#include "headway/selection/selection.h"
#include "headway/topology/topology.h"
#include "tests/support/hand_made.h"
#include "tests/support/sanitizer.h"
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
    if (has_several_networks(topology)) continue;
    if (mistakes.empty() && topology->nodes() <= max_nodes) result.push_back({label, topology->build({})});
  }
  // with several links between two groups, at one switch and at several
  for (const int links : {1, 2}) {
    result.push_back(
        {"dragonfly of 3 groups",
         choose(topologies(), "dragonfly", {{"p", 1}, {"a", 2}, {"h", 2 * links}, {"g", 3}})->build({})});
    result.push_back({"dragonfly-plus of 3 groups",
                      choose(topologies(), "dragonfly-plus",
                             {{"p", 1}, {"leaves", 2}, {"spines", 2}, {"h", 2 * links}, {"g", 3}})
                          ->build({})});
  }
  return result;
}

// The routes, or none if the routing does not support the graph's shape.
inline std::optional<Routes> routes_over(const Graph& graph, const Routing& routing) {
  try {
    Routes routes = routing.build(graph);
    if (routes.cycles != Cycles::impossible) return std::nullopt;  // it may deadlock, as its user says
    return routes;
  } catch (const SpecError&) {
    return std::nullopt;
  }
}

// Records which combinations of three variants have been visited. A visit counts for the combination of the
// three registry entries and for each pair of variants. A variant's label begins with the name of its entry.
class NewCombinations {
 public:
  using Labels = std::array<std::string, 3>;

  bool has(const Labels& labels) const {
    return std::ranges::all_of(parts(labels), [&](const Labels& part) { return seen_.contains(part); });
  }
  void add(const Labels& labels) {
    for (const Labels& part : parts(labels)) seen_.insert(part);
  }

 private:
  static std::vector<Labels> parts(const Labels& labels) {
    std::vector<Labels> result = {labels};
    for (std::string& name : result[0]) name.resize(std::min(name.find(' '), name.size()));
    for (std::size_t any = 0; any < labels.size(); ++any) {
      result.push_back(labels);
      result.back()[any] = "";
    }
    return result;
  }

  std::set<Labels> seen_;
};

enum class OutputUnits : std::uint8_t { none, as_input, one };

// A network of these parts with little memory; `number` determines the other settings. None if the parts are
// not compatible.
inline std::optional<Network> network_of(const Graph& graph, const Routing& routing, const Routes& routes,
                                         const Scheme& scheme, std::uint32_t packet_bytes,
                                         std::uint32_t number, OutputUnits units = OutputUnits::none) {
  NetworkOptions options;
  options.packet_bytes = packet_bytes;
  options.arbiter = static_cast<ArbiterKind>(number % 3);
  options.store_and_forward = number / 3 % 2 == 1;
  options.admittance = number / 6 % 2 == 1 ? Admittance::fifo : Admittance::per_destination;
  options.follow(routes);
  options.capacity = least_room(graph, options) + number % 4;
  options.injection_capacity = 1 + number % 5;
  options.routing_delay = number % 2;
  if (units != OutputUnits::none) {
    if (scheme.pools_memory()) return std::nullopt;
    options.output_capacity = least_room(graph, options) + number % 3;
    options.one_output_queue = units == OutputUnits::one;
  }
  options.in_order = routing.single_path() && scheme.in_order();
  if (scheme.isolation() && (graph.has_rings() || !routing.by_destination())) return std::nullopt;
  const QueueMap map = scheme.build(graph);
  const Choice<Selection> selection = choose(selections(), number % 2 == 0 ? "rp" : "mc");
  if (routing.at_arrival()) {
    if (units != OutputUnits::none || scheme.pools_memory()) return std::nullopt;
    options.arrival_choice = ArrivalChoice{selection->build_for_arrivals(graph), number % 3, 1};
    options.shares_lanes = map.uses_output();
  } else if (routing.adaptive()) {
    options.selection = selection->build(graph);
  }
  if (number % 5 == 2 && (options.arrival_choice || (options.selection && !options.has_choices)))
    options.follow_rule =
        FollowRule{.by_message = number % 2 == 0, .gap = number % 100, .entries = 1 + number % 3};
  if (options.selection && (map.uses_output() || scheme.pools_memory())) return std::nullopt;
  if (options.lanes > 1 && scheme.pools_memory()) return std::nullopt;
  if (options.decides_detours && map.key == QueueKey::output) return std::nullopt;
  return Network(graph, routes, map, test::options_for(scheme, graph.nodes(), options));
}

// Calls visit(network) for networks of topologies up to this size, compatible routings and schemes, combined
// as above; the other settings take turns. Under the address sanitizer it visits some of them (sanitizer.h).
// Returns the number of networks, visited or not.
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
        if (combinations.has({graph.label, routing_label, scheme_label})) continue;
        const auto network = network_of(graph.graph, *routing, *routes, *scheme, packet_bytes, number);
        if (!network) continue;
        combinations.add({graph.label, routing_label, scheme_label});
        if (number++ % test::kOneIn == 0) visit(*network);
      }
    }
  return number;
}

}  // namespace headway
