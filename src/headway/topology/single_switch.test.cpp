// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

TEST(SingleSwitch, AttachesEveryNodeAtItsPort) {
  for (const std::int64_t nodes : {1, 2, 16, 65535}) {
    const auto topology = choose(topologies(), "single-switch", {{"nodes", nodes}});
    const Graph graph = topology->build({});
    EXPECT_EQ(topology->nodes(), nodes);
    EXPECT_EQ(graph.switches(), 1U);
    EXPECT_EQ(graph.radix(0), nodes);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      ASSERT_EQ(graph.peer_of(graph.node_port(node)), graph.port(0, node));
  }
}

}  // namespace
}  // namespace headway
