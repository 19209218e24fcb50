// SPDX-License-Identifier: Apache-2.0
// Dragonflies: a small network checked by hand, and counts against the closed forms of Kim et al., ISCA 2008,
// section 3.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Graph dragonfly(std::int64_t p, std::int64_t a, std::int64_t h, std::int64_t g,
                const char* arrangement = "absolute") {
  return choose(topologies(), "dragonfly",
                {{"p", p}, {"a", a}, {"h", h}, {"g", g}, {"arrangement", std::string(arrangement)}})
      ->build({});
}

// Three groups of two switches. Ports: 0 node, 1 the other switch, 2 another group.
TEST(Dragonfly, OfThreeGroupsByHand) {
  const Graph graph = dragonfly(1, 2, 1, 3);
  EXPECT_EQ(graph.nodes(), 6U);
  EXPECT_EQ(graph.peer_of(graph.node_port(3)), graph.port(3, 0));
  EXPECT_EQ(graph.peer_of(graph.port(2, 1)), graph.port(3, 1));
  // group 0 has links to 1 and 2, in this order; group 1 to 0 and 2; group 2 to 0 and 1
  EXPECT_EQ(graph.peer_of(graph.port(0, 2)), graph.port(2, 2));
  EXPECT_EQ(graph.peer_of(graph.port(1, 2)), graph.port(4, 2));
  EXPECT_EQ(graph.peer_of(graph.port(3, 2)), graph.port(5, 2));
  const Graph relative = dragonfly(1, 2, 1, 3, "relative");  // to the next group, and to the one after it
  EXPECT_EQ(relative.peer_of(relative.port(0, 2)), relative.port(3, 2));
  EXPECT_EQ(relative.peer_of(relative.port(1, 2)), relative.port(4, 2));
  EXPECT_EQ(relative.peer_of(relative.port(2, 2)), relative.port(5, 2));
  const Graph palm_tree = dragonfly(1, 2, 1, 3, "palm-tree");  // to the group before, and to that before it
  EXPECT_EQ(palm_tree.peer_of(palm_tree.port(0, 2)), palm_tree.port(5, 2));
  EXPECT_EQ(palm_tree.peer_of(palm_tree.port(1, 2)), palm_tree.port(2, 2));
}

TEST(Dragonfly, HasTheLinksOfItsClosedForm) {
  for (const char* arrangement : {"absolute", "relative", "palm-tree"})
    for (const auto& [p, a, h, g] :
         {std::array{2, 4, 2, 9}, {1, 3, 2, 4}, {1, 4, 3, 5}, {3, 1, 4, 5}, {2, 2, 3, 6}}) {
      SCOPED_TRACE(testing::Message() << arrangement << ' ' << p << ' ' << a << ' ' << h << ' ' << g);
      const Graph graph = dragonfly(p, a, h, g, arrangement);
      EXPECT_EQ(graph.nodes(), static_cast<NodeId>(p * a * g));
      EXPECT_EQ(graph.switches(), static_cast<SwitchId>(a * g));
      std::map<std::pair<SwitchId, SwitchId>, int> links;  // between switches, and between groups
      std::map<std::pair<SwitchId, SwitchId>, int> of_groups;
      for (PortId port = 0; port < graph.switch_ports(); ++port) {
        const PortId peer = graph.peer_of(port);
        if (peer == kNone || graph.is_node_port(peer)) continue;
        const SwitchId from = graph.switch_of(port), to = graph.switch_of(peer);
        EXPECT_EQ(graph.peer_of(peer), port);
        if (from / a == to / a)
          ++links[{from, to}];
        else
          ++of_groups[{from / a, to / a}];
      }
      EXPECT_EQ(links.size(), static_cast<std::size_t>(g * a * (a - 1)));
      for (const auto& [pair, count] : links) EXPECT_EQ(count, 1);
      const int copies = a * h / (g - 1);
      EXPECT_EQ(of_groups.size(), static_cast<std::size_t>(g * (g - 1)));
      for (const auto& [pair, count] : of_groups) EXPECT_EQ(count, copies);
    }
}

TEST(Dragonfly, OfTheDefaultSizeIsTheLargest) {
  const auto largest = choose(topologies(), "dragonfly", {{"p", 4}, {"a", 8}, {"h", 4}});
  EXPECT_EQ(largest->nodes(), 1056);
  EXPECT_EQ(largest->switch_ports(), 264 * 15);
}

TEST(Dragonfly, RefusesMoreGroupsThanLinks) {
  Mistakes mistakes;
  choose(topologies(), "dragonfly", {{"a", 2}, {"h", 2}, {"g", 6}})->check(mistakes);
  ASSERT_EQ(mistakes.list().size(), 1U);
  EXPECT_EQ(mistakes.list()[0].key, "network.g");
  EXPECT_EQ(mistakes.list()[0].hint, "at most a * h + 1 = 5");
  for (const auto& [p, a, h] : {std::array{65'000, 1, 65'000}, {1, 65'000, 65'000}, {65'000, 65'000, 1}}) {
    Mistakes of_size;
    choose(topologies(), "dragonfly", {{"p", p}, {"a", a}, {"h", h}})->check(of_size);
    EXPECT_EQ(of_size.list().size(), 1U) << p << ' ' << a << ' ' << h;
  }
}

}  // namespace
}  // namespace headway
