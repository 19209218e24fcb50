// SPDX-License-Identifier: Apache-2.0
// The k-ary n-tree against the sizes of OBQA's Table 1 and a 2-ary 3-tree wired by hand.
#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Graph tree(std::int64_t k, std::int64_t n) {
  return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}})->build({});
}

TEST(KAryNTree, HasTheSizesOfTheObqaPaper) {
  const struct {
    std::int64_t k, n;
    std::uint32_t nodes, switches, radix;
  } cases[] = {{4, 3, 64, 48, 8}, {4, 4, 256, 256, 8}, {16, 2, 256, 32, 32}, {8, 1, 8, 1, 16}};
  for (const auto& c : cases) {
    const Graph graph = tree(c.k, c.n);
    EXPECT_EQ(graph.nodes(), c.nodes);
    EXPECT_EQ(graph.switches(), c.switches);
    EXPECT_EQ(graph.max_radix(), c.radix);
  }
}

TEST(KAryNTree, IsWiredAsDrawn) {
  // 2-ary 3-tree, switches <s, o1 o0> = 4 s + 2 o1 + o0, ports 0, 1 down and 2, 3 up
  const Graph graph = tree(2, 3);
  const struct {
    SwitchId from;
    std::uint32_t out;
    SwitchId to;
    std::uint32_t in;
  } links[] = {
      {0, 2, 4, 0}, {0, 3, 5, 0},  {1, 2, 4, 1}, {1, 3, 5, 1},  {2, 2, 6, 0}, {3, 3, 7, 1},
      {4, 2, 8, 0}, {4, 3, 10, 0}, {5, 2, 9, 0}, {5, 3, 11, 0}, {6, 2, 8, 1}, {7, 3, 11, 1},
  };
  for (const auto& l : links) {
    EXPECT_EQ(graph.peer_of(graph.port(l.from, l.out)), graph.port(l.to, l.in)) << l.from << ':' << l.out;
    EXPECT_EQ(graph.peer_of(graph.port(l.to, l.in)), graph.port(l.from, l.out));
  }
  for (NodeId node = 0; node < 8; ++node)
    EXPECT_EQ(graph.peer_of(graph.node_port(node)), graph.port(node / 2, node % 2));
  for (SwitchId top = 8; top < 12; ++top)
    for (const std::uint32_t up : {2U, 3U}) EXPECT_EQ(graph.peer_of(graph.port(top, up)), kNone);
}

TEST(KAryNTree, RefusesWhatPortNumbersCannotHold) {
  const auto topology = choose(topologies(), "k-ary-n-tree", {{"k", 32767}, {"n", 24}});
  Mistakes mistakes;
  topology->check(mistakes);
  ASSERT_EQ(mistakes.list().size(), 1U);
  EXPECT_EQ(mistakes.list()[0].key, "network.n");
}

}  // namespace
}  // namespace headway
