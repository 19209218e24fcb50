// SPDX-License-Identifier: Apache-2.0
// Which metrics and tables a run has, and at most how many numbers they are.
#pragma once

#include "headway/metrics/tables.h"
#include "headway/spec/spec.h"
#include "headway/topology/graph.h"

namespace headway {

// The bins of the longest run.
double bins_of(const EventSpec& spec);

// The maximum number of rows of pair-series (measure.tables). A pair has a row in a bin if a packet was
// delivered in it, and no destination has a link faster than `fastest`, or than the fastest of the graph.
double most_pair_rows(const EventSpec& spec, Rate fastest);
double most_pair_rows(const EventSpec& spec, const Graph& graph);

// What the results of the spec's runs and searches can have.
RunScope scope_of(const EventSpec& spec);
// `links`: at most as many; `pair_rows`: see most_pair_rows.
TableBounds table_bounds(const EventSpec& spec, double links, double pair_rows);
// The maximum number of cells of all tables, and of metrics. Columns for all nodes, ports or stages count as
// one where a table has no bound of its own for them.
double most_numbers(const RunScope& scope, const TableBounds& most);

}  // namespace headway
