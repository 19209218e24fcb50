// SPDX-License-Identifier: Apache-2.0
// Properties of a network's structure that affect blocking, computed without a run: how the routes spread
// destinations over links, and how the scheme spreads them over queues. For figures and claims about wiring,
// memory and cost.
#pragma once

#include "headway/metrics/result.h"
#include "headway/spec/spec.h"

namespace headway {

// Walks every source-destination pair. Throws SpecError if the routing has several paths for a pair, or if
// the spec has mistakes.
//
// Metrics: nodes, switches, radix, stages, links, diameter, bisection (topology/extent.h), and what the
// scheme costs (compile/cost.h). Table structure_per_stage, rows by stage (all switches are stage 0 in
// networks without stages):
//   destinations_per_switch   most destinations that any switch forwards to
//   destinations_per_link     most destinations that share a link towards the nodes ("down")
//   destinations_per_queue    most destinations that share a queue of an input port
//   queues_used               most queues that packets can reach at one input port
//   load_imbalance            paths over the most used link divided by paths over the least used one; the
//                             larger of the ratios of up links and down links
Result structure(const EventSpec& spec);

}  // namespace headway
