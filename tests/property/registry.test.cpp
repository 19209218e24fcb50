// SPDX-License-Identifier: Apache-2.0
// The guarantees of the members of every family, tested in several sizes (architecture.md). A new entry is
// tested as soon as it is listed.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "headway/compile/memory.h"
#include "headway/config/parameter_values.h"
#include "headway/programs/kind.h"
#include "headway/queueing/scheme.h"
#include "headway/routing/dependencies.h"
#include "headway/traffic/arrivals.h"
#include "headway/traffic/pattern.h"
#include "tests/property/networks.h"

namespace headway {
namespace {

constexpr std::int64_t kMostNodesTried = 256;

template <class T>
void expect_described(Registry<T> registry) {
  std::set<std::string_view> names;
  for (const auto& entry : registry) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is listed twice";
    EXPECT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_FALSE(entry.source.empty()) << entry.name;
  }
}

TEST(Registry, EveryEntrySaysWhatItIsAndWhereItComesFrom) {
  expect_described(topologies());
  expect_described(routings());
  expect_described(schemes());
  expect_described(patterns());
  expect_described(arrival_processes());
  expect_described(programs());
}

TEST(EveryTopology, ConnectsEveryLinkAtBothEnds) {
  const Link link{Rate{2}, Duration{7}};
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes;
    topology->check(mistakes);
    if (!mistakes.empty() || topology->nodes() > kMostNodesTried) continue;
    SCOPED_TRACE(label);
    const Graph graph = topology->build(link);
    const bool one_way = std::holds_alternative<StagesShape>(graph.shape());
    EXPECT_EQ(graph.nodes(), topology->links_of_nodes());
    EXPECT_EQ(graph.nodes_of_spec(), topology->nodes());
    for (PortId port = 0; port < graph.ports(); ++port) {
      if (const PortId source = graph.source_of(port); source != kNone) {
        EXPECT_EQ(graph.peer_of(source), port);
      }
      const PortId peer = graph.peer_of(port);
      if (peer == kNone) continue;
      EXPECT_NE(peer, port);
      EXPECT_EQ(graph.source_of(peer), port);
      if (!has_several_networks(topology)) EXPECT_EQ(graph.link(port), link);
      EXPECT_TRUE(one_way || graph.peer_of(peer) == port) << port;
    }
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      ASSERT_NE(graph.peer_of(graph.node_port(node)), kNone);
      ASSERT_NE(graph.source_of(graph.node_port(node)), kNone);
    }
  }
}

// A routing that cannot route a network names the routings that can, and these can indeed.
TEST(EveryRouting, RefusesWithAdviceThatHolds) {
  Graph hub(4, {8}, IrregularShape{{"hub"}, {}});
  for (NodeId node = 0; node < 4; ++node) hub.connect(hub.node_port(node), hub.port(0, node), {});
  std::vector<Graph> graphs = {hub};
  for (const auto& [label, topology] : variants(topologies())) {
    Mistakes mistakes;
    topology->check(mistakes);
    if (mistakes.empty() && topology->nodes() <= kMostNodesTried) graphs.push_back(topology->build({}));
  }
  for (const Graph& graph : graphs) {
    SCOPED_TRACE(kind_of(graph.shape()));
    const std::vector<std::string_view> able =
        routings_for(graph.shape(), [](const Routing&) { return true; });
    EXPECT_FALSE(able.empty());
    for (const Entry<Routing>& entry : routings()) {
      const auto routing = entry.make();
      const bool advised = std::ranges::find(able, entry.name) != able.end();
      EXPECT_EQ(routing->routes(graph.shape()), advised) << entry.name;
      try {
        routing->build(graph);
        EXPECT_TRUE(advised) << entry.name;
      } catch (const SpecError& error) {
        if (entry.name == "table") continue;  // needs a file
        const std::string& message = error.mistakes()[0].message;
        if (message.starts_with("the shortest paths") || message.starts_with("the paths of this network") ||
            message.starts_with("the links of this network"))
          continue;  // refused for this network, not for its shape
        EXPECT_FALSE(advised) << entry.name;
        EXPECT_EQ(error.what(), "routing.algorithm: \"" + std::string(entry.name) + "\" cannot route " +
                                    std::string(kind_of(graph.shape())) + "; " + list_text(able, "or") +
                                    " can");
      }
    }
  }
}

// Marks the inputs (also of adapters) that can be reached from a node with any turns in switches.
std::vector<bool> reachable_inputs(const Graph& graph, NodeId from) {
  std::vector<bool> seen(graph.ports(), false);
  std::vector<PortId> frontier = {graph.peer_of(graph.node_port(from))};
  seen[frontier[0]] = true;
  while (!frontier.empty()) {
    const PortId here = frontier.back();
    frontier.pop_back();
    if (graph.is_node_port(here)) continue;
    const SwitchId sw = graph.switch_of(here);
    for (std::uint32_t local = 0; local < graph.radix(sw); ++local) {
      const PortId next = graph.peer_of(graph.port(sw, local));
      if (next == kNone || seen[next]) continue;
      seen[next] = true;
      frontier.push_back(next);
    }
  }
  return seen;
}

TEST(EveryTopology, LetsEveryNodeReachEveryNodeAndWastesNoSwitch) {
  for (const auto& [label, graph] : small_graphs(64)) {
    std::set<SwitchId> used;
    for (NodeId source = 0; source < graph.nodes(); ++source) {
      const std::vector<bool> seen = reachable_inputs(graph, source);
      for (NodeId node = 0; node < graph.nodes(); ++node)
        EXPECT_TRUE(seen[graph.node_port(node)]) << label << ": " << source << " to " << node;
      for (PortId input = 0; input < graph.switch_ports(); ++input)
        if (seen[input]) used.insert(graph.switch_of(input));
    }
    EXPECT_EQ(used.size(), graph.switches()) << label;
  }
}

// The maximum number of switches on a packet's path.
std::uint32_t hop_bound(const Graph& graph) {
  if (const auto* tree = std::get_if<TreeShape>(&graph.shape())) return 2 * tree->stages() - 1;
  if (const auto* multistage = std::get_if<StagesShape>(&graph.shape())) return multistage->stages;
  if (std::holds_alternative<SingleSwitchShape>(graph.shape())) return 1;
  if (const auto* hyperx = std::get_if<HyperXShape>(&graph.shape()))
    return 1 + static_cast<std::uint32_t>(
                   std::ranges::count_if(hyperx->sides, [](std::uint32_t side) { return side > 1; }));
  if (std::holds_alternative<DragonflyShape>(graph.shape()) ||
      std::holds_alternative<DragonflyPlusShape>(graph.shape()))
    return 4;
  if (std::holds_alternative<SlimFlyShape>(graph.shape())) return 3;
  if (const auto* grid = std::get_if<GridShape>(&graph.shape())) {
    std::uint32_t hops = 1;
    for (const std::uint32_t side : grid->sides) hops += grid->wraps ? side / 2 : side - 1;
    return hops;
  }
  return graph.switches();
}

// The longest walk over candidate ports from a switch to one destination, in switches.
class LongestWalk {
 public:
  LongestWalk(const Graph& graph, const RouteTable& routes, NodeId destination)
      : graph_(graph), routes_(routes), destination_(destination), hops_(graph.switches(), kUnknown) {}

  // kNone if some walk meets a missing port, a wrong node or a circle.
  std::uint32_t from(SwitchId sw) {
    if (hops_[sw] != kUnknown) return hops_[sw];
    hops_[sw] = kNone;  // until the search returns from it: meeting it again is a circle
    const PortRange candidates = routes_.at(sw, destination_);
    std::uint32_t longest = candidates.count == 0 ? kNone : 0;
    for (std::uint32_t i = 0; i < candidates.count && longest != kNone; ++i) {
      const std::uint32_t port = routes_.port(sw, destination_, candidates, i);
      const PortId next = port < graph_.radix(sw) ? graph_.peer_of(graph_.port(sw, port)) : kNone;
      std::uint32_t rest = kNone;
      if (next == graph_.node_port(destination_))
        rest = 0;
      else if (next != kNone && !graph_.is_node_port(next))
        rest = from(graph_.switch_of(next));
      longest = rest == kNone ? kNone : std::max(longest, rest + 1);
    }
    return hops_[sw] = longest;
  }

 private:
  static constexpr std::uint32_t kUnknown = kNone - 1;
  const Graph& graph_;
  const RouteTable& routes_;
  NodeId destination_;
  std::vector<std::uint32_t> hops_;  // [switch]
};

TEST(EveryRouting, ReachesEveryDestinationFromEveryNodeWithinItsBound) {
  std::set<std::string> routed;
  std::set<std::string_view> used;
  for (const auto& [label, graph] : small_graphs(kMostNodesTried)) {
    for (const auto& entry : routings()) {
      const auto routing = entry.make();
      const auto routes = routes_over(graph, *routing);
      if (!routes) continue;
      routed.insert(label);
      used.insert(entry.name);
      for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
        LongestWalk walk(graph, routes->table, destination);
        for (NodeId source = 0; source < graph.nodes(); ++source)
          ASSERT_LE(walk.from(graph.switch_of(graph.peer_of(graph.node_port(source)))),
                    entry.name == "up-down" ? graph.switches() : hop_bound(graph))  // not minimal
              << entry.name << " over " << label << ": " << source << " to " << destination;
      }
    }
    EXPECT_TRUE(routed.contains(label)) << "no routing for " << label;
  }
  for (const auto& entry : routings())
    if (entry.name != "table")  // needs a file
      EXPECT_TRUE(used.contains(entry.name)) << entry.name << " routes no topology";
}

TEST(EveryRouting, HasOneCandidateIfItPromisesASinglePath) {
  for (const auto& [label, graph] : small_graphs(64)) {
    for (const auto& entry : routings()) {
      const auto routing = entry.make();
      const auto routes = routes_over(graph, *routing);
      if (!routes || !routing->single_path()) continue;
      for (SwitchId sw = 0; sw < graph.switches(); ++sw)
        for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
          const PortRange candidates = routes->table.at(sw, destination);
          if (candidates.count == 0) continue;  // no path passes here, as in networks of one-way links
          for (NodeId source = 0; source < graph.nodes(); ++source) {
            const PortRange port = routes->table.of_pair(sw, source, destination);
            ASSERT_EQ(port.count, 1) << entry.name << " over " << label;
            bool among = false;
            for (std::uint32_t i = 0; i < candidates.count; ++i)
              among |= routes->table.port(sw, destination, candidates, i) == port.first;
            ASSERT_TRUE(among);
          }
        }
    }
  }
}

TEST(EveryRouting, HasNoCycleOfChannels) {
  for (const auto& [label, graph] : small_graphs(64))
    for (const auto& entry : routings()) {
      const auto routes = routes_over(graph, *entry.make());
      EXPECT_TRUE(!routes || find_dependency_cycle(graph, *routes).empty())
          << entry.name << " over " << label;
    }
}

TEST(EveryScheme, MapsEveryKeyToAQueue) {
  const auto graphs = small_graphs(64);
  for (const auto& [label, scheme] : variants(schemes())) {
    for (const auto& [graph_label, graph] : graphs) {
      SCOPED_TRACE(label + " on " + graph_label);
      const QueueMap map = scheme->build(graph);
      EXPECT_GE(map.queues, 1U);
      for (const std::uint32_t queue : map.queue_of) EXPECT_LT(queue, map.queues);
      const std::map<QueueKey, std::size_t> keys_of = {
          {QueueKey::none, 0}, {QueueKey::output, graph.max_radix()}, {QueueKey::destination, graph.nodes()}};
      if (map.key == QueueKey::table) {
        for (NodeId source = 0; source < graph.nodes(); ++source)
          for (NodeId node = 0; node < graph.nodes(); ++node)
            EXPECT_LT(map.at(0, 0, source, node), map.queues);
      } else {
        EXPECT_EQ(map.queue_of.size(), keys_of.at(map.key));
      }
      EXPECT_EQ(scheme->in_order(), map.channels == 1);
    }
  }
}

TEST(EveryScheme, WithOneQueueIsOneQueue) {
  for (const auto& [label, graph] : small_graphs(64)) {
    for (const auto& variant : variants(schemes())) {
      const QueueMap map = variant.choice->build(graph);
      if (map.queues != 1) continue;
      for (const std::uint32_t queue : map.queue_of) EXPECT_EQ(queue, 0U) << variant.label << " on " << label;
      EXPECT_TRUE(variant.choice->in_order()) << variant.label;
    }
  }
}

TEST(EveryScheme, WithAQueuePerKeyIsVirtualOutputQueueing) {
  for (const auto& [label, graph] : small_graphs(64)) {
    const QueueMap voqnet = choose(schemes(), "voqnet")->build(graph);
    for (const char* mapping : {"modulo", "block"}) {
      const QueueMap dbbm =
          choose(schemes(), "dbbm", {{"queues", graph.nodes()}, {"mapping", mapping}})->build(graph);
      EXPECT_EQ(dbbm.key, voqnet.key);
      EXPECT_EQ(dbbm.queues, voqnet.queues);
      EXPECT_EQ(dbbm.queue_of, voqnet.queue_of) << mapping << " on " << label;
    }
    const QueueMap voqsw = choose(schemes(), "voqsw")->build(graph);
    const QueueMap obqa = choose(schemes(), "obqa", {{"queues", graph.max_radix()}})->build(graph);
    EXPECT_EQ(obqa.key, voqsw.key);
    EXPECT_EQ(obqa.queues, voqsw.queues);
    EXPECT_EQ(obqa.queue_of, voqsw.queue_of) << label;
  }
}

TEST(EveryPattern, DrawsDestinationsInRangeAndTheSameOnesFromTheSameSeed) {
  for (const auto& [label, pattern] : variants(patterns())) {
    for (const std::uint32_t nodes : {1U, 2U, 5U, 16U}) {
      Mistakes mistakes;
      pattern->check(nodes, mistakes);
      if (!mistakes.empty()) continue;
      SCOPED_TRACE(label + " on " + std::to_string(nodes) + " nodes");
      const auto destinations = pattern->build(nodes, 9);
      const auto again = pattern->build(nodes, 9);
      for (NodeId source = 0; source < nodes; ++source) {
        Rng rng(1, source), rng_again(1, source);
        const bool silent = destinations->next(source, rng) == kNone;
        again->next(source, rng_again);
        for (int draw = 0; draw < 100; ++draw) {
          const NodeId destination = destinations->next(source, rng);
          EXPECT_EQ(destination, again->next(source, rng_again));
          EXPECT_EQ(destination == kNone, silent);  // a source sends always or never
          EXPECT_TRUE(silent || destination < nodes) << destination;
        }
      }
    }
  }
}

// All messages have a partner, and no operations wait for each other, even if all messages are announced.
TEST(EveryProgram, BuildsForAllNumbersOfRanksThatItAccepts) {
  std::set<std::string_view> built_in;  // programs from files need a file
  for (const auto& [label, program] : variants(programs()))
    for (std::uint32_t number = 1; number <= 16; ++number) {
      const std::uint32_t ranks = program->ranks().value_or(number);
      SCOPED_TRACE(label + " with " + std::to_string(ranks) + " ranks");
      Mistakes mistakes;
      program->check(ranks, mistakes);
      if (!mistakes.empty()) continue;
      built_in.insert(program.name);
      ProgramBuilder builder(ranks);
      program->build(builder);
      const auto built = builder.take(mistakes);
      if (built) report_cycle(*built, std::numeric_limits<std::uint64_t>::max(), mistakes);
      if (built) report_cycle(*built, /*rendezvous=*/0, mistakes);
      for (const Mistake& mistake : mistakes.list()) ADD_FAILURE() << mistake.message;
      if (program->ranks()) break;
    }
  EXPECT_GE(built_in.size(), 17U);
}

}  // namespace
}  // namespace headway
