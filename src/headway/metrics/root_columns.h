// SPDX-License-Identifier: Apache-2.0
// The columns that name a root of congestion, in every table of roots.
#pragma once

#include "headway/metrics/measured_run.h"
#include "headway/metrics/root_name.h"
#include "headway/metrics/rows.h"

namespace headway {

constexpr Metric kRootKindColumn = {
    "kind", kName,
    "what the packets wait for at the root: `link`, a link that sends; `crossbar`, an output of a crossbar; "
    "`input`, an input port that sends by another output; `window`, a memory whose slots are all on the "
    "wire; "
    "`cycle`, queues that wait for each other; `receiver`, a node that consumes packets; "
    "`limiter`, a node that has slowed flows down; `outage`, a link that is down",
    OverSeeds::key};
constexpr Metric kRootPortColumn = {
    "port", kNumber, "number of the root's port among all ports of the network", OverSeeds::key};

// The two ends of a link, for rows that are a PlaceRow.
template <class Row>
constexpr ColumnOf<Row> kEndColumns[] = {
    {{"from_switch", kNumber, "switch of this port; empty for the port of a node", OverSeeds::same},
     &Row::from_switch},
    {{"from_node", kNumber, "node of this port; empty for the port of a switch", OverSeeds::same},
     &Row::from_node},
    {{"from_port", kNumber, "number of this port at its switch or node", OverSeeds::same}, &Row::from_port},
    {{"to_switch", kNumber, "switch at the other end of the port's link; empty for a node", OverSeeds::same},
     &Row::to_switch},
    {{"to_node", kNumber, "node at the other end of the port's link; empty for a switch", OverSeeds::same},
     &Row::to_node},
};
template <class Row>
constexpr ColumnOf<Row> kToPort = {
    {"to_port", kNumber, "number of the port at the other end, at its switch or node", OverSeeds::same},
    &Row::to_port};
template <class Row>
constexpr ColumnOf<Row> kKindAndPort[] = {{kRootKindColumn, &Row::kind}, {kRootPortColumn, &Row::port}};
template <class Row>
constexpr auto kRootColumns = joined(kKindAndPort<Row>, kEndColumns<Row>);

inline PlaceRow place_of(const MeasuredRun& run, PortId port) {
  const PortId peer = run.network().graph.peer_of(port);
  return {.port = static_cast<double>(port),
          .from_switch = run.switch_at(port),
          .from_node = run.node_at(port),
          .from_port = run.port_number(port),
          .to_switch = run.switch_at(peer),
          .to_node = run.node_at(peer),
          .to_port = peer == kNone ? kNaN : run.port_number(peer)};
}
inline PlaceRow place_of(const MeasuredRun& run, const Root& root) {
  PlaceRow place = place_of(run, root.port);
  place.kind = name_of(root.kind);
  return place;
}

}  // namespace headway
