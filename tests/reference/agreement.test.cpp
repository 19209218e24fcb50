// SPDX-License-Identifier: Apache-2.0
// The engine against the reference simulator: every packet in the same tick, every counter the same.
// HEADWAY_SOAK=n runs n times as many random cases.
#include "tests/reference/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>

#include "headway/compile/build.h"
#include "headway/compile/tick.h"
#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "tests/support/hand_made.h"
#include "tests/support/random_case.h"
#include "tests/support/random_program.h"
#include "tests/support/random_spec.h"
#include "tests/support/sanitizer.h"

namespace headway {
namespace {

bool go_together(const Entry<Scheme>& scheme, std::string_view routing, const Topology& topology) {
  if (scheme.make()->isolation()) return routing == "det";
  const QueueKey key = choose(schemes(), scheme.name)->build(topology.build({})).key;
  return routing != "adaptive" || (key != QueueKey::output && !scheme.make()->pools_memory());
}

TEST(Agreement, RandomNetworks) {
  const std::uint64_t cases = test::cases_of(150);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomCase c = test::random_case(number);
    const std::string difference =
        reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0);
    EXPECT_EQ(difference, "") << "random_case(" << number << "): " << c.description;
  }
}

TEST(Agreement, RandomNetworksWithTablesOfQueues) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomCase c = test::random_table_case(number);
    const std::string difference =
        reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0);
    EXPECT_EQ(difference, "") << "random_table_case(" << number << "): " << c.description;
  }
}

TEST(Agreement, RandomNetworksWithIsolation) {
  const std::uint64_t cases = test::cases_of(150);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomCase c = test::random_isolation_case(number);
    const std::string difference =
        reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0);
    EXPECT_EQ(difference, "") << "random_isolation_case(" << number << "): " << c.description;
  }
}

TEST(Agreement, RandomNetworksWithOverflowQueues) {
  const std::uint64_t cases = test::cases_of(150);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomCase c = test::random_overflow_case(number);
    const std::string difference =
        reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0);
    EXPECT_EQ(difference, "") << "random_overflow_case(" << number << "): " << c.description;
  }
}

// Packets of any length, whose memory is counted in cells.
TEST(Agreement, RandomNetworksWithCells) {
  struct Kind {
    const char* name;
    test::RandomCase (*make)(std::uint64_t, test::Memory);
  };
  const Kind kinds[] = {{"random_case", test::random_case},
                        {"random_table_case", test::random_table_case},
                        {"random_isolation_case", test::random_isolation_case},
                        {"random_overflow_case", test::random_overflow_case}};
  const std::uint64_t cases = test::cases_of(75);
  for (const Kind& kind : kinds)
    for (std::uint64_t number = 0; number < cases; ++number) {
      const test::RandomCase c = kind.make(number, test::Memory::cells);
      const std::string difference =
          reference::disagreement(c.network, c.workload, number, c.end, /*check=*/number % 4 == 0);
      EXPECT_EQ(difference, "") << kind.name << '(' << number << ", cells): " << c.description;
    }
}

TEST(Agreement, RandomSpecsWithCells) {
  const std::uint64_t cases = test::cases_of(75);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_cells(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_cells(" << number << "): " << random.description;
  }
}

// A switch reads a packet at the rate of the faster of two links, and a place holds what a slower one sends.
TEST(Agreement, RandomSpecsWithDegradedLinks) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_degraded_links(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_degraded_links(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithEvents) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_events(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_events(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithNodesOfSeveralLinks) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_node_links(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_node_links(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithCollectivesInSwitches) {
  const std::uint64_t cases = test::cases_of(120);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_switch_collectives(number);
    const Model model = build(random.spec);
    const Tick end = ticks(Duration{1500}, model.network.tick);
    EXPECT_EQ(reference::disagreement(model.network, model.workload, number, end, /*check=*/number % 4 == 0),
              "")
        << "random_spec_with_switch_collectives(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecs) {
  const std::uint64_t cases = test::cases_of(75);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec(" << number << "): " << random.description;
  }
}

// All flows have the same sources, and two of them the same destinations.
TEST(Agreement, RandomSpecsWithFlowsThatShareNodes) {
  const std::uint64_t cases = test::cases_of(75);
  for (std::uint64_t number = 0; number < cases; ++number) {
    test::RandomSpec random = test::random_spec(number);
    std::vector<FlowSpec>& flows = random.spec.traffic.flows;
    flows.push_back(flows.front());
    for (LoadSpec::Point& point : flows.back().load.points) point.load /= 2;
    for (FlowSpec& flow : flows) flow.sources = {};
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithServiceLevels) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_service_levels(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_service_levels(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithSlowNodes) {
  const std::uint64_t cases = test::cases_of(150);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_slow_nodes(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_slow_nodes(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithPauses) {
  const std::uint64_t cases = test::cases_of(150);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_pauses(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_pauses(" << number << "): " << random.description;
  }
}

// The comparison above sees pauses by both kinds of thresholds, and losses by both.
TEST(Agreement, SpecsWithPausesHavePausesAndLosses) {
  std::map<std::string_view, int> paused, lost;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const test::RandomSpec random = test::random_spec_with_pauses(number);
    const Model model = build(random.spec);
    const auto engine = make_simulation(model.network, model.workload, {.seed = number});
    engine->run_until(ticks(Duration{1000}, model.network.tick));
    const Counters& counters = engine->record().counters;
    const std::string_view name = random.spec.switches.flow_control.name;
    paused[name] += counters.pauses > 2 ? 1 : 0;
    lost[name] += counters.packets_lost > 0 ? 1 : 0;
  }
  for (const char* name : {"pfc", "pfc-shared"}) {
    EXPECT_GE(paused[name], 20) << name;
    EXPECT_GE(lost[name], 3) << name;
  }
}

TEST(Agreement, RandomSpecsWithLaneCredits) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_lane_credits(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_lane_credits(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithChoicesOnArrival) {
  const std::uint64_t cases = test::cases_of(150);
  std::map<std::string_view, int> seen;
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_choices_on_arrival(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_choices_on_arrival(" << number << "): " << random.description;
    ++seen[random.spec.switches.flow_control.name];
    ++seen[random.spec.switches.scheme.name];
    if (random.spec.routing.selection.name != "auto") ++seen["selections"];
  }
  if (cases < 100) return;  // under a sanitizer
  for (const char* const what :
       {"lane-credits", "pfc", "pfc-shared", "1q", "voqsw", "obqa", "voqnet", "selections"})
    EXPECT_GE(seen[what], 5) << what;
}

TEST(Agreement, RandomSpecsWithChoicesOfFlows) {
  const std::uint64_t cases = test::cases_of(300);
  std::map<std::string_view, int> seen;
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_choices_of_flows(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_choices_of_flows(" << number << "): " << random.description;
    const RoutingSpec& routing = random.spec.routing;
    const bool adaptive = routing.algorithm.name == "adaptive";
    if (adaptive) ++seen[routing.algorithm->at_arrival() ? "arrival" : "head"];
    if (adaptive) ++seen[routing.choose_per == ChoosePer::flowlet ? "flowlet" : "message"];
    if (!adaptive) ++seen[routing.choose_per == ChoosePer::packet ? "spray" : "spray of messages"];
    if (routing.flow_table) ++seen["shared entries"];
    if (!random.spec.events.empty()) ++seen["events"];
  }
  if (cases < 100) return;  // under a sanitizer
  for (const char* const what :
       {"arrival", "head", "flowlet", "message", "spray", "spray of messages", "shared entries", "events"})
    EXPECT_GE(seen[what], 10) << what;
}

TEST(Agreement, RandomSpecsWithOutputQueues) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_output_queues(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_output_queues(" << number << "): " << random.description;
  }
}

// Messages of all kinds: shorter than a frame, of several packets, of random sizes.
TEST(Agreement, RandomSpecsWithFrames) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_frames(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_frames(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithLaneTurns) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_lane_turns(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_lane_turns(" << number << "): " << random.description;
  }
}

TEST(Agreement, RandomSpecsWithCongestionControl) {
  const std::uint64_t cases = test::cases_of(100);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec_with_control(number);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec_with_control(" << number << "): " << random.description;
  }
}

// The comparison above sees packets marked by every rule, sources slowed down by every reaction, and
// notifications that travel.
TEST(Agreement, SpecsWithCongestionControlHaveMarksAndLimitedFlows) {
  std::map<std::string_view, int> marked, limited;
  int travelling = 0;
  for (std::uint64_t number = 0; number < 250; ++number) {
    const test::RandomSpec random = test::random_spec_with_control(number);
    const Model model = build(random.spec);
    const auto engine = make_simulation(model.network, model.workload, {.seed = number});
    engine->run_until(ticks(Duration{1000}, model.network.tick));
    const Counters& counters = engine->record().counters;
    marked[random.spec.switches.marking.name] += counters.marks > 0 ? 1 : 0;
    limited[random.spec.node.reaction.name] += counters.notifications > 2 ? 1 : 0;
    travelling += counters.notices_delivered > 2 ? 1 : 0;
  }
  for (const Entry<Marking>& marking : markings())
    if (marking.name != "none") EXPECT_GE(marked[marking.name], 3) << marking.name;
  for (const Entry<Reaction>& reaction : reactions())
    if (reaction.name != "none") EXPECT_GE(limited[reaction.name], 8) << reaction.name;
  EXPECT_GE(travelling, 20);
}

// Packets choose among ports in one lane; their escapes use other lanes.
TEST(Agreement, SpecsOfNetworksWithAnEscape) {
  using Sides = std::vector<std::int64_t>;
  const std::pair<const char*, Sides> networks[] = {
      {"mesh", {3, 3}}, {"torus", {4, 3}}, {"torus", {5}}, {"torus", {2, 2, 2}}, {"hyperx", {3, 2}}};
  const std::uint64_t cases = test::cases_of(30);
  for (const auto& [name, sides] : networks) {
    const Choice<Topology> topology = choose(topologies(), name, {{"sides", sides}, {"nodes_per_switch", 2}});
    for (std::uint64_t number = 0; number < cases; ++number) {
      const test::RandomSpec random = test::random_spec(number, topology, choose(routings(), "adaptive"));
      EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
          << name << ", random_spec(" << number << "): " << random.description;
    }
  }
}

// Packets share the links between two groups by their destinations, at random or by load.
TEST(Agreement, SpecsOfNetworksWithParallelLinks) {
  std::vector<Choice<Topology>> networks;
  for (const auto& [p, a, h, g] :
       {std::array{2, 2, 2, 3}, {1, 3, 2, 4}, {2, 2, 3, 3}, {1, 3, 3, 2}, {2, 1, 4, 3}, {1, 4, 1, 3}}) {
    networks.push_back(choose(topologies(), "dragonfly", {{"p", p}, {"a", a}, {"h", h}, {"g", g}}));
    networks.push_back(
        choose(topologies(), "dragonfly-plus", {{"p", p}, {"leaves", 2}, {"spines", a}, {"h", h}, {"g", g}}));
  }
  std::vector<Choice<Routing>> with = {choose(routings(), "ugal", {{"knowledge", std::string("global")}})};
  for (const char* name : {"minimal", "valiant", "ugal", "par"}) with.push_back(choose(routings(), name));
  const std::uint64_t cases = test::cases_of(6);
  for (const Choice<Topology>& topology : networks)
    for (const Choice<Routing>& routing : with)
      for (std::uint64_t number = 0; number < cases; ++number) {
        const test::RandomSpec random = test::random_spec(number, topology, routing);
        EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
            << routing.name << ", random_spec(" << number << "): " << random.description;
      }
}

// A flow's load is relative to the rate of each node's own link.
TEST(Agreement, SpecsOfANetworkWithLinksOfDifferentRates) {
  const std::string path = testing::TempDir() + "agreement_test";
  std::ofstream(path + ".toml") << R"([[switch]]
[[switch]]
[[node]]
at = "0:0"
rate = "2 GB/s"
[[node]]
at = "0:1"
delay = "7 ns"
[[node]]
at = "0:2"
rate = "0.5 GB/s"
[[node]]
at = "1:0"
rate = "2 GB/s"
[[node]]
at = "1:1"
[[link]]
ends = ["0:3", "1:2"]
rate = "3 GB/s"
delay = "5 ns"
)";
  std::ofstream(path + ".txt") << "switch 0\n0 0\n1 1\n2 2\n3 3\n4 3\n"
                                  "switch 1\n0 2\n1 2\n2 2\n3 0\n4 1\n";
  const Choice<Topology> topology = choose(topologies(), "file", {{"file", path + ".toml"}});
  const Choice<Routing> routing = choose(routings(), "table", {{"file", path + ".txt"}});
  const std::uint64_t cases = test::cases_of(50);
  for (std::uint64_t number = 0; number < cases; ++number) {
    const test::RandomSpec random = test::random_spec(number, topology, routing);
    EXPECT_EQ(reference::disagreement(random.spec, Duration{1000}, /*check=*/number % 4 == 0), "")
        << "random_spec(" << number << "): " << random.description;
  }
}

// Options with such small memories that all of them fill soon.
NetworkOptions tight(std::uint32_t output_capacity) {
  NetworkOptions options;
  options.packet_bytes = 6;
  options.capacity = 2;
  options.output_capacity = output_capacity;
  return options;
}

std::string disagreement_when_busy(const Network& network, Tick end = 80) {
  const Workload workload =
      test::saturated(test::first_nodes(network.nodes()), test::anywhere(network.nodes()), 6, 2);
  return reference::disagreement(network, workload, 1, end, /*check=*/false);
}

// The engine prefetches when many switches have a round in the same tick.
TEST(Agreement, ManyRoundsInATick) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 7}});
  std::uint32_t number = 0;
  for (const Entry<Scheme>& scheme : schemes())
    for (const std::string_view routing : {"det", "random-up", "adaptive"}) {
      if (!go_together(scheme, routing, *tree)) continue;
      for (const std::uint32_t output_capacity : {0, 2}) {
        if (scheme.make()->pools_memory() && output_capacity > 0) continue;
        if (number++ % test::kOneIn != 0) continue;
        const Network network =
            test::network_of(tree, routing, choose(schemes(), scheme.name), tight(output_capacity));
        EXPECT_EQ(disagreement_when_busy(network), "")
            << scheme.name << ", " << routing << ", output capacity " << output_capacity;
      }
    }
}

// Packets are stored, cut through or are overtaken, in all kinds of switches.
TEST(Agreement, LinksOfDifferentRates) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}});
  std::uint64_t number = 0;
  for (const Entry<Scheme>& scheme : schemes())
    for (const std::string_view routing : {"det", "random-up", "adaptive"}) {
      if (!go_together(scheme, routing, *tree)) continue;
      for (const bool holds_faster_links : {false, true})
        for (const std::uint32_t output_capacity : {0, 2}) {
          if (scheme.make()->pools_memory() && output_capacity > 0) continue;
          NetworkOptions options = tight(output_capacity);
          options.holds_faster_links = holds_faster_links;
          options.routing_delay = number % 4;
          options.arbiter = static_cast<ArbiterKind>(number % 3);
          const Network network = test::network_of(test::with_any_links(tree->build({}), ++number, 9),
                                                   routing, choose(schemes(), scheme.name), options);
          ASSERT_TRUE(network.links_differ);
          EXPECT_EQ(disagreement_when_busy(network, 400), "")
              << scheme.name << ", " << routing << ", holds faster links " << holds_faster_links
              << ", output capacity " << output_capacity;
        }
    }
}

// A packet that leaves the only output queue makes room for packets of other queues behind the link.
TEST(Agreement, OneOutputQueueForSeveralQueues) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 4}});
  const Graph graph = tree->build({});
  for (const FreeOutput free : {FreeOutput::room_credit, FreeOutput::spare_credit, FreeOutput::now})
    for (const char* selection : {"ff", "cp", "mc"}) {
      NetworkOptions options = tight(4);
      options.one_output_queue = true;
      options.selection = choose(selections(), selection)->build(graph);
      options.selection->free = free;
      const Network network =
          test::network_of(tree, "adaptive", choose(schemes(), "dbbm", {{"queues", 2}}), options);
      EXPECT_EQ(disagreement_when_busy(network, 800), "") << selection << ", free " << static_cast<int>(free);
    }
}

// Request lists store only the low 16 bits of a queue's id.
TEST(Agreement, MoreThan65536Queues) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 7}});
  const Choice<Scheme> scheme = choose(schemes(), "dbbm", {{"queues", 64}});
  const Network network = test::network_of(tree, "det", scheme, tight(0));
  ASSERT_GT(network.queues, 65536U);
  EXPECT_EQ(disagreement_when_busy(network), "");
}

// Every way to ask for an output, when outputs are seldom free.
TEST(Agreement, HeadsKeepToAnOutputOrWait) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}});
  const Graph graph = tree->build({});
  for (const FreeOutput free : {FreeOutput::room_credit, FreeOutput::spare_credit, FreeOutput::now})
    for (const NoneFree none_free : {NoneFree::wait, NoneFree::preferred})
      for (const CpCounts counts : {CpCounts::chosen, CpCounts::routed})
        for (const char* selection : {"ff", "cp", "mc", "rp"})
          for (const std::uint32_t output_capacity : {0, 2}) {
            NetworkOptions options = tight(output_capacity);
            options.selection = choose(selections(), selection)->build(graph);
            options.selection->free = free;
            options.selection->none_free = none_free;
            options.selection->cp_counts = counts;
            const Network network = test::network_of(tree, "adaptive", choose(schemes(), "1q"), options);
            EXPECT_EQ(disagreement_when_busy(network, 800), "")
                << selection << ", free " << static_cast<int>(free) << ", none free "
                << static_cast<int>(none_free) << ", counts " << static_cast<int>(counts)
                << ", output capacity " << output_capacity;
          }
}

TEST(Agreement, ManySwitchesChooseInATick) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 7}});
  const Graph graph = tree->build({});
  for (const Entry<Selection>& selection : selections())
    for (const FreeOutput free : {FreeOutput::room_credit, FreeOutput::spare_credit, FreeOutput::now})
      for (const std::uint32_t output_capacity : {0, 2}) {
        NetworkOptions options = tight(output_capacity);
        options.selection = selection.make()->build(graph);
        options.selection->free = free;
        options.selection->none_free = output_capacity == 0 ? NoneFree::wait : NoneFree::preferred;
        options.selection->cp_counts = output_capacity == 0 ? CpCounts::chosen : CpCounts::routed;
        const Network network = test::network_of(tree, "adaptive", choose(schemes(), "1q"), options);
        EXPECT_EQ(disagreement_when_busy(network), "")
            << selection.name << ", free " << static_cast<int>(free) << ", output capacity "
            << output_capacity;
      }
}

TEST(Agreement, AllPermutationsOnATwoAryTwoTree) {
  const Choice<Topology> tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}});
  std::uint32_t number = 0;
  for (const Entry<Scheme>& scheme : schemes())
    for (const std::string_view routing : {"det", "random-up", "turnaround", "adaptive"}) {
      if (!go_together(scheme, routing, *tree)) continue;
      for (const ArbiterKind arbiter : {ArbiterKind::round_robin, ArbiterKind::oldest_first,
                                        ArbiterKind::oldest_injected, ArbiterKind::random})
        for (const bool store_and_forward : {false, true}) {
          NetworkOptions options;
          options.arbiter = arbiter;
          options.store_and_forward = store_and_forward;
          options.packet_bytes = 6;
          options.capacity = store_and_forward ? 1 : 2;
          const Network network = test::network_of(tree, routing, choose(schemes(), scheme.name), options);
          std::vector<NodeId> permutation = test::first_nodes(network.nodes());
          do {
            if (number++ % test::kOneIn != 0) continue;
            const Workload workload =
                test::saturated(test::first_nodes(network.nodes()), test::each_to(permutation), 6, 2);
            EXPECT_EQ(reference::disagreement(network, workload, 1, 200, /*check=*/true), "")
                << scheme.name << ", " << routing << ", arbiter " << static_cast<int>(arbiter)
                << ", store and forward " << store_and_forward << ", " << testing::PrintToString(permutation);
          } while (std::next_permutation(permutation.begin(), permutation.end()));
        }
    }
}

}  // namespace
}  // namespace headway
