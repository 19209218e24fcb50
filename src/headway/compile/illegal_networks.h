// SPDX-License-Identifier: Apache-2.0
// Broken rules of networks (engine/network_options.h) as mistakes in a spec.
#pragma once

#include "headway/base/error.h"
#include "headway/engine/network_options.h"
#include "headway/queueing/queue_map.h"
#include "headway/spec/spec.h"
#include "headway/topology/graph.h"

namespace headway {

// Adds the mistake of the spec that breaks the rule: its key, and what would be valid. `map` and `options`
// belong to the network.
void report_illegal(IllegalNetwork rule, const EventSpec& spec, const Graph& graph, const QueueMap& map,
                    const NetworkOptions& options, Mistakes& mistakes);

}  // namespace headway
