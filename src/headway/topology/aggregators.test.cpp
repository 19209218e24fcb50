// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/aggregators.h"

#include <gtest/gtest.h>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

TEST(Aggregators, AreHostsAfterTheNodesWithALinkBesideEachPort) {
  const Link link{Rate{Rational(2)}, Duration{7}};
  const Graph base = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build(link);
  const Graph graph = with_aggregators(base, {{0, {0, 2}}, {2, {0}}});
  EXPECT_EQ(graph.nodes_of_spec(), 4U);
  EXPECT_EQ(graph.nodes_and_aggregators(), 4U + 4U) << "one for each switch";
  EXPECT_EQ(graph.nodes(), 7U);
  EXPECT_EQ(graph.radix(0), base.radix(0) + 2);
  EXPECT_EQ(graph.radix(1), base.radix(1));
  for (const NodeId node : {4U, 5U, 6U}) {
    const PortId at = graph.peer_of(graph.node_port(node));
    EXPECT_EQ(graph.switch_of(at), node < 6 ? 0U : 2U);
    EXPECT_EQ(graph.link(at).rate, link.rate);
    EXPECT_EQ(graph.link(at).delay, Duration{Rational(1, 2)}) << "that of a byte";
  }
  // Links between switches and nodes are those of before.
  for (PortId port = 0; port < base.switch_ports(); ++port) {
    const PortId same = graph.port(base.switch_of(port), base.local(port)), peer = base.peer_of(port);
    if (peer == kNone) continue;
    EXPECT_EQ(graph.peer_of(same), base.is_node_port(peer)
                                       ? graph.node_port(base.node_of(peer))
                                       : graph.port(base.switch_of(peer), base.local(peer)));
    EXPECT_EQ(graph.link(same), link);
  }
  const Graph again = without_aggregators(graph);
  ASSERT_EQ(again.nodes(), base.nodes());
  ASSERT_EQ(again.switch_ports(), base.switch_ports());
  for (PortId port = 0; port < base.ports(); ++port) EXPECT_EQ(again.peer_of(port), base.peer_of(port));
}

TEST(Aggregators, ExchangeMessagesOverTheLinkBesideTheirPort) {
  const Graph base = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build({});
  const PortId up = base.port(0, 2), down = base.peer_of(up);  // of a leaf, to a root
  const Graph graph = with_aggregators(base, {{0, {0, 1, 2}}, {base.switch_of(down), {base.local(down)}}});
  const Hosts& hosts = graph.hosts();
  const NodeId leaf = graph.home(4), root = graph.home(4 + base.switch_of(down));
  EXPECT_EQ(hosts.ways(0, leaf), 1U);
  EXPECT_EQ(hosts.way(0, leaf, 0), std::pair(NodeId{0}, leaf));
  EXPECT_EQ(hosts.way(1, leaf, 0), std::pair(NodeId{1}, leaf + 1));
  EXPECT_EQ(hosts.way(leaf, root, 0), std::pair(leaf + 2, root));
  EXPECT_EQ(hosts.way(root, leaf, 0), std::pair(root, leaf + 2));
  EXPECT_EQ(hosts.ways(0, 3), 1U) << "nodes reach each other as before";
}

}  // namespace
}  // namespace headway
