// SPDX-License-Identifier: Apache-2.0
// A network that is written for ibsim and read back is the same: switches, ports, nodes, names and rates.
#include "headway/exports/export_ibsim.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "headway/config/assign.h"
#include "tests/property/networks.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ExportIbsim : public testing::Test {
 protected:
  static EventSpec spec_of(const Choice<Topology>& topology, const Rate& rate = Rate{Rational(25, 2)}) {
    EventSpec spec;
    spec.network.topology = topology;
    spec.network.link.rate = rate;
    return spec;
  }
  Choice<Topology> read(const std::string& text) const {
    // unique per process, because the tests of several builds can run at the same time
    const std::string path =
        testing::TempDir() + "headway_ibsim_" + std::to_string(getpid()) + "_" + std::to_string(number_++);
    std::ofstream(path) << text;
    return choose(topologies(), "file", {{"file", path}});
  }
  static Graph graph_of(const EventSpec& spec) {
    Graph graph = spec.network.topology->build(spec.network.link);
    apply(spec.network.faults, graph);
    return graph;
  }
  static std::string mistakes(const EventSpec& spec) {
    try {
      ibsim_network(spec);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  }

 private:
  mutable int number_ = 0;
};

// `first` is the number of port 0 of the first graph in the second one. Nodes are found by their names.
void expect_same(const Graph& graph, const Graph& back, std::uint32_t first) {
  ASSERT_EQ(back.switches(), graph.switches());
  ASSERT_EQ(back.nodes(), graph.nodes());
  std::map<std::string, NodeId> node_of;
  for (NodeId node = 0; node < back.nodes(); ++node) node_of.emplace(back.node_name(node), node);
  const auto there = [&](PortId port) {
    return graph.is_node_port(port) ? back.node_port(node_of.at(graph.node_name(graph.node_of(port))))
                                    : back.port(graph.switch_of(port), graph.local(port) + first);
  };
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    EXPECT_EQ(back.switch_name(sw), graph.switch_name(sw));
    EXPECT_EQ(back.radix(sw), graph.radix(sw) + first);
  }
  for (NodeId node = 0; node < graph.nodes(); ++node) ASSERT_TRUE(node_of.contains(graph.node_name(node)));
  for (PortId port = 0; port < graph.ports(); ++port) {
    const PortId peer = graph.peer_of(port);
    ASSERT_EQ(back.peer_of(there(port)), peer == kNone ? kNone : there(peer)) << port;
    if (peer != kNone) EXPECT_EQ(back.link(there(port)), graph.link(port)) << port;
  }
}

TEST_F(ExportIbsim, EveryTopologyIsReadBackAsItIs) {
  std::set<std::string_view> written;
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes_of_topology;
    topology->check(mistakes_of_topology);
    if (!mistakes_of_topology.empty() || topology->nodes() > 100) continue;
    if (has_several_networks(topology)) continue;  // refused
    SCOPED_TRACE(label);
    const EventSpec spec = spec_of(topology);
    const Graph graph = graph_of(spec);
    if (!graph.links_go_both_ways()) continue;
    const IbsimNetwork network = ibsim_network(spec);
    const Graph back = read(network.text)->build(spec.network.link);
    expect_same(graph, back, back.radix(0) - graph.radix(0));
    bool keeps_order = true;
    for (NodeId node = 0; node < graph.nodes(); ++node)
      keeps_order &= back.node_name(node) == graph.node_name(node);
    const bool says_order = std::ranges::any_of(
        network.notes, [](const std::string& note) { return note.find("numbers the nodes") != note.npos; });
    EXPECT_EQ(keeps_order, !says_order);
    if (topology.name != "bmin")
      EXPECT_TRUE(keeps_order);  // a shuffle distributes the nodes over the switches
    written.insert(topology.name);

    // once more: ports, GUIDs and local identifiers stay
    EventSpec again = spec;
    again.network.topology = read(network.text);
    const auto sections = [](const std::string& text) { return text.substr(text.find("\nvendid")); };
    if (keeps_order) EXPECT_EQ(sections(ibsim_network(again).text), sections(network.text));
  }
  for (const char* name : {"single-switch", "k-ary-n-tree", "pgft", "mesh", "torus", "hyperx", "bmin",
                           "dragonfly", "dragonfly-plus", "slim-fly"})
    EXPECT_TRUE(written.contains(name)) << name;
}

TEST_F(ExportIbsim, FailedLinksAreLeftOutAndNamed) {
  EventSpec spec = spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}}));
  spec.network.faults.failed.at = {"0:2"};
  const IbsimNetwork network = ibsim_network(spec);
  EXPECT_THAT(network.notes, testing::Contains("the file is without 1 link that failed: 0:2"));
  const Graph back = read(network.text)->build(spec.network.link);
  expect_same(graph_of(spec), back, 1);

  spec.network.faults.failed.at = {"0:2", "0:3"};
  spec.network.faults.unreachable = Unreachable::reported;
  EXPECT_THAT(ibsim_network(spec).notes, testing::Contains(HasSubstr("node 0 has no path to 3 switches")));
}

TEST_F(ExportIbsim, SlowLinksHaveTheirRate) {
  EventSpec spec = spec_of(choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}}));
  spec.network.faults.slow.at = {"1:3"};
  spec.network.faults.slow_rate = 0.25;
  const IbsimNetwork network = ibsim_network(spec);
  EXPECT_THAT(network.text, HasSubstr("\"3\" lid 8 1xEDR\n"));
  expect_same(graph_of(spec), read(network.text)->build(spec.network.link), 1);
  spec.network.faults.slow_rate = 0.3;
  EXPECT_THAT(mistakes(spec), HasSubstr("network.link: no link of InfiniBand has 3.75 GB/s"));
}

TEST_F(ExportIbsim, ARateThatInfiniBandLacksIsANote) {
  const EventSpec spec = spec_of(choose(topologies(), "single-switch", {{"nodes", 3}}), Rate{Rational(7)});
  const IbsimNetwork network = ibsim_network(spec);
  EXPECT_THAT(network.notes, testing::Contains(HasSubstr("network.link = { rate = \"7 GB/s\" } gives it")));
  expect_same(graph_of(spec), read(network.text)->build(spec.network.link), 1);
}

TEST_F(ExportIbsim, KeepsNamesIdentifiersAndPortsOfAFabric) {
  const std::string dump =
      "Switch\t4 \"S-0002c90200400000\"\t\t# \"edge\" base port 0 lid 9 lmc 0\n"
      "[2]\t\"H-0002c90300100000\"[1](2c90300100001) \t\t# \"a HCA-1\" lid 7 4xDDR\n"
      "[4]\t\"S-0002c90200400010\"[1]\t\t# \"core\" lid 3 4xQDR\n\n"
      "Switch\t2 \"S-0002c90200400010\"\t\t# \"core\" base port 0 lid 3 lmc 0\n"
      "[1]\t\"S-0002c90200400000\"[4]\t\t# \"edge\" lid 9 4xQDR\n"
      "[2]\t\"H-0002c90300100010\"[2](2c90300100012) \t\t# \"b HCA-1\" lid 2 4xQDR\n\n"
      "Ca\t1 \"H-0002c90300100000\"\t\t# \"a HCA-1\"\n"
      "[1](2c90300100001) \t\"S-0002c90200400000\"[2]\t\t# lid 7 lmc 0 \"edge\" lid 9 4xDDR\n\n"
      "Ca\t2 \"H-0002c90300100010\"\t\t# \"b HCA-1\"\n"
      "[2](2c90300100012) \t\"S-0002c90200400010\"[2]\t\t# lid 2 lmc 0 \"core\" lid 3 4xQDR\n";
  const EventSpec spec = spec_of(read(dump));
  const IbsimNetwork network = ibsim_network(spec);
  EXPECT_THAT(network.notes, IsEmpty());
  EXPECT_THAT(network.text,
              HasSubstr("Switch\t4 \"S-0002c90200400000\"\t\t# \"edge\" base port 0 lid 1 lmc 0"));
  const Graph back = read(network.text)->build(spec.network.link);
  expect_same(graph_of(spec), back, 0);
  EXPECT_THAT(std::get<IrregularShape>(back.shape()).node_lids, ElementsAre(7, 2));
  EXPECT_EQ(std::get<IrregularShape>(back.shape()).switch_guids,
            (std::vector<std::uint64_t>{0x2c90200400000, 0x2c90200400010}));
}

TEST_F(ExportIbsim, SaysWhatTheFileCannot) {
  const std::string file = R"([[switch]]
name = "left"
[[switch]]
name = "right"
[[node]]
at = "right"
[[node]]
at = "left"
[[link]]
ends = ["left", "right"]
delay = "70 ns"
)";
  EventSpec spec = spec_of(read(file));
  EXPECT_THAT(ibsim_network(spec).notes,
              ElementsAre(HasSubstr("node 1 is then node 0"), HasSubstr("delays")));
  spec.network.topology = read(
      "[[switch]]\n[[node]]\nat = \"0\"\nname = \"say \\\"x\\\"\"\n[[node]]\nat = \"0\"\nname = \"a=b\"\n");
  EXPECT_THAT(mistakes(spec),
              AllOf(HasSubstr("the name \"say \"x\"\" of a node cannot be a node description"),
                    HasSubstr("the name \"a=b\" of a node")));
  spec.network.topology = choose(topologies(), "single-switch", {{"nodes", 300}});
  EXPECT_THAT(mistakes(spec),
              HasSubstr("a switch has 300 ports; a switch of InfiniBand has at most 254 ports"));
  spec.network.topology = choose(topologies(), "omega");
  EXPECT_THAT(mistakes(spec),
              HasSubstr("the topology has unidirectional links; links of InfiniBand go both ways"));
  EXPECT_THROW(ibsim_network(choose(kernels(), "slotted")), SpecError);
}

}  // namespace
}  // namespace headway
