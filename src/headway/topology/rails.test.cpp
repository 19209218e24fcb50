// SPDX-License-Identifier: Apache-2.0
// Rails: one network by hand, sizes against what is built, and what is refused.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "headway/config/assign.h"
#include "headway/topology/link_roles.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

Choice<Topology> rails(std::int64_t servers, std::int64_t gpus, const std::vector<Argument>& more = {}) {
  Choice<Topology> topology = choose(topologies(), "rails", {{"servers", servers}, {"gpus", gpus}});
  for (const Argument& argument : more) assign(*topology, argument);
  return topology;
}

std::string key_of_mistake(const Choice<Topology>& topology) {
  Mistakes mistakes;
  topology->check(mistakes);
  return mistakes.list().empty() ? "" : mistakes.list().front().key;
}

// Two servers of two GPUs, a switch in each; two rails with one leaf each, and two spines, because a leaf has
// two links down. Nodes of the graph: the scale-up link of GPU 0, its NIC, the scale-up link of GPU 1 ...
TEST(Rails, TwoServersByHand) {
  const Graph graph = rails(2, 2)->build({Rate{1}, Duration{4}});
  EXPECT_EQ(graph.switches(), 2U + 2U + 2U);
  EXPECT_EQ(graph.nodes(), 8U);
  EXPECT_EQ(graph.nodes_of_spec(), 4U);
  EXPECT_EQ(graph.switch_name(1), "server1.switch0");
  EXPECT_EQ(graph.switch_name(2), "rail0.leaf0");
  EXPECT_EQ(graph.switch_name(5), "spine1");
  EXPECT_EQ(graph.node_name(5), "2:1") << "the NIC of GPU 0 of the second server";
  EXPECT_EQ(graph.peer_of(graph.node_port(4)), graph.port(1, 0));
  EXPECT_EQ(graph.peer_of(graph.node_port(5)), graph.port(2, 1));
  EXPECT_EQ(graph.peer_of(graph.node_port(7)), graph.port(3, 1));
  EXPECT_EQ(graph.peer_of(graph.port(3, 2)), graph.port(4, 1)) << "leaf 1 is at port 1 of every spine";
  EXPECT_EQ(graph.link(graph.node_port(4)).rate, Rate{8});
  EXPECT_EQ(graph.link(graph.node_port(5)).rate, Rate{1});
  const Hosts& hosts = graph.hosts();
  EXPECT_TRUE(hosts.link(4).scale_up);
  EXPECT_EQ(hosts.link(5).rail, 0U);
  EXPECT_EQ(hosts.link(7).rail, 1U);
  EXPECT_TRUE(hosts.are_close(hosts.home(2), hosts.home(3)));
  EXPECT_FALSE(hosts.are_close(hosts.home(1), hosts.home(2)));
  EXPECT_EQ(hosts.way(hosts.home(0), hosts.home(3), 0), std::pair(NodeId{1}, NodeId{7}));
}

// With two servers of four GPUs, leaves and scale-up switches have four links each.
TEST(Rails, LinksForScaleUpAreNoPeersOfNics) {
  const Graph graph = rails(2, 4)->build({Rate{1}, Duration{4}});
  ASSERT_EQ(graph.radix(0), graph.radix(2));
  const LinkRoles roles(graph);
  EXPECT_EQ(graph.link(roles.usual(graph.node_port(0))).rate, Rate{8});
  EXPECT_EQ(graph.link(roles.usual(graph.node_port(1))).rate, Rate{1});
  EXPECT_EQ(graph.link(roles.usual(graph.port(2, 0))).rate, Rate{1}) << "from a leaf";
}

// The GPUs of a pod have links of their own, planes are copies, and everything has a link.
TEST(Rails, SizesAreThoseOfWhatIsBuilt) {
  for (const auto& topology :
       {rails(4, 4), rails(8, 2, {{"planes", std::int64_t{2}}}), rails(4, 4, {{"rails", std::int64_t{2}}}),
        rails(8, 2, {{"pods", std::int64_t{2}}, {"servers_per_leaf", std::int64_t{2}}}),
        rails(8, 2, {{"pods", std::int64_t{2}}, {"spines", std::int64_t{2}}, {"cores", std::int64_t{4}}}),
        rails(4, 4, {{"separate_rails", true}, {"servers_per_leaf", std::int64_t{2}}}),
        rails(4, 4, {{"spines", std::int64_t{0}}}), rails(4, 4, {{"oversubscription", 2.0}}),
        rails(4, 1, {{"scale_up_switches", std::int64_t{0}}})}) {
    ASSERT_EQ(key_of_mistake(topology), "");
    const Graph graph = topology->build({});
    EXPECT_EQ(graph.nodes(), topology->links_of_nodes());
    EXPECT_EQ(graph.nodes_of_spec(), topology->nodes());
    EXPECT_EQ(graph.switch_ports(), topology->switch_ports());
    for (PortId port = 0; port < graph.ports(); ++port) EXPECT_NE(graph.peer_of(port), kNone) << port;
  }
}

TEST(Rails, SeparateRailsAreNetworksOfTheirOwn) {
  const auto networks = [](const Choice<Topology>& topology) {
    const Graph graph = topology->build({});
    std::set<std::uint32_t> found;
    for (NodeId node = 0; node < graph.nodes(); ++node) found.insert(graph.hosts().link(node).network);
    return found.size();
  };
  EXPECT_EQ(networks(rails(4, 4)), 4U + 1U);
  EXPECT_EQ(networks(rails(4, 4, {{"separate_rails", true}})), 4U + 4U);
  EXPECT_EQ(networks(rails(4, 4, {{"spines", std::int64_t{0}}})), 4U + 4U);
  EXPECT_EQ(networks(rails(4, 4, {{"planes", std::int64_t{2}}})), 4U + 2U);
}

TEST(Rails, RefusesWhatDoesNotDivide) {
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"rails", std::int64_t{3}}})), "network.rails");
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"pods", std::int64_t{3}}})), "network.pods");
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"servers_per_leaf", std::int64_t{3}}})), "network.servers_per_leaf");
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"spines", std::int64_t{3}}})), "network.spines");
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"oversubscription", 3.0}})), "network.oversubscription");
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"cores", std::int64_t{2}}})), "network.cores");
  EXPECT_EQ(key_of_mistake(rails(4, 4, {{"pods", std::int64_t{2}}, {"spines", std::int64_t{0}}})),
            "network.pods");
  EXPECT_EQ(key_of_mistake(rails(65'000, 1000)), "network.servers");
}

}  // namespace
}  // namespace headway
