// SPDX-License-Identifier: Apache-2.0
// The work of runs, known before they start: the packet-hops that they simulate. Nothing is simulated and no
// clock is read, so the numbers are the same on every machine. `headway check` (run/prediction.h) measures
// how long a hop takes.
#pragma once

#include <cstddef>

#include "headway/compile/experiment.h"
#include "headway/compile/plan.h"
#include "headway/spec/spec.h"

namespace headway {

// Follows the routes of a sample of packets. The length of paths is a guess if the plan has no graph.
RunWork work_of(const EventSpec& spec, const Plan& plan);

// The integral over time of a flow's load until `end`, in ns. That of a saturated source is 1.
double loaded_time(const FlowSpec& flow, double end);

// The work of a repetition of a point, in hops: of its run, or of its saturation search, whose loads are a
// guess. Compares the points of an experiment; the time of a hop depends on the network.
double expected_work(const Experiment& experiment, std::size_t point);

// The number of runs of a saturation search, if no run is repeated.
double runs_of(const SaturationSearch& search);

// The largest load of a flow at any time; of a saturated source, 1.
double largest_load(const FlowSpec& flow);
// The largest load of any flow at any time; 1 if there is none.
double largest_load(const EventSpec& spec);

}  // namespace headway
