// SPDX-License-Identifier: Apache-2.0
// Aggregators of switches that reduce and multicast (docs/programs.md, "Collectives in switches"). An
// aggregator is part of its switch. In the graph it is a host (hosts.h) with a link beside each port of the
// switch over which it exchanges messages, of the same rate, and with the delay of a byte, because no hop
// takes no time: what comes in by a port goes over the switch into the aggregator's link beside it, and what
// the aggregator sends by that link goes out by that port. So an aggregator receives from all its ports, and
// sends to all of them, at the rate of their links, and its packets wait in the switch as others do.
//
// Source: Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP): a hardware architecture for
// efficient data reduction", COMHPC 2016, in which an aggregation node is an adapter inside of the switch.
#pragma once

#include <cstdint>
#include <vector>

#include "headway/topology/graph.h"

namespace headway {

struct Aggregator {
  SwitchId sw = 0;
  std::vector<std::uint32_t> ports;  // local, ascending
};

// The graph with one more host for each switch after those of the nodes: its aggregator, which has no link if
// it is not among `aggregators`. These are in the order of their switches. The ports of aggregators are the
// last ones of their switches. Every link of the graph must have a reverse link.
Graph with_aggregators(const Graph& graph, const std::vector<Aggregator>& aggregators);
// The graph that they were added to, if any were, with all links that do not lead to them; of nodes with
// several links, every link is a node of its own.
Graph without_aggregators(const Graph& graph);

}  // namespace headway
