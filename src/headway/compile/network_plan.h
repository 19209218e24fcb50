// SPDX-License-Identifier: Apache-2.0
// The network of a spec without the tables that the engine reads. Checks and estimates need no more; a run
// makes its Network from it.
#pragma once

#include <memory>
#include <span>

#include "headway/analysis/bottleneck.h"
#include "headway/compile/job_plan.h"
#include "headway/engine/network_options.h"
#include "headway/routing/routes.h"
#include "headway/spec/spec.h"

namespace headway {

struct NetworkPlan {
  std::shared_ptr<const Graph> graph;
  Routes routes;
  QueueMap map;
  NetworkOptions options;
  std::shared_ptr<SeenBottlenecks> bottlenecks;
};

// The options of the spec's network without its selection function, which can reject the graph. `map` has
// the queues with their virtual channels. A value too large for its integer becomes the largest integer.
NetworkOptions network_options(const EventSpec& spec, const Graph& graph, const Routes& routes,
                               const QueueMap& map, const Duration& tick, std::span<const JobPlan> jobs = {});

}  // namespace headway
