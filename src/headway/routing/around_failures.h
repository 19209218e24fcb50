// SPDX-License-Identifier: Apache-2.0
// Routes of trees with failed links.
#pragma once

#include "headway/routing/route_table.h"
#include "headway/topology/graph.h"

namespace headway {

// Up until the destination can be reached downwards, then down to it, over the links that are left; so
// packets cannot wait in a cycle. Of the ports that lead on, the destination's way (TreeRoutes) determines
// one, as D-mod-K does where nothing has failed, or all are candidates. Throws SpecError if some node cannot
// be reached by going up and then down.
RouteTable tree_around_failures(const Graph& graph, bool by_destination);

}  // namespace headway
