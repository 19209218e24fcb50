// SPDX-License-Identifier: Apache-2.0
// The cost of a spec's queueing scheme: queues and memory of an input port, of a switch and of the network,
// the routing table of a switch, and the published silicon area (queueing/cost.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headway/engine/network_options.h"
#include "headway/spec/spec.h"
#include "headway/topology/graph.h"

namespace headway {

// In the order of cost_metrics() (metrics/metric.h). There is no area without a published value, and no
// memory of places if there are none. `map` and `options` are those of the spec's network.
std::vector<std::pair<std::string, double>> cost_of(const EventSpec& spec, const Graph& graph,
                                                    const QueueMap& map, const NetworkOptions& options);

}  // namespace headway
