// SPDX-License-Identifier: Apache-2.0
// The channel dependency graph: which links packets can hold while they wait for which others. Without a
// cycle in it no deadlock can arise, whatever the queues (Dally and Seitz, "Deadlock-free message routing in
// multiprocessor interconnection networks", IEEE Trans. Computers 36(5), 1987).
#pragma once

#include <vector>

#include "headway/routing/route_table.h"

namespace headway {

// Outputs that wait for each other in a circle, in its order; empty if there is no cycle. A ring of the graph
// counts as one channel, because bubble flow control keeps it turning (docs/modelling.md, "Rings").
std::vector<PortId> find_dependency_cycle(const Graph& graph, const RouteTable& routes);

}  // namespace headway
