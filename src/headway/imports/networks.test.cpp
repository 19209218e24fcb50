// SPDX-License-Identifier: Apache-2.0
// Networks of other tools, whole or damaged, are read or reported; mistakes have a line; what a file is, is
// seen from its content.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "headway/base/error.h"
#include "headway/imports/import.h"
#include "headway/imports/text_rows.h"
#include "headway/imports/xml.h"
#include "headway/topology/fabric.h"
#include "tests/support/network_samples.h"

namespace headway::imports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Without files on disk.
Import read_as(std::string_view format, const std::vector<std::string>& texts,
               Unknown unknown = Unknown::refuse) {
  std::vector<Source> sources;
  for (const std::string& text : texts)
    sources.push_back({"in" + std::to_string(sources.size()) + ".txt", text});
  return import_from(*find_format(format), {sources, "my.toml"}, unknown);
}
std::string refusal_of(std::string_view format, const std::string& text, const std::string& second = "") {
  try {
    read_as(format, second.empty() ? std::vector{text} : std::vector{text, second});
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}
std::string recognised(const std::string& text) {
  try {
    return std::string(format_of({{"in.txt", text}}).name);
  } catch (const SpecError& error) {
    return error.what();
  }
}
Fabric fabric_of(const Import& made) {
  Mistakes mistakes;
  const std::string& text = made.files.at(0).content;
  Fabric fabric = is_ibnetdiscover(text) ? read_ibnetdiscover(text, "f", mistakes)
                                         : read_network_file(text, "f", mistakes);
  EXPECT_TRUE(mistakes.empty()) << mistakes.list()[0].message;
  return fabric;
}

TEST(ImportedNetworks, AreRecognisedByTheirContentAndHaveTheirLinks) {
  for (const test::NetworkSample& sample : test::kNetworkSamples) {
    const std::string text(sample.text);
    EXPECT_EQ(recognised(text), sample.format);
    if (sample.format == "ibnetdiscover") continue;  // the spec names the dump itself
    const Fabric fabric = fabric_of(read_as(sample.format, {text}));
    EXPECT_EQ(fabric.nodes.size(), static_cast<std::size_t>(sample.nodes)) << sample.format;
    EXPECT_EQ(fabric.links.size(), static_cast<std::size_t>(sample.links)) << sample.format;
  }
}

// Cuts, doubles or replaces pieces.
std::string damaged_network(std::string text, std::mt19937& random) {
  for (int changes = 1 + static_cast<int>(random() % 3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size(), length = random() % 16;
    const std::string piece = text.substr(at, length);
    switch (random() % 8) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(random() % text.size(), piece);
        break;
      case 2:
        text[at] = "0-9{}[]();:=!,/*<>&\"'\n\t\xff\0"[random() % 26];
        break;
      case 3:
        text.replace(at, length, "99999999999999999999");
        break;
      case 4:
        text.resize(at);
        break;
      default:
        if (const std::size_t digit = text.find_first_of("0123456789", at); digit != std::string::npos)
          text[digit] = static_cast<char>('0' + random() % 10);
    }
  }
  return text;
}

TEST(ImportedNetworks, OfDamagedFilesAreReadOrReported) {
  std::mt19937 random(1);
  int read = 0, reported = 0;
  for (const test::NetworkSample& sample : test::kNetworkSamples)
    for (int round = 0; round < 120; ++round) {
      const std::string text = damaged_network(std::string(sample.text), random);
      recognised(text);
      if (sample.format == "ibnetdiscover") continue;
      try {
        read_as(sample.format, {text});
        ++read;
      } catch (const SpecError& error) {
        for (const Mistake& mistake : error.mistakes()) {
          EXPECT_NE(mistake.message, "") << text;
          EXPECT_THAT(mistake.where, testing::StartsWith("in0.txt")) << mistake.message << '\n' << text;
        }
        ++reported;
      }
    }
  EXPECT_GT(read, 300);
  EXPECT_GT(reported, 500);
}

TEST(ImportedNetworks, OfNoFormatAreToldWithAllFormats) {
  const std::string message = recognised("hello\n");
  for (const Format& format : formats())
    EXPECT_THAT(message, HasSubstr('"' + std::string(format.name) + '"'));
}

TEST(ImportedNetworks, ThatAreKnownAndNotImportedAreRefusedWithTheReason) {
  EXPECT_THAT(recognised("2\n0 1 3 100 2000 2\n1 0 3 100 2000 2\n"), HasSubstr("is a program (hpcc)"));
  EXPECT_THAT(recognised("[network]\ntopology = \"mesh\"\n"), HasSubstr("is a spec of Headway"));
  EXPECT_THAT(recognised("[[switch]]\nname = \"a\"\n"), HasSubstr("is a network file of Headway"));
  EXPECT_THAT(recognised("<svg></svg>\n"), HasSubstr("is XML, but not GraphML"));
  EXPECT_THAT(recognised("Unicast lids [0x0-0x1] of switch Lid 3 guid 0x10 (leaf0):\n"),
              HasSubstr("without a fabric"));
  EXPECT_THAT(recognised("3 2\n0 10 20\n1 11 12\n2 30 30\n0 1 5\n1 2 5\n"), HasSubstr("a topology of Inet"));
  EXPECT_THAT(refusal_of("astra-sim", "{ \"units-count\": 1e4001 }"),
              HasSubstr("a number that is too large"));
  EXPECT_THAT(refusal_of("astra-sim", "{ \"logical-dims\": [\"4\"] }"), HasSubstr("logical dimensions only"));
  EXPECT_THAT(refusal_of("astra-sim", "{ \"scheduling-policy\": \"LIFO\" }"),
              HasSubstr("says nothing about the network"));
}

TEST(ImportedNetworks, ReportAllMistakesWithTheirLines) {
  EXPECT_THAT(refusal_of("edge-list", "source target rtae\na b 1\n"),
              HasSubstr("in0.txt:1: rtae: unknown key; did you mean \"rate\"?"));
  EXPECT_THAT(refusal_of("edge-list", "a s 100Gbps\nb s 100parsecs\nc c 1Gbps\n"),
              AllOf(HasSubstr("in0.txt:2: column 3: \"100parsecs\" is not a rate"),
                    HasSubstr("in0.txt:3: FILE: \"c\" is linked to itself")));
  EXPECT_THAT(refusal_of("edge-list", "a s\nb s\nc t\nd t\n"),
              HasSubstr("in0.txt:3: FILE: host \"c\" has no path to \"a\""));
  EXPECT_THAT(refusal_of("edge-list", "a s 1Gbps\ns a 2Gbps\nb s 1Gbps\n"),
              HasSubstr("in0.txt:2: FILE: \"s\" to \"a\" has another rate"));
  EXPECT_THAT(refusal_of("adjacency-list", "a: s\na: t\n"),
              HasSubstr("in0.txt:2: FILE: \"a:\" has a row already; see in0.txt:1"));
  EXPECT_THAT(refusal_of("adjacency-matrix", "0 1 0\n1 0 1\n0 2 0\n"),
              HasSubstr("in0.txt:3: FILE: row 2 has 2 at 1, and row 1 has 1 at 2"));
  EXPECT_THAT(refusal_of("anynet", "router 0 nod 1\nrouter 1 node 2\nrouter 2 node 2\n"),
              AllOf(HasSubstr("in0.txt:1: FILE: \"nod\" is neither router nor node; did you mean \"node\"?"),
                    HasSubstr("in0.txt:3: FILE: node 2 is linked to router 1, too")));
  EXPECT_THAT(refusal_of("hpcc-topology", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 fast 1us 0\n"),
              HasSubstr("in0.txt:4: TOPOLOGY_FILE: \"fast\" is not a rate"));
  EXPECT_THAT(refusal_of("hpcc-topology", "3 1 3\n2\n0 2 100Gbps 1us 0\n1 2 1Gbps 1us 0\n"),
              HasSubstr("3 links are announced, but the file has 2"));
  EXPECT_THAT(
      refusal_of(
          "astra-sim",
          "topology: [ Rong ]\nnpus_count: [ 4 ]\nbandwidth: [ 50 ]\nlatency: [ 1, 2 ]\nspeed: [ 3 ]\n"),
      AllOf(HasSubstr("in0.txt:1: topology: Rong is no topology that is read; did you mean \"Ring\"?"),
            HasSubstr("in0.txt:4: latency: has 2 values"), HasSubstr("in0.txt:5: speed: unknown key")));
  EXPECT_THAT(
      refusal_of(
          "graphml",
          "<graphml>\n<graph>\n<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n</graph>\n</graphml>\n"),
      HasSubstr("in0.txt:4: edge.target: there is no node \"b\""));
  EXPECT_THAT(refusal_of("graphml", "<graphml>\n<graph>\n</graphml>\n"),
              HasSubstr("in0.txt:3: FILE: graphml ends, but graph of line 2 is open"));
  EXPECT_THAT(refusal_of("dot", "graph {\n a -- s [rat=\"1Gbps\"]\n b -- s\n}\n"),
              HasSubstr("in0.txt:2: rat: unknown key; did you mean \"rate\"?"));
  EXPECT_THAT(refusal_of("dot", "graph {\n a -- \n}\n"),
              HasSubstr("in0.txt:3: FILE: a node is missing before \"}\""));
  EXPECT_THAT(refusal_of("ibnetdiscover-ports", "CA 1 1 0x1 4x EDR - CA 2 1 0x2 ( 'a' - 'b' )\n"),
              HasSubstr("linked without a switch"));
  EXPECT_THAT(refusal_of("iblinkinfo",
                         "Switch: 0x1 s:\n 1 1[  ] ==( 4X 9.9 Gbps Active/ LinkUp)==> 2 1[  ] \"a\" ( )\n"),
              HasSubstr("in0.txt:2: FILE: \"4X 9.9 Gbps\" is not a width and speed"));
}

TEST(ImportedNetworks, GoOnWithoutUnknownKeysIfTold) {
  const std::string edges = "source target weight\na s 3\nb s 3\n";
  EXPECT_THAT(refusal_of("edge-list", edges), HasSubstr("weight: unknown key"));
  const Import made = read_as("edge-list", {edges}, Unknown::warn);
  EXPECT_THAT(made.spec, HasSubstr("# - weight at in0.txt:1\n"));
  EXPECT_THAT(made.said, testing::Contains("left out, because no reader knows it: weight at in0.txt:1"));
  const Import booksim =
      read_as("booksim", {"topology = mesh; routing_function = dor; k = 4;\nmy_key = 3;\n"}, Unknown::warn);
  EXPECT_THAT(booksim.spec, HasSubstr("# - my_key at in0.txt:2"));
}

TEST(ImportedNetworks, HaveTheRatesOfNetworkXsDictionaries) {
  const Import made = read_as("edge-list", {"a s {'rate': '40Gbps', 'delay': '2us', 'weight': 3}\nb s {}\n"
                                            "c s {'capacity_gbps': 10, \"x y\": None}\n"});
  const Fabric fabric = fabric_of(made);
  ASSERT_EQ(fabric.nodes.size(), 3U);
  EXPECT_THAT(made.files.at(0).content,
              AllOf(HasSubstr("rate = \"40 Gbit/s\"\ndelay = \"2 us\""), HasSubstr("rate = \"10 Gbit/s\"")));
  EXPECT_THAT(made.spec,
              AllOf(HasSubstr("assumed for 1 of 3 links"), HasSubstr("# - weight"), HasSubstr("x y")));
  EXPECT_THAT(refusal_of("edge-list", "a s {'rat': '40Gbps'}\nb s {'rate': 40}\nc s {'rate' 40}\n"),
              AllOf(HasSubstr("in0.txt:1: rat: unknown key; did you mean \"rate\"?"),
                    HasSubstr("in0.txt:2: rate: \"40\" is not a rate"),
                    HasSubstr("in0.txt:3: FILE: the dictionary behind the ends has another form")));
  EXPECT_THAT(refusal_of("edge-list", "0 1\n1 {}\n2 {}\n"),
              HasSubstr("in0.txt:2: FILE: a dictionary stands where the second end of a link is expected"));
}

TEST(ImportedNetworks, SayWhatTheyAssume) {
  const Import made = read_as("edge-list", {"a s 10Gbps\nb s 10Gbps\nc s\n"});
  EXPECT_THAT(made.spec, AllOf(HasSubstr("link.rate = \"100 Gbit/s\""),
                               HasSubstr("assumed for 1 of 3 links, which have no rate"),
                               HasSubstr("assumed, the file gives no delays")));
  EXPECT_EQ(made.said.size(), 3U) << "hosts, rate and delay";
}

// A ring of switches only, as graphs of routers are: each vertex gets a node.
TEST(ImportedNetworks, WithoutVerticesOfDegreeOneHaveANodeAtEachSwitch) {
  const Fabric ring = fabric_of(read_as("edge-list", {"0 1\n1 2\n2 3\n3 0\n"}));
  EXPECT_EQ(ring.nodes.size(), 4U);
  EXPECT_EQ(ring.links.size(), 4U);
  EXPECT_THAT(read_as("edge-list", {"0 1\n1 2\n2 3\n3 4\n4 0\n"}).spec, HasSubstr("\"up-down\""))
      << "shortest paths make a cycle";
}

TEST(ImportedNetworks, CountALinkOfBothDirectionsOnceAndParallelLinksAll) {
  EXPECT_EQ(fabric_of(read_as("edge-list", {"a s\ns a\ns t\nt s\ns t\nt b\n"})).links.size(), 2U);
  EXPECT_EQ(fabric_of(read_as("adjacency-matrix", {"0 1 0 0\n1 0 3 0\n0 3 0 1\n0 0 1 0\n"})).links.size(),
            3U);
}

TEST(ImportedNetworks, OfUndirectedGraphsHaveALinkForEachEdge) {
  const std::string edges = "a -- s; b -- t; s -- t; t -- s;";
  EXPECT_EQ(fabric_of(read_as("dot", {"graph {" + edges + "}"})).links.size(), 2U);
  const std::string arcs = "a -> s; b -> t; s -> t; t -> s;";
  EXPECT_EQ(fabric_of(read_as("dot", {"digraph {" + arcs + "}"})).links.size(), 1U);
}

TEST(ImportedNetworks, LeaveOutVerticesWithoutALinkAndNameThem) {
  const Import made = read_as("dot", {"graph { lonely; a -- s; b -- s; }"});
  EXPECT_EQ(fabric_of(made).nodes.size(), 2U);
  EXPECT_THAT(made.said, testing::Contains("left out: 1 without a link"));
}

// A stub among routers is no network of one host.
TEST(ImportedNetworks, WithOneVertexOfDegreeOneHaveANodeAtEachSwitch) {
  EXPECT_EQ(fabric_of(read_as("edge-list", {"0 1\n1 2\n2 0\n2 3\n"})).nodes.size(), 4U);
}

// Names of data are of any kind; only one wrong letter makes a mistake of them.
TEST(ImportedNetworks, OfGraphmlNameDataThatTheyDoNotNeed) {
  const auto graph = [](const std::string& name) {
    return "<graphml><key id='k' for='edge' attr.name='" + name +
           "'/><graph><node id='a'/><node id='s'/><node id='b'/><edge source='a' target='s'><data "
           "key='k'>10000000000</data></edge>"
           "<edge source='b' target='s'/></graph></graphml>";
  };
  for (const char* const name : {"LinkSpeed", "LinkType", "name", "key", "weight", "colour"})
    EXPECT_THAT(read_as("graphml", {graph(name)}).spec, HasSubstr(std::string("# - ") + name)) << name;
  for (const char* const name : {"rat", "ratte", "dealy", "Latnecy", "bandwidht"})
    EXPECT_THAT(refusal_of("graphml", graph(name)), HasSubstr("unknown key; did you mean")) << name;
  EXPECT_EQ(*fabric_of(read_as("graphml", {graph("LinkSpeedRaw")})).nodes[0].rate, *parse_rate("10 Gbit/s"));
}

TEST(ImportedNetworks, HaveAThousandParallelLinksAtMost) {
  std::string edges = "a s\nb t\n";
  for (int i = 0; i < 1001; ++i) edges += "s t\n";
  EXPECT_THAT(refusal_of("edge-list", edges),
              HasSubstr("in0.txt:1003: FILE: \"s\" and \"t\" have more than 1000 links"));
}

TEST(ImportedNetworks, BelieveAFileThatSaysWhatIsAHost) {
  const std::string dot =
      "graph { node [type=switch]; s; t; u; node [type=host]; a -- s; b -- t; s -- t; t -- u; }";
  const Fabric fabric = fabric_of(read_as("dot", {dot}));
  EXPECT_EQ(fabric.nodes.size(), 2U) << "u has one link and is a switch";
}

// GPUs with an NVSwitch and a NIC.
TEST(ImportedNetworks, MakeHostsOfSeveralLinksNodesWithSeveralLinks) {
  const Import made = read_as(
      "simai-topology", {"7 2 2 1 8 H100\n4 5 6\n0 4 2880Gbps 1ns 0\n1 4 2880Gbps 1ns 0\n2 5 2880Gbps 1ns "
                         "0\n3 5 2880Gbps 1ns 0\n"
                         "0 6 400Gbps 1us 0\n1 6 400Gbps 1us 0\n2 6 400Gbps 1us 0\n3 6 400Gbps 1us 0\n"});
  const Fabric fabric = fabric_of(made);
  EXPECT_EQ(fabric.nodes.size(), 4U * 2);
  EXPECT_EQ(fabric.switch_names.size(), 3U);
  EXPECT_EQ(fabric.links.size(), 0U);
  EXPECT_EQ(fabric.nodes[0].rate->bytes_per_ns, Rational(360));
  EXPECT_EQ(fabric.nodes[1].rate->bytes_per_ns, Rational(50));
  ASSERT_EQ(fabric.hosts.size(), 4U);
  EXPECT_TRUE(fabric.hosts[0][0].scale_up) << "the NVSwitch";
  EXPECT_FALSE(fabric.hosts[0][1].scale_up);
  EXPECT_THAT(made.spec, HasSubstr("4 nodes (4 with several links)"));
}

// h and k have no switch in common, and reach each other over i.
TEST(ImportedNetworks, MakeHostsThatPassPacketsOnSwitchesWithANode) {
  const Import made = read_as(
      "dot", {"graph { node [type=switch]; s; t; node [type=host]; h -- s; i -- s; i -- t; k -- t; }"});
  const Fabric fabric = fabric_of(made);
  EXPECT_EQ(fabric.nodes.size(), 3U);
  EXPECT_EQ(fabric.switch_names.size(), 2U + 1);
  EXPECT_TRUE(fabric.hosts.empty());
  EXPECT_THAT(made.spec, HasSubstr("1 host with several links"));
}

TEST(ImportedNetworks, OfAstraSimHaveAllDimensions) {
  const auto links = [](const std::string& topologies, const std::string& counts, const std::string& twice) {
    return fabric_of(read_as("astra-sim", {"topology: [ " + topologies + " ]\nnpus_count: [ " + counts +
                                           " ]\nbandwidth: [ " + twice + " ]\nlatency: [ " + twice + " ]\n"}))
        .links.size();
  };
  EXPECT_EQ(links("Ring", "6", "50"), 6U);
  EXPECT_EQ(links("Ring", "2", "50"), 1U);
  EXPECT_EQ(links("FullyConnected", "6", "50"), 15U);
  EXPECT_EQ(links("Ring, FullyConnected", "4, 3", "50, 20"), 3U * 4 + 4 * 3);
  EXPECT_EQ(links("Switch, Ring", "2, 3", "50, 20"), 6U + 2 * 3);
}

TEST(ImportedNetworks, OfInfinibandKeepGuidsAndLidsForTheirRoutes) {
  for (const test::NetworkSample& sample : test::kNetworkSamples) {
    if (sample.format != "ibnetdiscover-ports" && sample.format != "iblinkinfo") continue;
    const Fabric fabric = fabric_of(read_as(sample.format, {std::string(sample.text)}));
    EXPECT_EQ(fabric.switch_guids, (std::vector<std::uint64_t>{0x10, 0x20}));
    EXPECT_EQ(fabric.node_lids, (std::vector<std::uint32_t>{3, 4, 5, 6}));
    EXPECT_EQ(fabric.ports[0],
              sample.text.find("Down") == std::string_view::npos && sample.format == "iblinkinfo" ? 4U : 5U);
  }
}

TEST(TextRows, HaveFieldsIfAllRowsHaveAsMany) {
  const TextRows fields = rows_of("a, \"b c\", 3\nd,e,4\n");
  ASSERT_EQ(fields.rows.size(), 2U);
  EXPECT_EQ(fields.rows[0].words[1], "b c");
  const TextRows words = rows_of("San+Jose,+CA Anaheim,+CA 2.5\n");
  EXPECT_EQ(words.rows[0].words.size(), 3U) << "the commas belong to names";
  EXPECT_EQ(rows_of("a b \r\n# c\nd e // f\n% g\n").rows.size(), 2U);
  const TextRows networkx = rows_of("a b {}\nc d {'weight': 3}\n");
  EXPECT_TRUE(all_have(networkx, 2));
  EXPECT_EQ(networkx.rows[1].dictionary, "{'weight': 3}");
}

TEST(TextRows, HaveRatesAndDelaysInHeadwaysSpelling) {
  EXPECT_EQ(rate_word("100Gbps"), "100 Gbit/s");
  EXPECT_EQ(rate_word("10G"), "10 Gbit/s");
  EXPECT_EQ(rate_word("12.5GB/s"), "12.5 GB/s");
  EXPECT_EQ(rate_word("4xEDR"), "12.5 GB/s");
  EXPECT_EQ(rate_word("40", "gbps"), "40 Gbit/s");
  EXPECT_EQ(delay_word("0.001ms"), "0.001 ms");
  EXPECT_EQ(delay_word("5\u00b5s"), "5 us");
  for (const char* const none : {"", "100", "fast", "0Gbps", "-1Gbps", "1e400Gbps", "100ns"})
    EXPECT_EQ(rate_word(none), std::nullopt) << none;
  for (const char* const none : {"", "100", "s", "5Gbps"}) EXPECT_EQ(delay_word(none), std::nullopt) << none;
}

TEST(Xml, HasElementsAttributesAndText) {
  const XmlElement root =
      read_xml("<?xml version=\"1.0\"?><!-- a --><x:r a='1' b=\"&lt;&#65;\"><c/>t<![CDATA[<&]]></x:r>", "f");
  EXPECT_EQ(root.name, "r");
  EXPECT_EQ(*root.attribute("b"), "<A");
  EXPECT_EQ(root.text, "t<&");
  for (const char* const wrong : {"", "<a", "<a b>", "<a></b>", "<a>&x;</a>", "<!DOCTYPE a><a/>", "<a/><b/>",
                                  "<a b=1/>", "<a>&#xd800;</a>"})
    EXPECT_THROW(read_xml(wrong, "f"), SpecError) << wrong;
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  EXPECT_THROW(read_xml(deep, "f"), SpecError);
}

}  // namespace
}  // namespace headway::imports
