// SPDX-License-Identifier: Apache-2.0
// Dragonfly+: counts against the closed forms of Shpiner et al., HiPINEB 2017, section III.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

TEST(DragonflyPlus, HasTheLinksOfItsClosedForm) {
  for (const char* arrangement : {"absolute", "relative", "palm-tree"})
    for (const auto& [p, leaves, spines, h, g] :
         {std::array{2, 4, 4, 2, 9}, {1, 2, 3, 2, 4}, {3, 1, 2, 2, 5}, {2, 3, 1, 3, 4}, {1, 2, 2, 3, 3}}) {
      SCOPED_TRACE(testing::Message()
                   << arrangement << ' ' << p << ' ' << leaves << ' ' << spines << ' ' << g);
      const auto topology = choose(topologies(), "dragonfly-plus",
                                   {{"p", p},
                                    {"leaves", leaves},
                                    {"spines", spines},
                                    {"h", h},
                                    {"g", g},
                                    {"arrangement", std::string(arrangement)}});
      const Graph graph = topology->build({});
      EXPECT_EQ(graph.nodes(), static_cast<NodeId>(p * leaves * g));
      EXPECT_EQ(topology->nodes(), graph.nodes());
      EXPECT_EQ(graph.switches(), static_cast<SwitchId>((leaves + spines) * g));
      EXPECT_EQ(topology->switch_ports(), graph.switch_ports());
      std::map<std::pair<int, int>, int> of_groups;
      int in_groups = 0;
      for (PortId port = 0; port < graph.switch_ports(); ++port) {
        const PortId peer = graph.peer_of(port);
        if (peer == kNone || graph.is_node_port(peer)) continue;
        EXPECT_EQ(graph.peer_of(peer), port);
        const int from = static_cast<int>(graph.switch_of(port)),
                  to = static_cast<int>(graph.switch_of(peer));
        const int group = leaves + spines;
        const bool is_leaf = from % group < leaves, to_leaf = to % group < leaves;
        if (from / group == to / group) {
          EXPECT_NE(is_leaf, to_leaf);
          ++in_groups;
        } else {
          EXPECT_FALSE(is_leaf || to_leaf);
          ++of_groups[{from / group, to / group}];
        }
      }
      EXPECT_EQ(in_groups, 2 * g * leaves * spines);
      EXPECT_EQ(of_groups.size(), static_cast<std::size_t>(g * (g - 1)));
      for (const auto& [pair, count] : of_groups) EXPECT_EQ(count, spines * h / (g - 1));
    }
}

TEST(DragonflyPlus, RefusesMoreGroupsThanLinks) {
  Mistakes mistakes;
  choose(topologies(), "dragonfly-plus", {{"spines", 2}, {"h", 2}, {"g", 6}})->check(mistakes);
  ASSERT_EQ(mistakes.list().size(), 1U);
  EXPECT_EQ(mistakes.list()[0].key, "network.g");
  EXPECT_EQ(mistakes.list()[0].hint, "at most spines * h + 1 = 5");
}

}  // namespace
}  // namespace headway
