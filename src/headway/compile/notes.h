// SPDX-License-Identifier: Apache-2.0
// Notes for users whose spec is valid, but may not be what they mean.
#pragma once

#include <string>

#include "headway/compile/plan.h"
#include "headway/spec/spec.h"

namespace headway {

// Says which flow's or trace's packets fill less than half of their slots on average, and that cells would
// count their length; empty if there is none, or if the spec has cells. With `traces`, reads the first
// records of each trace.
//
// Choice: half, on average over the packets of a flow. The last packet of a long message is often short, and
// wastes nearly nothing.
std::string note_of_short_packets(const EventSpec& spec, bool traces);

// The nodes that send to one node more than its link carries, if they always send it a part of their traffic.
// The largest such set of the spec's flows. Traces and jobs do not count.
struct HotSpot {
  NodeId destination = 0;
  std::uint32_t sources = 0;  // 0: there is none
  double slowed = 0;          // what they send over what the link carries, if none has more than `rate`
};
// `rate`: of a flow, as a fraction of the link of its source.
HotSpot largest_hot_spot(const EventSpec& spec, const Graph& graph, double rate = 1);

// With the reaction "infiniband": n sources hold their indices only if each gets ccti_increase for every
// ccti_timer. If all packets of a full link are marked at the marking rate, that is one of (marking_rate + 1)
// packets, so n <= ccti_increase * ccti_timer / (packet time * (marking_rate + 1)). They no longer overload
// the link only if its table slows them down enough. Says so if the spec has a hot spot that the timer or
// else the table cannot hold; empty if it has none.
std::string note_of_hot_spot(const EventSpec& spec, const Plan& plan);

}  // namespace headway
