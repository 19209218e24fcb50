// SPDX-License-Identifier: Apache-2.0
// The columns that name a root of congestion, in every table of roots.
#pragma once

#include "headway/metrics/measured_run.h"
#include "headway/metrics/root_name.h"

namespace headway {

// For rows with `run` and `root`.
template <class Row>
constexpr ColumnOf<Row> kRootKind = {
    {"kind", kName,
     "what the packets wait for at the root: `link`, a link that sends; `crossbar`, an output of a crossbar; "
     "`input`, an input port that sends by another output; `window`, a memory whose slots are all on the "
     "wire; "
     "`cycle`, queues that wait for each other; `receiver`, a node that consumes packets; "
     "`limiter`, a node that has slowed flows down",
     OverSeeds::key},
    [](const Row& row) -> Cell { return name_of(row.root.kind); }};

template <class Row>
constexpr ColumnOf<Row> kRootPort = {
    {"port", kNumber, "number of the root's port among all ports of the network", OverSeeds::key},
    [](const Row& row) -> Cell { return row.root.port; }};

template <class Row>
constexpr ColumnOf<Row> kRootColumns[] = {
    kRootKind<Row>,
    kRootPort<Row>,
    {{"from_switch", kNumber, "switch of this port; empty for the port of a node", OverSeeds::same},
     [](const Row& row) -> Cell { return row.run.switch_at(row.root.port); }},
    {{"from_node", kNumber, "node of this port; empty for the port of a switch", OverSeeds::same},
     [](const Row& row) -> Cell { return row.run.node_at(row.root.port); }},
    {{"from_port", kNumber, "number of this port at its switch or node", OverSeeds::same},
     [](const Row& row) -> Cell { return row.run.port_number(row.root.port); }},
    {{"to_switch", kNumber, "switch at the other end of the port's link; empty for a node", OverSeeds::same},
     [](const Row& row) -> Cell {
       return row.run.switch_at(row.run.network().graph.peer_of(row.root.port));
     }},
    {{"to_node", kNumber, "node at the other end of the port's link; empty for a switch", OverSeeds::same},
     [](const Row& row) -> Cell { return row.run.node_at(row.run.network().graph.peer_of(row.root.port)); }},
};

}  // namespace headway
