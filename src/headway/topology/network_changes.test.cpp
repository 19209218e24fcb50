// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/network_changes.h"

#include <gmock/gmock.h>

#include "headway/base/error.h"
#include "headway/config/assign.h"
#include "headway/topology/link_faults.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Link kLink{Rate{Rational(4)}, Duration{100}};

// Eight nodes; the link from leaf 0 to the first switch above it has a quarter of its rate.
Graph tree_with_slow_link() {
  Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}})->build(kLink);
  LinkFaults faults;
  faults.slow.at = {"0:2"};
  faults.slow_rate = 0.25;
  apply(faults, graph);
  return graph;
}

std::vector<double> rates(const Graph& graph) {
  std::vector<double> all;
  for (const Link& link : graph.link_classes()) all.push_back(link.rate.bytes_per_ns.to_double());
  return all;
}

TEST(NetworkChanges, FindsLinksThatAreSlowerThanTheirPeers) {
  EXPECT_THAT(slow_links(tree_with_slow_link()), ElementsAre("0:2"));
  EXPECT_THAT(slow_links(choose(topologies(), "mesh")->build(kLink)), IsEmpty());
}

TEST(NetworkChanges, GivesNamedLinksAndAllLinksTheirUsualRate) {
  for (const char* const name : {"0:2", "all"}) {
    const Graph graph = changed(tree_with_slow_link(), {.usual_rates = {name}});
    EXPECT_THAT(slow_links(graph), IsEmpty());
    EXPECT_THAT(rates(graph), ElementsAre(4)) << "the slow rate is no longer one of the network's";
  }
  const Graph other = changed(tree_with_slow_link(), {.usual_rates = {"0:3"}});
  EXPECT_THAT(slow_links(other), ElementsAre("0:2"));
}

TEST(NetworkChanges, RefusesLinksThatAreNotThere) {
  try {
    changed(tree_with_slow_link(), {.usual_rates = {"0:9", "x:1", "0"}});
    FAIL();
  } catch (const SpecError& error) {
    ASSERT_EQ(error.mistakes().size(), 3);
    EXPECT_EQ(error.mistakes()[0].key, "what_if.usual_rates");
    EXPECT_EQ(error.mistakes()[0].message, "switch 0 has no port 9");
  }
}

TEST(NetworkChanges, NamesLinksOfNodesByTheirSwitch) {
  Graph graph = choose(topologies(), "single-switch", {{"nodes", 4}})->build(kLink);
  graph.set_rate(graph.port(0, 3), Rate{Rational(1)});
  EXPECT_THAT(slow_links(graph), ElementsAre("0:3"));
  EXPECT_THAT(slow_links(changed(graph, {.usual_rates = {"0:3"}})), IsEmpty());
}

TEST(NetworkChanges, DoublesTheLinksOfNodesOrOfSwitches) {
  const Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build(kLink);
  const Graph nodes = changed(graph, {.doubled = DoubledLinks::nodes});
  const Graph switches = changed(graph, {.doubled = DoubledLinks::switches});
  for (PortId port = 0; port < graph.ports(); ++port) {
    const PortId peer = graph.peer_of(port);
    if (peer == kNone) continue;
    const bool of_node = graph.is_node_port(port) || graph.is_node_port(peer);
    EXPECT_EQ(nodes.link(port).rate.bytes_per_ns, Rational(of_node ? 8 : 4));
    EXPECT_EQ(switches.link(port).rate.bytes_per_ns, Rational(of_node ? 4 : 8));
  }
  EXPECT_EQ(nodes.fastest_injection().bytes_per_ns, Rational(8));
  EXPECT_THAT(rates_of_nodes(graph, nodes), ElementsAre(0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(rates_of_nodes(graph, switches), IsEmpty());
}

TEST(NetworkChanges, TakesAwayDelayButTheTimeOfAByte) {
  const Graph graph = changed(tree_with_slow_link(), {.no_delay = true});
  for (const Link& link : graph.link_classes())
    EXPECT_EQ(link.delay.ns, Rational(1) / link.rate.bytes_per_ns);
}

TEST(NetworkChanges, PutsAllNodesOnOnePerfectSwitchByTheirOwnLinks) {
  Graph graph = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build(kLink);
  graph.set_rate(graph.peer_of(graph.node_port(2)), Rate{Rational(1)});
  const Graph one = changed(graph, {.perfect_switch = true});
  EXPECT_EQ(one.switches(), 1);
  ASSERT_EQ(one.nodes(), 4);
  for (NodeId node = 0; node < 4; ++node) {
    EXPECT_EQ(one.peer_of(one.node_port(node)), one.port(0, node));
    EXPECT_EQ(one.link(one.node_port(node)), graph.link(graph.node_port(node)));
    EXPECT_EQ(one.link(one.port(0, node)), graph.link(graph.peer_of(graph.node_port(node))));
  }
}

}  // namespace
}  // namespace headway
