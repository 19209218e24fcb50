// SPDX-License-Identifier: Apache-2.0
// DBBM's mappings: its own example, the victims of a hot destination, and sizes that do not divide evenly.
#include <gtest/gtest.h>

#include <set>

#include "headway/config/assign.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/routes.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

QueueMap build(std::int64_t nodes, std::int64_t queues, const char* mapping) {
  const Graph graph = choose(topologies(), "single-switch", {{"nodes", nodes}})->build({});
  return choose(schemes(), "dbbm", {{"queues", queues}, {"mapping", mapping}})->build(graph);
}

std::vector<std::uint32_t> victims(const QueueMap& map, NodeId hot) {
  std::vector<std::uint32_t> result;
  for (NodeId node = 0; node < map.queue_of.size(); ++node)
    if (node != hot && map.queue_of[node] == map.queue_of[hot]) result.push_back(node);
  return result;
}

TEST(Dbbm, ModuloTakesTheLowBitsAndBlockTheHighOnes) {
  EXPECT_EQ(build(256, 16, "modulo").queue_of[0xa7], 0x7U);  // section 4: the four least significant bits
  EXPECT_EQ(build(256, 16, "block").queue_of[0xa7], 0xaU);
}

// Section 5.3: with 8 queues and endpoint 30 hot, 7 of 64 destinations suffer.
TEST(Dbbm, ShowsWhoSharesTheQueueOfAHotDestination) {
  EXPECT_EQ(victims(build(64, 8, "modulo"), 30), (std::vector<std::uint32_t>{6, 14, 22, 38, 46, 54, 62}));
  EXPECT_EQ(victims(build(64, 8, "block"), 30), (std::vector<std::uint32_t>{24, 25, 26, 27, 28, 29, 31}));
}

TEST(Dbbm, ChoosesASetByTheLowBitsAndAQueueOfItByTheHighOnes) {
  const auto mapped = [](std::int64_t ways) {
    const Graph graph = choose(topologies(), "single-switch", {{"nodes", 64}})->build({});
    return choose(schemes(), "dbbm", {{"queues", 8}, {"mapping", "set-associative"}, {"ways", ways}})
        ->build(graph);
  };
  EXPECT_EQ(mapped(1).queue_of, build(64, 8, "modulo").queue_of);
  EXPECT_EQ(mapped(8).queue_of, build(64, 8, "block").queue_of);
  EXPECT_EQ(victims(mapped(2), 30), (std::vector<std::uint32_t>{2, 6, 10, 14, 18, 22, 26}));
  EXPECT_EQ(mapped(2).queue_of[30], 4U) << "set 2, first half";
  EXPECT_EQ(mapped(2).queue_of[62], 5U);
}

TEST(Dbbm, SpreadsAnyNumberOfDestinationsEvenly) {
  for (const char* mapping : {"modulo", "block"}) {
    const QueueMap map = build(10, 4, mapping);
    std::vector<int> members(4);
    for (const std::uint32_t queue : map.queue_of) ++members[queue];
    for (const int count : members) EXPECT_TRUE(count == 2 || count == 3) << mapping;
  }
}

// Why D-mod-K in the first stage and DBBM do not go together (Rocher-Gonzalez et al., arXiv 2502.00597,
// appendix A): the packets behind an up port of a leaf all have the same destination modulo k, so that they
// share a queue.
TEST(Dbbm, HasOneQueueBehindAnUpPortOfDModK) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}})->build({});
  const QueueMap map = choose(schemes(), "dbbm", {{"queues", 4}})->build(graph);
  const auto queues_behind = [&](const RouteTable& routes, std::uint16_t port) {
    std::set<std::uint32_t> queues;
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const PortRange range = routes.at(0, node);
      if (range.first <= port && port < range.first + range.count) queues.insert(map.queue_of[node]);
    }
    return queues.size();
  };
  const auto routed = [&](Arguments keys) {
    return choose(routings(), "adaptive", keys)->build(graph).table;
  };
  const RouteTable second = routed({{"choose_in", std::vector<std::int64_t>{1}}}),
                   half = routed({{"choose_among", 2}}), all = routed({});
  for (std::uint16_t port = 4; port < 8; ++port) {
    EXPECT_EQ(queues_behind(choose(routings(), "det")->build(graph).table, port), 1U);
    EXPECT_EQ(queues_behind(second, port), 1U);
    EXPECT_EQ(queues_behind(half, port), 2U);
    EXPECT_EQ(queues_behind(all, port), 4U);
  }
}

}  // namespace
}  // namespace headway
