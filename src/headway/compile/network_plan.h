// SPDX-License-Identifier: Apache-2.0
// What a spec's network is made of: everything but the tables that the engine reads. Checks and estimates
// need no more, and a run makes its network of it.
#pragma once

#include <memory>

#include "headway/engine/network_options.h"
#include "headway/routing/route_table.h"
#include "headway/spec/spec.h"

namespace headway {

struct NetworkPlan {
  std::shared_ptr<const Graph> graph;
  RouteTable routes;
  QueueMap map;
  NetworkOptions options;
};

// The options of the spec's network, without its selection function, which may refuse the graph. `map` is
// queues_of(spec.switches, graph); what is too large for its integer is the largest.
NetworkOptions network_options(const EventSpec& spec, const Graph& graph, const QueueMap& map,
                               const Duration& tick);

// That of adaptive routing. Throws SpecError if it cannot work on the graph.
SelectionRule selection_of(const RoutingSpec& spec, const Graph& graph);

}  // namespace headway
