// SPDX-License-Identifier: Apache-2.0
// OBQA on the 2-ary 3-tree of its Figure 3 (section 3): which destinations share a queue at port 0 of
// switches 0, 4 and 8 if there are two queues.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/walk.h"

namespace headway {
namespace {

TEST(Obqa, AgreesWithTheExampleOfThePaper) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}})->build({});
  const RouteTable routes = choose(routings(), "det")->build(graph).table;
  const QueueMap map = choose(schemes(), "obqa", {{"queues", 2}})->build(graph);
  ASSERT_EQ(map.key, QueueKey::output);
  const struct {
    SwitchId sw;
    NodeId destination;
    std::uint32_t queue;
  } cases[] = {
      {0, 1, 1}, {0, 3, 1}, {0, 5, 1}, {0, 7, 1}, {0, 2, 0},
      {0, 4, 0}, {0, 6, 0}, {4, 4, 0}, {4, 2, 1}, {4, 6, 1},
  };
  for (const auto& c : cases)
    EXPECT_EQ(map.queue_of[routes.at(c.sw, c.destination).first], c.queue) << c.sw << " to " << c.destination;
}

// "at switch 8, port 0 only receives packets addressed to destination 4": checked for packets from node 0.
TEST(Obqa, LeavesOneDestinationAtTheTop) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}})->build({});
  const RouteTable routes = choose(routings(), "det")->build(graph).table;
  std::vector<NodeId> seen;
  for (NodeId destination = 1; destination < 8; ++destination)
    test::walk(graph, routes, 0, destination, [&](PortId output) {
      if (graph.peer_of(output) == graph.port(8, 0)) seen.push_back(destination);
    });
  EXPECT_EQ(seen, std::vector<NodeId>{4});
}

}  // namespace
}  // namespace headway
