// SPDX-License-Identifier: Apache-2.0
// Notes for users whose spec is valid, but may not be what they mean.
#pragma once

#include <string>

#include "headway/compile/plan.h"
#include "headway/congestion/hot_spot.h"
#include "headway/spec/spec.h"

namespace headway {

// Says which flow's or trace's packets fill less than half of their slots on average, and that cells would
// count their length; empty if there is none, or if the spec has cells. With `traces`, reads the first
// records of each trace.
//
// Choice: half, on average over the packets of a flow. The last packet of a long message is often short, and
// wastes nearly nothing.
std::string note_of_short_packets(const EventSpec& spec, bool traces);

// The largest hot spot of the spec's flows. Traces and jobs do not count. `rate`: of a flow, as a fraction of
// the link of its source.
HotSpot largest_hot_spot(const EventSpec& spec, const Graph& graph, double rate = 1);

// What the reaction of the network says of this hot spot; empty if it can hold it, or knows no bound.
std::string note_of_hot_spot(const EventSpec& spec, const Plan& plan);

}  // namespace headway
