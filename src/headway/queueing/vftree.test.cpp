// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "headway/config/assign.h"
#include "headway/queueing/scheme.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

// What the patent claims: flows of a source switch to different destination switches are in different lanes,
// as far as there are enough lanes, and both directions of a pair have the same lane.
TEST(VfTree, SpreadsDestinationSwitchesOverLanes) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}})->build({});
  for (const std::int64_t queues : {1, 3, 4, 8, 16}) {
    const QueueMap map = choose(schemes(), "vftree", {{"queues", queues}})->build(graph);
    EXPECT_EQ(map.queues, queues);
    for (NodeId source = 0; source < graph.nodes(); ++source) {
      std::vector<std::uint32_t> leaves_in(map.queues);
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        const std::uint32_t queue = map.at(0, 0, source, node);
        EXPECT_EQ(queue, map.at(9, 1, node, source));
        EXPECT_EQ(queue, map.at(0, 0, source, node / 4 * 4));
        if (node % 4 == 0) ++leaves_in[queue];
      }
      const auto [least, most] = std::ranges::minmax(leaves_in);
      EXPECT_LE(most - least, 1U);
    }
  }
}

}  // namespace
}  // namespace headway
