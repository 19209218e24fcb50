// SPDX-License-Identifier: Apache-2.0
// The channel dependency graph: the links that packets can hold while they wait for other links. Without a
// cycle no deadlock is possible, for any queueing scheme (Dally and Seitz, "Deadlock-free message routing in
// multiprocessor interconnection networks", IEEE Trans. Computers 36(5), 1987).
#pragma once

#include <vector>

#include "headway/routing/route_table.h"

namespace headway {

// The outputs of a cycle of dependencies, in order; empty if there is none. A ring of the graph counts as one
// channel, because bubble flow control keeps it from blocking (docs/modelling.md, "Rings").
std::vector<PortId> find_dependency_cycle(const Graph& graph, const RouteTable& routes);

}  // namespace headway
