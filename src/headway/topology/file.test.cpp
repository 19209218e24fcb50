// SPDX-License-Identifier: Apache-2.0
// A network from a file, and every mistake such a file can have, each with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

class TopologyFile : public testing::Test {
 protected:
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";

  Choice<Topology> of(const std::string& text) {
    std::ofstream(path) << text;
    return choose(topologies(), "file", {{"file", path}});
  }
  // "line:column: key: message; hint", without the path.
  std::vector<std::string> mistakes_of(const std::string& text) {
    Mistakes mistakes;
    of(text)->check(mistakes);
    std::vector<std::string> result;
    for (const Mistake& m : mistakes.list()) {
      std::string line = m.where + ": " + m.key + ": " + m.message + (m.hint.empty() ? "" : "; " + m.hint);
      for (std::size_t at = line.find(path); at != std::string::npos; at = line.find(path))
        line.erase(at, path.size() + (at == 0 ? 1 : 0));
      result.push_back(line);
    }
    return result;
  }
};

TEST_F(TopologyFile, HasNodesOfSeveralLinks) {
  const auto topology = of(R"([[switch]]
name = "nvswitch"
[[switch]]
name = "leaf"
[[node]]
name = "gpu"
count = 2
[[node.link]]
at = "nvswitch"
rate = "8 GB/s"
scale_up = true
[[node.link]]
at = "leaf"
rail = 3
[[node]]
at = "leaf"
)");
  Mistakes mistakes;
  topology->check(mistakes);
  ASSERT_TRUE(mistakes.empty()) << mistakes.list()[0].message;
  EXPECT_EQ(topology->nodes(), 3);
  EXPECT_EQ(topology->links_of_nodes(), 5);
  EXPECT_EQ(topology->names().nodes, (std::vector<std::string>{"gpu", "1", "2"}));
  const Graph graph = topology->build({});
  EXPECT_EQ(graph.nodes(), 5U);
  EXPECT_EQ(graph.node_name(1), "gpu:1");
  EXPECT_EQ(graph.peer_of(graph.node_port(3)), graph.port(1, 1));
  const Hosts& hosts = graph.hosts();
  EXPECT_TRUE(hosts.are_close(0, 2));
  EXPECT_EQ(hosts.way(0, 4, 0), std::pair(NodeId{1}, NodeId{4})) << "beyond, over the leaf";
  EXPECT_EQ(hosts.link(1).rail, 3U);
}

TEST_F(TopologyFile, TellsMistakesInLinksOfNodes) {
  EXPECT_THAT(
      mistakes_of("[[switch]]\n[[node]]\n[[node.link]]\nscale_up = 3\nspeed = 2\n[[node.link]]\nat = "
                  "\"1\"\nrail = -1\n"),
      testing::IsSupersetOf({testing::HasSubstr("has no switch"), testing::HasSubstr("true or false"),
                             testing::HasSubstr("speed: unknown key"),
                             testing::HasSubstr("there is no switch \"1\""), testing::HasSubstr("rail")}));
  EXPECT_THAT(mistakes_of("[[switch]]\n[[node]]\nat = \"0\"\n[[node.link]]\nat = \"0\"\n"),
              testing::ElementsAre(testing::HasSubstr("at")))
      << "a node has either keys of one link or a list of links";
}

TEST_F(TopologyFile, BuildsWhatItSays) {
  const auto topology = of(R"([[switch]]
name = "a"
[[switch]]
name = "b"
ports = 5
[[node]]
at = "a:2"
rate = "2 GB/s"
[[node]]
at = "b"
count = 2
name = "host"
[[link]]
ends = ["a", "b:0"]
delay = "9 ns"
[[link]]
ends = ["b", "a"]
count = 2
)");
  Mistakes mistakes;
  topology->check(mistakes);
  ASSERT_TRUE(mistakes.empty()) << mistakes.list()[0].message;
  EXPECT_EQ(topology->nodes(), 3);
  EXPECT_EQ(topology->switch_ports(), 4 + 5);
  const Graph graph = topology->build({Rate{1}, Duration{4}});
  EXPECT_EQ(graph.radix(0), 4U);
  EXPECT_EQ(graph.peer_of(graph.node_port(0)), graph.port(0, 2));
  EXPECT_EQ(graph.peer_of(graph.node_port(2)), graph.port(1, 2));  // a link names port 0
  EXPECT_EQ(graph.peer_of(graph.port(0, 0)), graph.port(1, 0));
  EXPECT_EQ(graph.peer_of(graph.port(0, 1)), graph.port(1, 3));
  EXPECT_EQ(graph.peer_of(graph.port(0, 3)), graph.port(1, 4));
  EXPECT_EQ(graph.link(graph.node_port(0)), (Link{Rate{2}, Duration{4}}));
  EXPECT_EQ(graph.link(graph.port(0, 2)), (Link{Rate{2}, Duration{4}}));
  EXPECT_EQ(graph.link(graph.port(1, 0)), (Link{Rate{1}, Duration{9}}));
  const auto& names = std::get<IrregularShape>(graph.shape());
  EXPECT_EQ(names.switch_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(names.node_names, (std::vector<std::string>{"0", "host", "2"}));
}

TEST_F(TopologyFile, ReportsEveryMistakeWithItsLine) {
  EXPECT_EQ(
      mistakes_of(R"([[switch]]
name = "leaf"
ports = 3
[[switch]]
name = "leaf"
port = 4
[[node]]
at = "leaf:3"
[[node]]
at = "laef"
[[node]]
at = "leaf:1"
rate = "fast"
[[node]]
at = "leaf:1"
[[link]]
ends = ["leaf"]
speed = 4
[[link]]
ends = ["leaf:x", "leaf:0"]
count = 0
)"),
      (std::vector<std::string>{
          "5:8: switch[1].name: there is another \"leaf\", at :2:8",
          "6:1: switch[1].port: unknown key; did you mean \"ports\"?",
          "8:6: node[0].at: switch \"leaf\" has no port 3; ports 0 to 2",
          "10:6: node[1].at: there is no switch \"laef\"; did you mean \"leaf\"?",
          "13:8: node[2].rate: \"fast\" is not a rate; write a number and a unit, for example \"1 GB/s\"",
          "17:8: link.ends: a link has two ends; write ends = [\"NAME:PORT\", \"NAME:PORT\"]",
          "18:1: link[0].speed: unknown key; did you mean \"rate\"?",
          "21:9: link[1].count: 0 is not a valid number; from 1 to 65535",
          "20:9: link[1].ends: \"x\" is not a port; a whole number, at least 0",
          "15:6: ports: port 1 of switch \"leaf\" is used twice; see :12:6",
      }));
}

TEST_F(TopologyFile, OfAnotherKindIsToldWhatReadsIt) {
  EXPECT_THAT(
      mistakes_of("s t 100Gbps\na s 100Gbps\n").back(),
      testing::HasSubstr("is no TOML, and not the output of ibnetdiscover; headway import reads lists"));
}

// A node without a name is called by its number, also one of `count` nodes.
TEST_F(TopologyFile, NoNameIsTheNumberOfAnotherOne) {
  const std::string one = "[[switch]]\nname = \"s\"\n", counted = "[[node]]\nat = \"s\"\ncount = 2\n",
                    named = "[[node]]\nat = \"s\"\nname = \"1\"\n";
  const std::string too =
      ": node.name: \"1\" is the name of node 1, too; a node without a name is called by its number";
  EXPECT_EQ(mistakes_of(one + counted + named), std::vector<std::string>{"8:8" + too});
  EXPECT_EQ(mistakes_of(one + named + counted), std::vector<std::string>{"5:8" + too});
  EXPECT_EQ(mistakes_of(one + "[[node]]\nat = \"s\"\n" + named), std::vector<std::string>{});
  EXPECT_EQ(
      mistakes_of(
          "[[switch]]\nname = \"1\"\n[[switch]]\n[[node]]\nat = \"1\"\n[[link]]\nends = [\"1\", \"1\"]\n")
          .front(),
      "2:8: switch.name: \"1\" is the name of switch 1, too; a switch without a name is called by its "
      "number");
}

TEST_F(TopologyFile, ReportsWhatIsNotConnectedOrNotThere) {
  EXPECT_EQ(mistakes_of("[[switch]]\nname = \"a\"\n[[switch]]\nname = \"b\"\n[[node]]\nat = \"a\"\n"),
            (std::vector<std::string>{"3:1: topology: switch \"b\" is not connected to node \"0\""}));
  EXPECT_EQ(mistakes_of("[[switch]]\nports = 1\n[[node]]\nat = \"0\"\ncount = 2\n"),
            (std::vector<std::string>{"4:6: ports: switch \"0\" has no free port; it has 1"}));
  EXPECT_EQ(mistakes_of("[[switch]]\n").size(), 1U);
  EXPECT_EQ(mistakes_of("[switch]\n").size(), 2U);
  Mistakes mistakes;
  choose(topologies(), "file", {{"file", "/nowhere/at.all"}})->check(mistakes);
  choose(topologies(), "file")->check(mistakes);
  EXPECT_EQ(mistakes.list().size(), 2U);
}

}  // namespace
}  // namespace headway
