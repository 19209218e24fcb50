// SPDX-License-Identifier: Apache-2.0
// PGFTs: one wired by hand, counts against the closed forms of Zahavi 2010, section 3, and planned trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "headway/config/assign.h"
#include "headway/config/parameters.h"
#include "headway/topology/distances.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Tree {
  Numbers children, parents, links;
};
Graph build(const Tree& tree) {
  return choose(topologies(), "pgft",
                {{"children", tree.children}, {"parents", tree.parents}, {"links", tree.links}})
      ->build({});
}
std::int64_t product(const Numbers& numbers, std::size_t from, std::size_t end) {
  std::int64_t result = 1;
  for (std::size_t i = from; i < end; ++i) result *= numbers[i];
  return result;
}

const Tree kTrees[] = {
    {{4}, {1}, {1}},
    {{4, 4}, {1, 2}, {1, 1}},            // 2:1 oversubscribed
    {{4, 4}, {1, 2}, {1, 2}},            // two links between every pair
    {{3, 2, 4}, {1, 3, 2}, {1, 1, 1}},   // different numbers at every level
    {{2, 3, 2}, {1, 2, 1}, {1, 2, 3}},   // one parent per switch below the top
    {{6, 6, 12}, {1, 6, 3}, {1, 1, 2}},  // 12-port switches, fully provisioned
    {{2, 2, 2, 2}, {1, 2, 1, 3}, {1, 1, 2, 1}},
};

// Two leaves of two nodes below two switches, with two links between each pair: ports up 2 and 3 lead to the
// first links of parents 0 and 1, ports 4 and 5 to the second ones.
TEST(Pgft, ParallelLinksByHand) {
  const Graph graph = build({{2, 2}, {1, 2}, {1, 2}});
  EXPECT_EQ(graph.switches(), 4U);
  EXPECT_EQ(graph.peer_of(graph.node_port(3)), graph.port(1, 1));
  const struct {
    SwitchId leaf;
    std::uint32_t up;
    SwitchId parent;
    std::uint32_t down;
  } links[] = {{0, 2, 2, 0}, {0, 3, 3, 0}, {0, 4, 2, 1}, {0, 5, 3, 1},
               {1, 2, 2, 2}, {1, 3, 3, 2}, {1, 4, 2, 3}, {1, 5, 3, 3}};
  for (const auto& l : links) {
    EXPECT_EQ(graph.peer_of(graph.port(l.leaf, l.up)), graph.port(l.parent, l.down)) << l.leaf << ':' << l.up;
    EXPECT_EQ(graph.peer_of(graph.port(l.parent, l.down)), graph.port(l.leaf, l.up));
  }
  EXPECT_EQ(graph.radix(2), 4U) << "no unused ports at the top";
}

TEST(Pgft, HasTheNodesSwitchesAndLinksOfItsClosedForms) {
  for (const Tree& tree : kTrees) {
    const Graph graph = build(tree);
    const std::size_t h = tree.children.size();
    SCOPED_TRACE(testing::PrintToString(tree.children));
    EXPECT_EQ(graph.nodes(), product(tree.children, 0, h));
    EXPECT_EQ(graph.stages(), h);
    std::vector<std::int64_t> switches(h);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      ++switches[static_cast<std::size_t>(graph.stage_of(sw))];
    std::map<std::pair<SwitchId, SwitchId>, std::int64_t> links;  // (lower, upper)
    for (PortId port = 0; port < graph.switch_ports(); ++port) {
      const PortId peer = graph.peer_of(port);
      ASSERT_NE(peer, kNone) << "every port is used";
      if (graph.is_node_port(peer) || graph.is_node_port(port)) continue;
      const SwitchId from = graph.switch_of(port), to = graph.switch_of(peer);
      if (graph.stage_of(from) < graph.stage_of(to)) ++links[{from, to}];
    }
    std::vector<std::int64_t> pairs(h);
    for (const auto& [pair, count] : links) {
      const auto above = static_cast<std::size_t>(graph.stage_of(pair.second));
      EXPECT_EQ(graph.stage_of(pair.first) + 1, graph.stage_of(pair.second));
      EXPECT_EQ(count, tree.links[above]);
      ++pairs[above];
    }
    for (std::size_t s = 0; s < h; ++s) {
      EXPECT_EQ(switches[s], product(tree.children, s + 1, h) * product(tree.parents, 0, s + 1)) << s;
      if (s > 0) EXPECT_EQ(pairs[s], switches[s] * tree.children[s]) << s;
    }
  }
}

// Two nodes are 2 l links apart, where l is the lowest level at which they are below one switch.
TEST(Pgft, NodesAreTwiceAsFarApartAsTheirCommonSwitchIsHigh) {
  for (const Tree& tree : kTrees) {
    const Graph graph = build(tree);
    SCOPED_TRACE(testing::PrintToString(tree.children));
    std::uint32_t diameter = 0;
    for (NodeId a = 0; a < graph.nodes(); ++a) {
      const auto far = distances_from(graph, switch_from(graph, a)).links;
      for (NodeId b = 0; b < graph.nodes(); ++b) {
        std::uint32_t level = 1;
        std::int64_t below = tree.children[0];
        for (; a / below != b / below; below *= tree.children[level++]) {
        }
        const std::uint32_t links = far[switch_to(graph, b)] + 2;
        EXPECT_EQ(links, 2 * level) << a << ' ' << b;
        diameter = std::max(diameter, links);
      }
    }
    EXPECT_EQ(diameter, 2 * tree.children.size());
  }
}

// Half of the m subtrees at the top can send m/2 w_1 ... w_h p_h packets at a time to the others. If every
// switch has as many up ports as down ports, this is one packet for each of their nodes.
TEST(Pgft, HasTheBisectionOfItsTop) {
  for (const Tree& tree : kTrees) {
    const std::size_t h = tree.children.size();
    if (h == 1 || tree.children[h - 1] % 2 != 0) continue;
    const Graph graph = build(tree);
    const std::int64_t of_subtree = product(tree.children, 0, h - 1);
    std::int64_t across = 0;  // from the first half of the subtrees to the top
    for (PortId port = 0; port < graph.switch_ports(); ++port) {
      const PortId peer = graph.peer_of(port);
      if (graph.is_node_port(peer) || graph.stage_of(graph.switch_of(peer)) + 1 != static_cast<int>(h))
        continue;
      NodeId node = 0;  // any node below
      for (PortId down = port; !graph.is_node_port(down);) {
        down = graph.peer_of(graph.port(graph.switch_of(down), 0));
        if (graph.is_node_port(down)) node = graph.node_of(down);
      }
      across += 2 * (node / of_subtree) < tree.children[h - 1];
    }
    const std::int64_t links = tree.children[h - 1] / 2 * product(tree.parents, 0, h) * tree.links[h - 1];
    EXPECT_EQ(across, links);
    bool full = true;
    for (std::size_t s = 0; s + 1 < h; ++s)
      full = full && tree.children[s] * tree.links[s] == tree.parents[s + 1] * tree.links[s + 1];
    if (full) EXPECT_EQ(links, graph.nodes() / 2);
  }
}

TEST(Pgft, IsAKAryNTreeWithoutTheUnusedPorts) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 3}, {"n", 3}})->build({});
  const Graph graph = build({{3, 3, 3}, {1, 3, 3}, {1, 1, 1}});
  ASSERT_EQ(graph.switches(), tree.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw)
    for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
      const PortId here = graph.peer_of(graph.port(sw, local)), there = tree.peer_of(tree.port(sw, local));
      ASSERT_EQ(graph.is_node_port(here), tree.is_node_port(there));
      if (graph.is_node_port(here)) {
        EXPECT_EQ(graph.node_of(here), tree.node_of(there));
      } else {
        EXPECT_EQ(std::pair(graph.switch_of(here), graph.local(here)),
                  std::pair(tree.switch_of(there), tree.local(there)));
      }
    }
}

// The lists that `headway check --resolved` prints for a planned tree. They describe the same tree.
struct Written final : ParameterVisitor<Written> {
  std::map<std::string, Numbers> lists;

  void visit(const Parameter&, auto&) {}
  void visit(const Parameter& p, Numbers& value) { lists[std::string(p.name)] = value; }
};

TEST(Pgft, SaysWhichTreeABuyerGets) {
  auto bought = choose(topologies(), "pgft",
                       {{"radix", 36}, {"levels", 3}, {"nodes", 2048}, {"oversubscription", 2.0}});
  Written written;
  bought->describe(written);
  EXPECT_EQ(written.lists["children"], (Numbers{16, 16, 8}));
  EXPECT_EQ(written.lists["parents"], (Numbers{1, 8, 4}));
  EXPECT_EQ(written.lists["links"], (Numbers{1, 1, 4}));
  for (const auto& [name, list] : written.lists) assign(*bought, Argument{name, list});
  Mistakes mistakes;
  bought->check(mistakes);
  EXPECT_TRUE(mistakes.empty()) << "the same lists again are no contradiction";
  const Graph graph = bought->build({});
  EXPECT_EQ(graph.nodes(), 2048U);
  EXPECT_EQ(graph.switches(), 224U);
  EXPECT_LE(graph.max_radix(), 36U);
  EXPECT_EQ(bought->nodes(), 2048);
  EXPECT_EQ(bought->switch_ports(), graph.switch_ports());
}

TEST(Pgft, RefusesWhatIsNoTree) {
  using testing::HasSubstr;
  const struct {
    std::vector<Argument> arguments;
    const char* key;
    const char* says;
  } cases[] = {
      {{{"children", Numbers{4, 4, 4}}}, "network.parents", "2 numbers for 3 levels"},
      {{{"links", Numbers{1}}}, "network.links", "1 numbers for 2 levels"},
      {{{"parents", Numbers{2, 2}}}, "network.parents", "a node has one link"},
      {{{"links", Numbers{2, 1}}}, "network.links", "a node has one link"},
      {{{"children", Numbers{60'000, 4}}, {"parents", Numbers{1, 60'000}}},
       "network.children",
       "120000 ports"},
      {{{"children", Numbers{5000, 5000}}}, "network.children", "nodes"},
      {{{"radix", 36}}, "network.nodes", "is missing"},
      {{{"nodes", 64}}, "network.radix", "is missing"},
      {{{"radix", 36}, {"nodes", 64}, {"children", Numbers{8, 8}}}, "network.children", "radix and nodes"},
      {{{"radix", 4}, {"nodes", 64}, {"levels", 2}}, "network.nodes", "at most 8 nodes fit in 2 levels"},
      {{{"radix", 36}, {"nodes", 2047}, {"levels", 3}, {"oversubscription", 2.0}},
       "network.nodes",
       "2048 nodes fit in 3 levels"},
  };
  for (const auto& c : cases) {
    auto topology = choose(topologies(), "pgft");
    for (const Argument& argument : c.arguments) assign(*topology, argument);
    Mistakes mistakes;
    topology->check(mistakes);
    ASSERT_EQ(mistakes.list().size(), 1U) << c.says;
    EXPECT_EQ(mistakes.list()[0].key, c.key);
    EXPECT_THAT(mistakes.list()[0].message + "; " + mistakes.list()[0].hint, HasSubstr(c.says));
  }
}

}  // namespace
}  // namespace headway
