// SPDX-License-Identifier: Apache-2.0
// Random valid specs: every member of every family with small parameters, and every key that changes the
// behaviour of a network.
#pragma once

#include <cstdint>
#include <string>

#include "headway/spec/spec.h"

namespace headway::test {

struct RandomSpec {
  std::string description;
  EventSpec spec;
};

// The spec with this number; the same on every machine. At most 20 nodes.
RandomSpec random_spec(std::uint64_t number);
// A random spec with lanes by service levels.
RandomSpec random_spec_with_service_levels(std::uint64_t number);
// A random spec with classes of lanes that take turns.
RandomSpec random_spec_with_lane_turns(std::uint64_t number);
// A random spec with marks, and sources that react to them.
RandomSpec random_spec_with_control(std::uint64_t number);
// A random spec with nodes that do not consume packets at once; half of them have lanes by service levels.
RandomSpec random_spec_with_slow_nodes(std::uint64_t number);
// A random spec with lanes that pause their senders; some of them lose packets.
RandomSpec random_spec_with_pauses(std::uint64_t number);
// A random spec with queues that share the memory of their lane, and its credits.
RandomSpec random_spec_with_lane_credits(std::uint64_t number);
// A random spec with packets that choose among shortest paths when they arrive at a switch.
RandomSpec random_spec_with_choices_on_arrival(std::uint64_t number);
// A random spec with choices or draws of paths for flowlets, messages and labels.
RandomSpec random_spec_with_choices_of_flows(std::uint64_t number);
// A random spec with output-queued switches.
RandomSpec random_spec_with_output_queues(std::uint64_t number);
// A random spec whose packets have headers, padding or both, mostly with one of the above.
RandomSpec random_spec_with_frames(std::uint64_t number);
// A random spec with links of two rates between switches, if it has any, mostly with one of the above.
RandomSpec random_spec_with_degraded_links(std::uint64_t number);
// A random spec with nodes that have several links, mostly with one of the above.
RandomSpec random_spec_with_node_links(std::uint64_t number);
// A random spec with jobs whose data switches reduce and multicast, mostly with one of the above.
RandomSpec random_spec_with_switch_collectives(std::uint64_t number);
// A random spec with links that go down or get a lower rate during the run, mostly with one of the above.
RandomSpec random_spec_with_events(std::uint64_t number);
// A random spec with memory in cells.
RandomSpec random_spec_with_cells(std::uint64_t number);
// Like the first, but for this network.
RandomSpec random_spec(std::uint64_t number, const Choice<Topology>& topology,
                       const Choice<Routing>& routing);

// Makes a spec whose last packet can be delivered within the run: the sources stop, and messages have full
// packets.
void drain(EventSpec& spec, Duration stop);

}  // namespace headway::test
