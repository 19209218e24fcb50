// SPDX-License-Identifier: Apache-2.0
// Routes from a file, and the mistakes of such a file, in its text and in its routes.
#include <gtest/gtest.h>

#include <fstream>

#include "headway/config/assign.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/hand_made.h"
#include "tests/support/npy_bytes.h"

namespace headway {
namespace {

class TableFile : public testing::Test {
 protected:
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt";
  const Graph line = choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{3}}})->build({});

  RouteTable routes(const Graph& graph, const std::string& text, const char* cycles = "refuse") {
    std::ofstream(path) << text;
    return choose(routings(), "table", {{"file", path}, {"cycles", cycles}})->build(graph).table;
  }
  std::vector<std::string> mistakes_of(const Graph& graph, const std::string& text) {
    std::vector<std::string> result;
    try {
      routes(graph, text);
    } catch (const SpecError& error) {
      for (const Mistake& m : error.mistakes()) {
        std::string said = m.where + ": " + m.message + (m.hint.empty() ? "" : "; " + m.hint);
        for (std::size_t at = said.find(path); at != std::string::npos; at = said.find(path))
          said.erase(at, path.size());
        result.push_back(said);
      }
    }
    return result;
  }
};

// Switches 0 - 1 - 2; ports: 0 node, 1 lower, 2 higher.
constexpr const char* kThreeInALine =
    "switch 0\n0 0\n* 2\nswitch 1  # the middle\n0 1\n1 0\n2 2\nswitch 2\n0-1 1\n2 0\n";

TEST_F(TableFile, IsReadAsItStands) {
  const RouteTable table = routes(line, kThreeInALine);
  const RouteTable dor = choose(routings(), "dor")->build(line).table;
  for (SwitchId sw = 0; sw < 3; ++sw)
    for (NodeId node = 0; node < 3; ++node) EXPECT_EQ(table.at(sw, node), dor.at(sw, node));
}

TEST_F(TableFile, ReportsEveryMistakeOfItsText) {
  EXPECT_EQ(mistakes_of(
                line, "0 0\nswitch 0\n0 3\n1 1\n5 0\nx 0\n1 2 3\nswitch 7\nswitch 1\n1 0\n0-2 1\n* 1\n* 2\n"),
            (std::vector<std::string>{
                ":1:1: a line with a switch must precede the first route; write \"switch NAME\"",
                ":3:1: switch 0 has no port \"3\"; ports 0 to 2",
                ":4:1: port 1 of switch 0 is not connected",
                ":5:1: there is no node \"5\"; 0 to 2",
                ":6:1: there is no node \"x\"; 0 to 2",
                ":7:1: \"1 2 3\" is not a route; write \"switch NAME\", or a destination and a port",
                ":8:1: there is no switch \"7\"; 0 to 2",
                ":11:1: switch 1 has a port for node 1; see :10:1",
                ":13:1: switch 1 already has a port for all other destinations; see :12:1",
            }));
  EXPECT_THROW(choose(routings(), "table")->build(line), SpecError);
  EXPECT_THROW(choose(routings(), "table", {{"file", "/nowhere/at.all"}})->build(line), SpecError);
}

TEST_F(TableFile, ReportsRoutesThatDoNotArrive) {
  EXPECT_EQ(
      mistakes_of(line, "switch 0\n* 2\nswitch 1\n0 1\n1 0\nswitch 2\n* 0\n"),
      (std::vector<std::string>{
          ":7:1: port 0 of switch 2 leads to node 2, not to 0",
          ":2:1: traffic for 0 circulates in a loop: switch 0 -> switch 1 -> switch 0",
          ":7:1: port 0 of switch 2 leads to node 2, not to 1",
          ":3:1: switch 1 has no port for destination 2; traffic for this destination reaches the switch"}));
}

// Switches 0 - 1 - 2, with two links between 0 and 1.
Graph two_links() {
  Graph graph(3, {3, 4, 2}, IrregularShape{});
  for (NodeId node = 0; node < 3; ++node) graph.connect(graph.node_port(node), graph.port(node, 0), {});
  graph.connect(graph.port(0, 1), graph.port(1, 1), {});
  graph.connect(graph.port(0, 2), graph.port(1, 2), {});
  graph.connect(graph.port(1, 3), graph.port(2, 1), {});
  return graph;
}

TEST_F(TableFile, GivesSeveralPorts) {
  const Graph graph = two_links();
  const char* text = "switch 0\n0 0\n* 2,1\nswitch 1\n0 1,2\n1 0\n2 3\nswitch 2\n2 0\n* 1\n";
  const RouteTable table = routes(graph, text);
  const auto ports = [&](SwitchId sw, NodeId destination) {
    const PortRange range = table.at(sw, destination);
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < range.count; ++i) list.push_back(table.port(sw, destination, range, i));
    return list;
  };
  EXPECT_EQ(ports(0, 1), (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(ports(1, 0), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(ports(1, 2), std::vector<std::uint32_t>{3});
  const PortRange of_pair = table.of_pair(0, 0, 1);
  EXPECT_EQ(of_pair.count, 1U);
  EXPECT_TRUE(of_pair.first == 1 || of_pair.first == 2);
  const Choice<Routing> pair = choose(routings(), "table", {{"file", path}}),
                        packet = choose(routings(), "table", {{"file", path}, {"choice", "packet"}});
  EXPECT_TRUE(pair->single_path());
  EXPECT_FALSE(pair->build(graph).table.by_destination());
  EXPECT_FALSE(packet->single_path());
  EXPECT_EQ(packet->build(graph).table.of_pair(0, 0, 1).count, 2U);
  routes(graph, "switch 0\n0 0\n* 2\nswitch 1\n0 1\n1 0\n2 3\nswitch 2\n2 0\n* 1\n");
  const Choice<Routing> one = choose(routings(), "table", {{"file", path}, {"choice", "packet"}});
  EXPECT_TRUE(one->build(graph).table.by_destination());
}

TEST_F(TableFile, CanBeAnArray) {
  const Graph graph = two_links();
  const auto array = [](const char* shape, const std::vector<std::int64_t>& ports) {
    std::string elements;
    for (const std::int64_t port : ports)
      elements += test::little_endian(static_cast<std::uint64_t>(port), 8);
    return test::npy("'<i8'", shape, elements);
  };
  const std::string one = array("(3, 3)", {0, 1, 1, 1, 0, 3, 1, 1, 0}),
                    several = array("(3, 3, 2)", {0, -1, 2, 1, 2, 1, 1, 2, 0, -1, 3, -1, 1, -1, 1, -1, 0, 0});
  EXPECT_EQ(routes(graph, one).at(1, 2).first, 3U);
  EXPECT_EQ(mistakes_of(graph, several), (std::vector<std::string>{": port 0 of switch 2 is given twice"}));
  const std::string good = array("(3, 3, 2)", {0, -1, 2, 1, 2, 1, 1, 2, 0, -1, 3, -1, 1, -1, 1, -1, 0, -1});
  const RouteTable table = routes(graph, good);
  EXPECT_EQ(table.at(0, 1).count, 2U);
  EXPECT_EQ(table.port(0, 1, table.at(0, 1), 0), 2U);
  EXPECT_FALSE(table.by_destination());
  EXPECT_TRUE(routes(graph, one).by_destination());
  EXPECT_EQ(mistakes_of(graph, array("(3, 3)", {0, 1, 9, 1, 0, -1, 1, 1, 0})),
            (std::vector<std::string>{": switch 0 has no port \"9\"; ports 0 to 2"}));
  EXPECT_EQ(
      mistakes_of(graph, array("(3, 3)", {0, 1, 1, 1, 0, -1, 1, 1, 0})),
      (std::vector<std::string>{": switch 1 has no port for destination 2; traffic for this destination "
                                "reaches the switch"}));
  EXPECT_EQ(mistakes_of(graph, array("(3, 2)", {0, 1, 1, 1, 0, 1})),
            (std::vector<std::string>{": its shape is 3 x 2; 3 x 3 in this network, or a third dimension for "
                                      "several ports"}));
  EXPECT_EQ(mistakes_of(graph, test::npy("'<f8'", "(3, 3)", std::string(72, '\0'))),
            (std::vector<std::string>{": its elements are not integers"}));
  EXPECT_EQ(mistakes_of(graph, one.substr(0, one.size() - 1)).size(), 1U);
}

TEST_F(TableFile, ChecksEveryPortOfSeveral) {
  const Graph graph = two_links();
  EXPECT_EQ(mistakes_of(graph, "switch 0\n0 0\n* 1,7\n1 1,1\n2 1,\n"),
            (std::vector<std::string>{":3:1: switch 0 has no port \"7\"; ports 0 to 2",
                                      ":4:1: port 1 is given twice",
                                      ":5:1: switch 0 has no port \"\"; ports 0 to 2"}));
  EXPECT_EQ(mistakes_of(graph, "switch 0\n0 0\n* 1,2\nswitch 1\n0 1,0\n1 0\n2 3,2\nswitch 2\n2 0\n* 1\n"),
            (std::vector<std::string>{
                ":5:1: port 0 of switch 1 leads to node 1, not to 0",
                ":3:1: traffic for 2 circulates in a loop: switch 0 -> switch 1 -> switch 0"}));
}

// A one-way ring: every packet goes round.
TEST_F(TableFile, RefusesACycleUnlessItIsAllowed) {
  const Graph ring = test::ring(3);
  const char* text = "switch 0\n0 0\n* 1\nswitch 1\n1 0\n* 1\nswitch 2\n2 0\n* 1\n";
  EXPECT_EQ(
      mistakes_of(ring, text),
      (std::vector<std::string>{
          ":3:1: links can wait for each other in a cycle, so the network can deadlock: switch 0 port 1 "
          "-> switch 1 port 1 -> switch 2 port 1 -> ...; cycles = \"allow\" permits such routes, "
          "and cycles = \"lanes\" those that switch.lane_table_file breaks"}));
  EXPECT_EQ(routes(ring, text, "allow").at(0, 2), (PortRange{1, 1}));
}

}  // namespace
}  // namespace headway
