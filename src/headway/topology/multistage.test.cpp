// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/multistage.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/banyan.h"

namespace headway {
namespace {

// From every node, the route table leads over the graph's links to every node, through one switch per stage.
TEST(Multistage, RoutesEveryPairOverTheGraph) {
  for (const auto& wiring : wirings())
    for (const int fan : {2, 4}) {
      const Graph graph = choose(topologies(), wiring.name, {{"nodes", 16}, {"fan_in", fan}})->build({});
      const RouteTable routes = choose(routings(), "det")->build(graph).table;
      for (NodeId source = 0; source < 16; ++source)
        for (NodeId destination = 0; destination < 16; ++destination) {
          PortId input = graph.peer_of(graph.node_port(source));
          int hops = 0;
          for (; !graph.is_node_port(input); ++hops) {
            const SwitchId sw = graph.switch_of(input);
            const PortRange out = routes.at(sw, destination);
            ASSERT_EQ(out.count, 1);
            input = graph.peer_of(graph.port(sw, out.first));
          }
          EXPECT_EQ(graph.node_of(input), destination) << wiring.name;
          EXPECT_EQ(hops, fan == 2 ? 4 : 2);
        }
    }
}

TEST(Multistage, EveryPortIsWiredOnceInEachDirection) {
  for (const auto& wiring : wirings()) {
    const Graph graph = choose(topologies(), wiring.name)->build({});
    for (PortId port = 0; port < graph.ports(); ++port) {
      ASSERT_NE(graph.peer_of(port), kNone) << wiring.name;
      ASSERT_EQ(graph.source_of(graph.peer_of(port)), port) << wiring.name;
    }
  }
}

TEST(Multistage, LayersDoubleTowardsTheOutputs) {
  const auto choice = choose(topologies(), "omega", {{"layers", 4}});
  const auto& net = dynamic_cast<const Multistage&>(*choice);
  EXPECT_EQ(net.layers(), (std::vector<std::uint32_t>{1, 1, 1, 1, 2, 4}));
}

TEST(Multistage, AGraphHasOneLayerAndSquareSwitches) {
  for (const Argument& wrong : {Argument{"layers", 2}, Argument{"fan_out", 4}, Argument{"nodes", 48}}) {
    const auto choice = choose(topologies(), "omega", {wrong});
    Mistakes mistakes;
    choice->check(mistakes);
    ASSERT_EQ(mistakes.list().size(), 1U);
    EXPECT_EQ(mistakes.list().front().key, "network." + std::string(wrong.name));
  }
}

}  // namespace
}  // namespace headway
