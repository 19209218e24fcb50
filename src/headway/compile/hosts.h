// SPDX-License-Identifier: Apache-2.0
// Traffic between nodes with several links (topology/hosts.h): what patterns and traces say of nodes of the
// spec, as the engine knows them, and what a load of such a node is (docs/modelling.md, "Nodes with several
// links").
#pragma once

#include <memory>
#include <vector>

#include "headway/base/error.h"
#include "headway/spec/spec.h"
#include "headway/topology/graph.h"
#include "headway/traffic/message_list.h"
#include "headway/traffic/pattern.h"

namespace headway {

// The rate that a load of 1 has at a node of the spec: the links that are not for scale-up, together; if all
// messages of the load are `close` (Hosts::are_close), or there are no others, the links for scale-up.
Rational load_rate(const Graph& graph, NodeId node_of_spec, bool close);
// Returns true if all messages of a node of the spec with this pattern are close.
bool sends_close(const Graph& graph, const Destinations& of_spec, NodeId node_of_spec);

// The pattern between the homes of nodes.
std::shared_ptr<const Destinations> between_homes(std::shared_ptr<const Destinations> of_spec,
                                                  std::shared_ptr<const Graph> graph);
std::shared_ptr<const MessageList> between_homes(std::shared_ptr<const MessageList> of_spec,
                                                 std::shared_ptr<const Graph> graph);
void turn_into_homes(std::vector<NodeId>& nodes_of_spec, const Graph& graph);

// Returns true if there is a way between any two nodes.
bool reach_all(const Hosts& hosts);

}  // namespace headway
