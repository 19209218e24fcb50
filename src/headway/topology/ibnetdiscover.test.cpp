// SPDX-License-Identifier: Apache-2.0
// Fabrics from the output of ibnetdiscover: valid files are read, damaged files are reported.
#include <gmock/gmock.h>

#include <algorithm>

#include "headway/topology/fabric.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two switches; the first has an adapter with two ports.
const std::string kFabric =
    "#\n# Topology file: generated on Tue Jun  5 14:15:10 2007\n#\nNon-Chassis Nodes\n\n"        // 1-5
    "vendid=0x8f1\ndevid=0x5a06\nswitchguid=0x5442ba00003080(5442ba00003080)\n"                  // 6-8
    "Switch\t24 \"S-005442ba00003080\"\t\t# \"edge\" base port 0 lid 6 lmc 0\n"                  // 9
    "[22]\t\"H-0008f10403961354\"[1](8f10403961355) \t\t# \"host a\" lid 4 4xSDR\n"              // 10
    "[10][ext 3]\t\"S-0008f10400410015\"[1]\t\t# \"SW-6IB4\" lid 3 12xFDR\n"                     // 11
    "[8]\t\"H-0008f10403961354\"[2](8f10403961356) \t\t# \"host a\" lid 14 4xSDR\n\n"            // 12-13
    "Switch\t8 \"S-0008f10400410015\"\t\t# \"SW-6IB4\" base port 0 lid 3 lmc 0\n"                // 14
    "[6]\t\"H-0008f10403960984\"[1](8f10403960985) \t\t# \"host b\" lid 16 1xEDR\n"              // 15
    "[1]\t\"S-005442ba00003080\"[10]\t\t# \"edge\" lid 6 12xFDR\n\n"                             // 16-17
    "Ca\t2 \"H-0008f10403961354\"\t\t# \"host a\"\n"                                             // 18
    "[1](8f10403961355) \t\"S-005442ba00003080\"[22]\t\t# lid 4 lmc 1 \"edge\" lid 6 4xSDR\n"    // 19
    "[2](8f10403961356) \t\"S-005442ba00003080\"[8]\t\t# lid 14 lmc 1 \"edge\" lid 6 4xSDR\n\n"  // 20-21
    "Ca\t2 \"H-0008f10403960984\"\t\t# \"host b\"\n"                                             // 22
    "[1](8f10403960985) \t\"S-0008f10400410015\"[6]\t\t# lid 16 lmc 0 \"SW-6IB4\" lid 3 1xEDR\n";

std::vector<std::string> mistakes_of_dump(const std::string& text) {
  Mistakes mistakes;
  read_ibnetdiscover(text, "f", mistakes);
  std::vector<std::string> result;
  for (const Mistake& m : mistakes.list())
    result.push_back(m.where + ": " + m.message + (m.hint.empty() ? "" : "; " + m.hint));
  return result;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// A network of ibsim: names of any kind, ports without numbers, no speeds.
TEST(IbNetDiscover, ReadsNetworksOfIbsim) {
  const std::string network =
      "# two switches\n\nSwitch\t8 \"leaf\"\n[1]\t\"n0\"\n[2]\t\"n1\"[2]\n[3]\t\"spine\"[5]\n\n"
      "Switch 8 \"spine\"\n[5]\t\"leaf\" [3]\n[6]\t\"n2\"[1]\n\nHca\t2 \"n0\"\n[1]\t\"leaf\"[1]\n\nHca\t2 "
      "\"n1\"\n"
      "[2]\t\"leaf\"[2]\n\nHca 1 \"n2\"\n[1]\t\"spine\"[6]\n";
  EXPECT_TRUE(is_ibnetdiscover(network));
  Mistakes mistakes;
  const Fabric fabric = read_ibnetdiscover(network, "f", mistakes);
  ASSERT_TRUE(mistakes.empty()) << mistakes.list()[0].message;
  EXPECT_THAT(fabric.switch_names, ElementsAre("leaf", "spine"));
  EXPECT_THAT(fabric.node_names, ElementsAre("n0", "n1", "n2"));
  EXPECT_THAT(fabric.ports, ElementsAre(9, 9));
  ASSERT_EQ(fabric.links.size(), 1U);
  EXPECT_EQ(fabric.links[0].ends[0].port, 3U);
  EXPECT_EQ(fabric.links[0].ends[1].port, 5U);
  EXPECT_THAT(mistakes_of_dump(with(network, "\"leaf\" [3]", "\"leaf\" [4]")),
              ElementsAre(HasSubstr("does not lead back"), HasSubstr("does not lead back")));
  EXPECT_THAT(mistakes_of_dump(with(network, "\"n2\"[1]", "\"n7\"[1]")),
              testing::Contains(HasSubstr("no section of \"n7\"")));
  EXPECT_THAT(mistakes_of_dump(with(network, "\"spine\"[5]", "\"spine\"[5]\tw=12")),
              ElementsAre(HasSubstr("w=12")));
}

TEST(IbNetDiscover, IsReadAsItStands) {
  EXPECT_TRUE(is_ibnetdiscover(kFabric));
  EXPECT_TRUE(is_ibnetdiscover("vendid=0x8f1\n"));
  EXPECT_FALSE(is_ibnetdiscover("[[switch]]\nname = \"Switch 4\"\n"));
  EXPECT_FALSE(is_ibnetdiscover(""));
  Mistakes mistakes;
  const Fabric fabric = read_ibnetdiscover(kFabric, "f", mistakes);
  ASSERT_TRUE(mistakes.empty()) << mistakes.list()[0].message;
  EXPECT_THAT(fabric.switch_names, ElementsAre("edge", "SW-6IB4"));
  // two ports of an adapter have one description, so their names are their GUID and port
  EXPECT_THAT(fabric.node_names, ElementsAre("H-0008f10403961354/2", "H-0008f10403961354/1", "host b"));
  EXPECT_THAT(fabric.node_lids, ElementsAre(14, 4, 16));
  EXPECT_THAT(fabric.switch_guids, ElementsAre(0x5442ba00003080, 0x8f10400410015));
  EXPECT_THAT(fabric.ports, ElementsAre(25, 9));  // port 0 is the switch itself
  EXPECT_EQ(fabric.nodes[0].ends[0].sw, 0U);
  EXPECT_EQ(fabric.nodes[0].ends[0].port, 8U);
  EXPECT_EQ(fabric.nodes[2].ends[0].port, 6U);
  EXPECT_EQ(fabric.nodes[0].rate, Rate{Rational(1)});      // 4 * 2.5 Gbit/s * 8/10
  EXPECT_EQ(fabric.nodes[2].rate, Rate{Rational(25, 8)});  // 25 Gbit/s
  ASSERT_EQ(fabric.links.size(), 1U);
  EXPECT_EQ(fabric.links[0].rate, Rate{Rational(225, 11)});  // 12 * 14.0625 Gbit/s * 64/66
  EXPECT_EQ(fabric.links[0].ends[0].port, 10U);
  EXPECT_EQ(fabric.links[0].ends[1].port, 1U);
}

TEST(IbNetDiscover, ReportsDamageWithItsLine) {
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "[22]", "[25]")),
              ElementsAre("f:10:1: \"S-005442ba00003080\" has no port 25; ports 1 to 24"));
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "[22]", "[8]")),
              ElementsAre("f:12:1: port 8 of \"S-005442ba00003080\" is used twice; see f:10:1"));
  EXPECT_THAT(
      mistakes_of_dump(with(kFabric, "4xSDR", "4xSRD")),
      ElementsAre("f:10:1: \"4xSRD\" is not the width and speed of a link; such as 4xEDR; speeds are SDR, "
                  "DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR"));
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "Switch\t8 ", "Switch\t")),
              testing::Contains(HasSubstr("f:14:1: this is not the head of a section")));
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "\"[10]", "\"[11]")),
              testing::Contains("f:16:1: port 11 of \"S-005442ba00003080\" does not lead back to port 1 of "
                                "\"S-0008f10400410015\"; its section does not list it"));
  EXPECT_THAT(mistakes_of_dump("Switch\t8 \"S-0008f10400410015\" # \"a\"\n[1]\tnothing\n"),
              testing::Contains(
                  "f:2:1: this is not a link; a link is [PORT] \"S-GUID\"[PORT] # \"NAME\" lid LID 4xEDR"));
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "Non-Chassis Nodes", "nonsense")),
              ElementsAre("f:4:1: this line is not one of ibnetdiscover; a line begins a section of a switch "
                          "or adapter, or describes one of its ports"));
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "Ca\t2 \"H-0008f10403960984\"", "Ca\t2 \"H-0008f10403961354\"")),
              testing::Contains("f:22:1: there is another section of \"H-0008f10403961354\"; see f:18:1"));
  EXPECT_THAT(mistakes_of_dump("Switch\t8 \"S-0008f10400410015\" # \"a\"\n"),
              ElementsAre("f: there is no node at a switch"));
}

// The speed of a link is the same at both ends, and one of them is enough.
TEST(IbNetDiscover, TakesASpeedFromEitherEnd) {
  const auto rates_of = [](const std::string& text) {
    Mistakes mistakes;
    const Fabric fabric = read_ibnetdiscover(text, "f", mistakes);
    EXPECT_TRUE(mistakes.empty());
    std::vector<std::optional<Rate>> rates;
    for (const auto& node : fabric.nodes) rates.push_back(node.rate);
    for (const auto& link : fabric.links) rates.push_back(link.rate);
    return rates;
  };
  const auto all = rates_of(kFabric);
  EXPECT_EQ(rates_of(with(kFabric, "lid 3 12xFDR", "lid 3")), all);
  EXPECT_EQ(rates_of(with(kFabric, "lid 6 12xFDR", "lid 6")), all);
  EXPECT_EQ(rates_of(with(kFabric, "lid 16 1xEDR", "lid 16")), all);
  EXPECT_EQ(rates_of(with(kFabric, "lid 3 1xEDR", "lid 3")), all);
}

TEST(IbNetDiscover, ReportsSpeedsThatContradictEachOtherOrAreMissing) {
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "lid 3 12xFDR", "lid 3 4xHDR")),
              ElementsAre("f:11:1: port 10 of \"S-005442ba00003080\" and port 1 of \"S-0008f10400410015\" "
                          "contradict each other: 4xHDR and 12xFDR; see f:16:1"));
  EXPECT_THAT(mistakes_of_dump(with(kFabric, "lid 3 1xEDR", "lid 3 4xEDR")),
              ElementsAre("f:15:1: port 6 of \"S-0008f10400410015\" and port 1 of \"H-0008f10403960984\" "
                          "contradict each other: 1xEDR and 4xEDR; see f:23:1"));
  std::string none = with(with(kFabric, "lid 3 12xFDR", "lid 3"), "lid 6 12xFDR", "lid 6");
  EXPECT_THAT(mistakes_of_dump(none),
              ElementsAre("f:11:1: the link between port 10 of \"S-005442ba00003080\" and port 1 of "
                          "\"S-0008f10400410015\" has no speed, but others have one; write it behind the "
                          "name, such as 4xEDR"));
  for (const char* const speed : {" 4xSDR", " 4xSDR", " 4xSDR", " 4xSDR", " 1xEDR", " 1xEDR"})
    none = with(none, speed, "");
  EXPECT_THAT(mistakes_of_dump(none), IsEmpty());  // all links have the rate of network.link
}

// A file that ends too soon lacks the other end of some link.
TEST(IbNetDiscover, FindsThatTheFileIsNotComplete) {
  std::size_t found = 0, lines = 0;
  for (std::size_t end = kFabric.find("Switch"); end < kFabric.size() - 1;
       end = kFabric.find('\n', end) + 1) {
    ++lines;
    if (!mistakes_of_dump(kFabric.substr(0, end)).empty()) ++found;
    if (kFabric.find('\n', end) == std::string::npos) break;
  }
  // three of these files are complete dumps without adapters: one switch and a node, all switches, and the
  // same with an empty line
  EXPECT_EQ(found + 3, lines);
  EXPECT_GT(lines, 12U);
}

// The file is a network whose ends exist, or every mistake says where in the file it is, and what is wrong.
void expect_network_or_places(const std::string& text) {
  Mistakes mistakes;
  const Fabric fabric = read_ibnetdiscover(text, "f", mistakes);
  const auto lines = static_cast<unsigned long>(std::ranges::count(text, '\n')) + 1;
  for (const Mistake& mistake : mistakes.list()) {
    EXPECT_FALSE(mistake.message.empty());
    EXPECT_TRUE(mistake.where == "f" || mistake.where.starts_with("f:")) << mistake.where;
    if (mistake.where != "f") EXPECT_LE(std::stoul(mistake.where.substr(2)), lines) << mistake.where;
  }
  if (!mistakes.empty()) return;
  EXPECT_EQ(fabric.ports.size(), fabric.switch_names.size());
  EXPECT_EQ(fabric.nodes.size(), fabric.node_names.size());
  for (const std::vector<Wire>& wires : {fabric.nodes, fabric.links})
    for (const Wire& wire : wires)
      for (const End& end : wire.ends) {
        ASSERT_LT(end.sw, fabric.ports.size());
        EXPECT_LT(end.port, fabric.ports[end.sw]);
      }
}

TEST(IbNetDiscover, SurvivesAnyDamage) {
  for (std::size_t at = 0; at < kFabric.size(); ++at) {
    std::string text = kFabric;
    text[at] = static_cast<char>(text[at] ^ (1 + at % 7));
    expect_network_or_places(text);
    text.erase(at, 1 + at % 5);
    expect_network_or_places(text);
    expect_network_or_places(kFabric.substr(0, at));
    ASSERT_FALSE(HasFailure()) << "byte " << at;
  }
}

}  // namespace
}  // namespace headway
