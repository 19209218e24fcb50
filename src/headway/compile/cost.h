// SPDX-License-Identifier: Apache-2.0
// What the queueing scheme of a spec costs: the queues and memories of an input port, the routing table of a
// switch, and the silicon area that the literature gives (queueing/cost.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headway/spec/spec.h"
#include "headway/topology/graph.h"

namespace headway {

// In the order of cost_metrics() (metrics/metric.h). An area that nobody has published is NaN.
std::vector<std::pair<std::string, double>> cost_of(const EventSpec& spec, const Graph& graph);

}  // namespace headway
