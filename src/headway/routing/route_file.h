// SPDX-License-Identifier: Apache-2.0
// Reads routes from a file: a text of routes (docs/files.md), a NumPy array, or a dump of the forwarding
// tables of an InfiniBand network.
#pragma once

#include "headway/base/input_file.h"
#include "headway/routing/route_table.h"

namespace headway {

// `per_pair`: source and destination determine one of several ports; otherwise it is drawn. Throws SpecError
// (key "routing.file") if the file has mistakes, or if its routes do not lead to the destinations; with
// `refuse_cycles`, also if links can wait for each other in a cycle.
RouteTable read_routes(const Graph& graph, const InputFile& file, bool per_pair, bool refuse_cycles);

}  // namespace headway
