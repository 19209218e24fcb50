// SPDX-License-Identifier: Apache-2.0
// Routes of trees with failed links.
#pragma once

#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

// A packet goes up over the remaining links until its destination can be reached downwards, then down to it;
// packets therefore cannot wait in a cycle. With `by_destination`, the destination's way (TreeRoutes)
// determines one of the usable ports, as D-mod-K does without failures; otherwise all are candidates. There
// are no candidates where no such path exists. Throws SpecError if there are too many different sets of
// ports.
RouteTable tree_around_failures(const Graph& graph, bool by_destination);

}  // namespace headway
