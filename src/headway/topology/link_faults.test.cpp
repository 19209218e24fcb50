// SPDX-License-Identifier: Apache-2.0
#include "headway/topology/link_faults.h"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

#include "headway/base/error.h"
#include "headway/config/assign.h"
#include "headway/topology/topology.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

LinkFaults failed(std::vector<std::string> at) {
  LinkFaults faults;
  faults.failed.at = std::move(at);
  return faults;
}
LinkFaults drawn(double part, std::int64_t seed = 1) {
  LinkFaults faults;
  faults.failed.part = part;
  faults.failed.seed = seed;
  return faults;
}

Graph mesh() { return choose(topologies(), "mesh", {{"sides", std::vector<std::int64_t>{4, 4}}})->build({}); }

std::vector<PortId> without_link(const Graph& before, const Graph& after) {
  std::vector<PortId> result;
  for (PortId port = 0; port < before.switch_ports(); ++port)
    if (before.peer_of(port) != after.peer_of(port)) {
      EXPECT_EQ(after.peer_of(port), kNone);
      EXPECT_EQ(after.source_of(port), kNone);
      result.push_back(port);
    }
  return result;
}

std::vector<std::string> mistakes_of(const LinkFaults& faults, Graph graph = mesh()) {
  try {
    apply(faults, graph);
  } catch (const SpecError& error) {
    std::vector<std::string> result;
    for (const Mistake& m : error.mistakes()) result.push_back(m.key + ": " + m.message + "; " + m.hint);
    return result;
  }
  return {};
}

// Ports of a mesh: 0 node, 1 and 2 to the neighbours in the first dimension, 3 and 4 in the second.
TEST(LinkFaults, FailInBothDirections) {
  Graph graph = mesh();
  EXPECT_FALSE(graph.has_failures());
  apply(failed({"5:2"}), graph);
  EXPECT_TRUE(graph.has_failures());
  EXPECT_THAT(without_link(mesh(), graph), ElementsAre(graph.port(5, 2), graph.port(6, 1)));
  EXPECT_EQ(graph.connected_outputs(), mesh().connected_outputs() - 2);
}

TEST(LinkFaults, DrawThePartThatIsAskedFor) {
  const Graph torus = choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{5, 4}}})->build({});
  for (const double part : {0.0, 0.1, 0.2}) {
    Graph graph = torus, same = torus, other = torus;
    apply(drawn(part, 3), graph);
    apply(drawn(part, 3), same);
    apply(drawn(part, 4), other);
    const auto failed = without_link(torus, graph);
    EXPECT_EQ(failed.size(), 2U * static_cast<std::size_t>(std::lround(part * 40)));
    EXPECT_EQ(failed, without_link(torus, same));
    EXPECT_EQ(failed == without_link(torus, other), part == 0);
  }
}

TEST(LinkFaults, SlowLinksKeepTheirDelay) {
  Graph graph = mesh();
  LinkFaults faults;
  faults.slow.part = 0.5;
  faults.slow_rate = 0.25;
  apply(faults, graph);
  std::uint32_t slow = 0;
  for (PortId port = 0; port < graph.switch_ports(); ++port) {
    if (graph.peer_of(port) == kNone) continue;
    const Link& link = graph.link(port);
    EXPECT_EQ(link, graph.link(graph.peer_of(port)));
    EXPECT_EQ(link.delay, Link{}.delay);
    if (link.rate == Rate{Rational(1, 4)}) ++slow;
  }
  EXPECT_EQ(slow, 24U);
}

TEST(LinkFaults, ReportEveryNameThatIsNoLink) {
  EXPECT_THAT(
      mistakes_of(failed({"5", "16:1", "5:9", "0:0", "0:1"})),
      ElementsAre(
          "network.failures.at: \"5\" is not a link; write \"SWITCH:PORT\", or its two ends, \"SWITCH -- "
          "SWITCH\"",
          "network.failures.at: there is no switch \"16\"; 0 to 15",
          "network.failures.at: switch 5 has no port 9; ports 0 to 4",
          "network.failures.at: port 0 of switch 0 leads to a node; use links between switches",
          "network.failures.at: port 1 of switch 0 has no link; use links between switches"));
}

TEST(LinkFaults, AreNamedByTheirTwoEnds) {
  for (const char* const name : {"5 -- 6", "6 -- 5"}) {
    Graph graph = mesh();
    apply(failed({name}), graph);
    EXPECT_THAT(without_link(mesh(), graph), ElementsAre(graph.port(5, 2), graph.port(6, 1)));
  }
  EXPECT_THAT(mistakes_of(failed({"5 -- 7", "5 -- 16", "0 -- node 0", "0 -- node x"})),
              ElementsAre("network.failures.at: no link joins \"5 -- 7\"; use two neighbours",
                          "network.failures.at: there is no switch \"16\"; 0 to 15",
                          "network.failures.at: \"0 -- node 0\" leads to a node; use links between switches",
                          "network.failures.at: there is no node \"x\"; 0 to 15"));
  const Graph twice = choose(topologies(), "pgft",
                             {{"children", std::vector<std::int64_t>{2, 2}},
                              {"parents", std::vector<std::int64_t>{1, 1}},
                              {"links", std::vector<std::int64_t>{1, 2}}})
                          ->build({});
  EXPECT_THAT(mistakes_of(failed({"0 -- 2"}), twice),
              ElementsAre("network.failures.at: 2 links join \"0 -- 2\"; one of them: 0:2, 0:3"));
}

TEST(LinkFaults, ReportNodesThatNoPathLeadsTo) {
  EXPECT_THAT(
      mistakes_of(failed({"15:1", "15:3"})),
      ElementsAre(
          "network.failures: without these links, no path leads from node 0 to node 15; use fewer failed "
          "links, or another seed"));
  EXPECT_EQ(mistakes_of(drawn(1)).size(), 1U);
}

// All links of an omega network lead in one direction. The failed link is the only path from node 3 to the
// lower half.
TEST(LinkFaults, NameASourceWithoutAPath) {
  Graph omega = choose(topologies(), "omega", {{"nodes", 8}})->build({});
  EXPECT_THAT(mistakes_of(failed({"3:0"}), std::move(omega)),
              ElementsAre("network.failures: without these links, no path leads from node 3 to node 0, 1, 2, "
                          "3; use fewer failed links, or another seed"));
}

TEST(LinkFaults, LeaveNodesThatNoPathLeadsToIfTheseAreReported) {
  LinkFaults faults = failed({"15:1", "15:3"});
  faults.unreachable = Unreachable::reported;
  EXPECT_TRUE(mistakes_of(faults).empty());
}

TEST(LinkFaults, AreFewerIfSomeAreRepaired) {
  Graph graph = mesh(), without = mesh();
  LinkFaults faults = failed({"5:2", "6:3"});
  EXPECT_THAT(failed_links(faults, graph), ElementsAre("2:4", "5:2"));
  faults.repaired = {"6:3"};
  EXPECT_THAT(failed_links(faults, graph), ElementsAre("5:2"));
  apply(faults, graph);
  apply(failed({"5:2"}), without);
  for (PortId port = 0; port < graph.ports(); ++port) EXPECT_EQ(graph.peer_of(port), without.peer_of(port));
  faults.repaired = {"5:2", "10:1", "99:0"};
  EXPECT_THAT(mistakes_of(faults), ElementsAre(StartsWith("what_if.repaired: link 10:1 has not failed"),
                                               StartsWith("what_if.repaired: there is no switch")));
}

}  // namespace
}  // namespace headway
