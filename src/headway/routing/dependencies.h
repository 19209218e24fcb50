// SPDX-License-Identifier: Apache-2.0
// The channel dependency graph. A channel is a lane of a link. A channel depends on another one if a packet
// can hold the first while it waits for the second. Without a cycle no deadlock is possible, for any queueing
// scheme (Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE
// Trans. Computers 36(5), 1987).
#pragma once

#include <string>
#include <vector>

#include "headway/routing/routes.h"

namespace headway {

struct Channel {
  PortId output = kNone;
  std::uint32_t lane = 0;
  friend bool operator==(const Channel&, const Channel&) = default;
};

// A cycle of dependencies, in order; empty if there is none. Unless lanes break them, a ring of the graph
// counts as one channel, because bubble flow control keeps it from blocking (docs/modelling.md, "Rings").
std::vector<Channel> find_dependency_cycle(const Graph& graph, const Routes& routes);

// "switch 0 port 3 -> switch 4 port 1 -> ...", with lanes if there are several.
std::string to_text(const std::vector<Channel>& cycle, const Graph& graph, const LaneRules& lanes);

}  // namespace headway
