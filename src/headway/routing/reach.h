// SPDX-License-Identifier: Apache-2.0
// Finds every input of a switch that traffic for a destination can enter, by following all candidates from
// all nodes.
#pragma once

#include <utility>
#include <vector>

#include "headway/base/cancel_scope.h"
#include "headway/routing/route_table.h"

namespace headway {

class Reach {
 public:
  Reach(const Graph& graph, const RouteTable& routes)
      : graph_(graph), routes_(routes), visited_(graph.switches(), kNone) {}

  // Calls enters(output, input) once for every link by which a packet for `destination` can enter a switch.
  template <class Enters>
  void follow(NodeId destination, Enters&& enters) {
    poll_cancel();
    const auto arrive = [&](PortId output) {
      const PortId input = graph_.peer_of(output);
      if (input == kNone || graph_.is_node_port(input)) return;
      const SwitchId sw = graph_.switch_of(input);
      enters(output, input);
      if (std::exchange(visited_[sw], destination) != destination) frontier_.push_back(sw);
    };
    for (NodeId source = 0; source < graph_.nodes(); ++source) arrive(graph_.node_port(source));
    while (!frontier_.empty()) {
      const SwitchId sw = frontier_.back();
      frontier_.pop_back();
      const PortRange candidates = routes_.at(sw, destination);
      for (std::uint32_t c = 0; c < candidates.count; ++c)
        arrive(graph_.port(sw, routes_.port(sw, destination, candidates, c)));
    }
  }

 private:
  const Graph& graph_;
  const RouteTable& routes_;
  std::vector<NodeId> visited_;  // [switch] the destination it was last reached for
  std::vector<SwitchId> frontier_;
};

}  // namespace headway
