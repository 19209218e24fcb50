// SPDX-License-Identifier: Apache-2.0
#include "headway/routing/minimal_ports.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "headway/config/assign.h"
#include "headway/routing/dependencies.h"
#include "headway/routing/routing.h"
#include "headway/topology/distances.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using Sides = std::vector<std::int64_t>;

// Expects the ports that lead nearer to the destination in the graph. One of several parallel links is
// enough.
TEST(MinimalPorts, AreAllPortsOfShortestPaths) {
  const std::pair<const char*, std::pair<Sides, std::int64_t>> networks[] = {
      {"mesh", {{4, 3}, 2}},     {"mesh", {{3, 2, 3}, 1}}, {"torus", {{5, 4}, 1}},    {"torus", {{2, 3}, 3}},
      {"torus", {{4, 2, 3}, 1}}, {"hyperx", {{4, 3}, 2}},  {"hyperx", {{3, 2, 2}, 1}}};
  for (const auto& [name, size] : networks) {
    SCOPED_TRACE(name);
    const Graph graph =
        choose(topologies(), name, {{"sides", size.first}, {"nodes_per_switch", size.second}})->build({});
    const Routes routes = choose(routings(), "adaptive")->build(graph);
    ASSERT_TRUE(routes.choices);
    EXPECT_TRUE(find_dependency_cycle(graph, routes).empty());
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const Distances distances = distances_to(graph, switch_to(graph, node));
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
        std::set<SwitchId> nearer, chosen;
        for (const std::uint32_t local : ports_nearer(graph, sw, distances))
          nearer.insert(graph.switch_of(graph.peer_of(graph.port(sw, local))));
        PortList room;
        const MinimalPorts::Ports ports = routes.choices->at(sw, node, room);
        for (std::uint32_t i = 0; i < ports.size(); ++i) {
          chosen.insert(graph.switch_of(graph.peer_of(graph.port(sw, ports[i]))));
          EXPECT_TRUE(i == 0 || ports[i - 1] < ports[i]);
        }
        EXPECT_EQ(chosen, nearer) << sw << " to " << node;
        // the escape is one of them
        EXPECT_TRUE(nearer.empty() || nearer.contains(graph.switch_of(
                                          graph.peer_of(graph.port(sw, routes.table.at(sw, node).first)))));
      }
    }
  }
}

}  // namespace
}  // namespace headway
