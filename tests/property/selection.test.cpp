// SPDX-License-Identifier: Apache-2.0
// Every selection function takes the preferred output if it is free, else the next free one in rotating
// order, else none. Functions that balance favour no port. Networks drain with every function.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "headway/config/assign.h"
#include "headway/engine/simulation.h"
#include "headway/selection/select.h"
#include "tests/support/hand_made.h"
#include "tests/support/variants.h"

namespace headway {
namespace {

Choice<Topology> tree(std::uint32_t k, std::uint32_t n) {
  return choose(topologies(), "k-ary-n-tree", {{"k", k}, {"n", n}});
}

TEST(Automatic, TakesTheFunctionThatFitsTheNetwork) {
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 3}})->build(Link{}),
              torus =
                  choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{4, 4}}})->build(Link{});
  EXPECT_TRUE(std::holds_alternative<Sadp>(choose(selections(), "auto")->build(tree).own));
  EXPECT_TRUE(std::holds_alternative<MostCredits>(choose(selections(), "auto")->build(torus).own));
}

TEST(EverySelection, TakesThePreferredOutputOrTheNextFreeOne) {
  constexpr std::uint32_t kArity = 4;
  const Graph graph = tree(kArity, 3)->build({});
  const std::uint32_t below_top = graph.switches() / 3 * 2;
  Rng rng(1, 1);
  for (const auto& [label, selection] : variants(selections())) {
    const SelectionRule rule = selection->build(graph);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t free = rng.below(1U << kArity), drawn = rng.next() >> 32;
      std::uint32_t credits[kArity];
      for (auto& credit : credits) credit = rng.below(3);
      const Ask ask{rule.addresses,
                    rng.below(below_top),
                    rng.below(graph.nodes()),
                    rng.below(graph.nodes()),
                    kArity,
                    rng.below(100),
                    [&](std::uint32_t candidate) { return credits[candidate]; },
                    [&] { return drawn; }};
      const std::uint32_t wanted = preferred(rule, ask);
      ASSERT_LT(wanted, kArity) << label;
      const std::uint32_t taken =
          select(rule, ask, [&](std::uint32_t candidate) { return (free >> candidate & 1) != 0; });
      if (free == 0) {
        EXPECT_EQ(taken, kNone) << label;
        continue;
      }
      ASSERT_LT(taken, kArity);
      EXPECT_NE(free >> taken & 1, 0U) << label << " took an output that is not free";
      for (std::uint32_t other = wanted; other != taken; other = (other + 1) % kArity)
        EXPECT_EQ(free >> other & 1, 0U) << label << " passed a free output";
      if (std::holds_alternative<MostCredits>(rule.own)) {
        EXPECT_EQ(credits[wanted], *std::max_element(credits, credits + kArity));
      }
    }
  }
}

// "The preferred port of SADP is DET's" (Gilabert et al., section 4; Gomez et al., IPDPS 2007).
TEST(EverySelection, SadpPrefersWhatDetTakes) {
  const auto mixed = [](std::vector<std::int64_t> parents, std::vector<std::int64_t> links) {
    return choose(topologies(), "pgft",
                  {{"children", std::vector<std::int64_t>{6, 3, 4}}, {"parents", parents}, {"links", links}});
  };
  for (const auto& topology :
       {tree(2, 4), tree(3, 3), tree(4, 2), mixed({1, 4, 3}, {1, 1, 1}), mixed({1, 2, 3}, {1, 3, 2})}) {
    const Graph graph = topology->build({});
    const RouteTable det = choose(routings(), "det")->build(graph).table;
    const RouteTable all = choose(routings(), "adaptive")->build(graph).table;
    const SelectionRule rule = choose(selections(), "sadp")->build(graph);
    for (SwitchId sw = 0; sw < graph.switches(); ++sw)
      for (NodeId destination = 0; destination < graph.nodes(); ++destination) {
        const PortRange candidates = all.at(sw, destination);
        if (candidates.count == 1) continue;
        const auto none = [](std::uint32_t = 0) { return std::uint64_t{0}; };
        const Ask ask{rule.addresses, sw, 0, destination, candidates.count, 0, none, none};
        EXPECT_EQ(candidates.first + preferred(rule, ask), det.at(sw, destination).first);
      }
  }
}

// A head that keeps to one output asks for it with one candidate left.
TEST(EverySelection, PrefersTheOnlyOutput) {
  const Graph graph = tree(4, 3)->build({});
  for (const auto& [label, selection] : variants(selections())) {
    const SelectionRule rule = selection->build(graph);
    const auto none = [](std::uint32_t = 0) { return std::uint64_t{3}; };
    for (const std::uint32_t turn : {0U, 7U}) {
      const Ask ask{rule.addresses, 5, 27, 61, 1, turn, none, none};
      EXPECT_EQ(preferred(rule, ask), 0U) << label;
    }
  }
}

struct Shape {
  const char* label;
  std::uint32_t output_capacity;
  bool one_output_queue;
};
constexpr Shape kShapes[] = {{"iq", 0, false}, {"cioq", 2, false}, {"cioq, one output queue", 2, true}};

struct FreeRule {
  FreeOutput free;
  NoneFree none_free;
};

template <class Visit>
void for_each_switch_kind(Visit&& visit) {
  for (const auto& [label, selection] : variants(selections()))
    for (const Shape& shape : kShapes)
      for (const FreeOutput free : {FreeOutput::room_credit, FreeOutput::spare_credit, FreeOutput::now})
        for (const NoneFree none_free : {NoneFree::wait, NoneFree::preferred})
          for (std::uint32_t channels = 1; channels <= 3; channels += 2) {
            SCOPED_TRACE(testing::Message()
                         << label << ", " << shape.label << ", free " << static_cast<int>(free)
                         << ", none free " << static_cast<int>(none_free) << ", " << channels << " channels");
            visit(*selection, shape, FreeRule{free, none_free}, channels);
          }
}

Network adaptive_tree(std::uint32_t k, std::uint32_t n, const Selection& selection, const Shape& shape,
                      FreeRule free, std::uint32_t channels) {
  Graph graph = tree(k, n)->build({});
  NetworkOptions options;
  options.packet_bytes = 7;
  options.capacity = options.injection_capacity = 2;
  options.routing_delay = 3;
  options.output_capacity = shape.output_capacity;
  options.one_output_queue = shape.one_output_queue;
  options.in_order = false;
  options.selection = selection.build(graph);
  options.selection->free = free.free;
  options.selection->none_free = free.none_free;
  RouteTable routes = choose(routings(), "adaptive")->build(graph).table;
  return {std::move(graph), std::move(routes),
          QueueMap::single().with_channels(channels, ChannelChoice::first_room), options};
}

TEST(EverySelection, NetworksDrainToTheLastPacket) {
  for_each_switch_kind(
      [](const Selection& selection, const Shape& shape, FreeRule free, std::uint32_t channels) {
        const Network network = adaptive_tree(2, 3, selection, shape, free, channels);
        Workload workload = test::saturated(test::first_nodes(8), test::anywhere(8), 7, 3);
        workload.flows[0].stop = 400;
        const auto simulation = make_simulation(network, workload, {.seed = 1, .check = true});
        simulation->run_until(400);
        EXPECT_GT(simulation->record().packets_in_network, 0U);
        EXPECT_FALSE(simulation->find_stall().deadlocked);
        simulation->run_until(20'000);
        EXPECT_EQ(simulation->record().packets_in_network, 0U);
        EXPECT_EQ(simulation->record().counters.packets_delivered,
                  simulation->record().counters.packets_generated);
      });
}

// With one candidate everywhere there is no choice, so every packet moves as if its output were known on
// arrival.
TEST(EverySelection, WithOneCandidateIsDeterministic) {
  for_each_switch_kind(
      [](const Selection& selection, const Shape& shape, FreeRule free, std::uint32_t channels) {
        const Network adaptive = adaptive_tree(3, 3, selection, shape, free, channels);
        NetworkOptions options = adaptive;
        const RouteTable det = choose(routings(), "det")->build(adaptive.graph).table;
        const Network one(adaptive.graph, det, adaptive.queue_map, options);
        options.selection.reset();
        const Network known(adaptive.graph, det, adaptive.queue_map, options);
        const Workload workload = test::slotted(test::first_nodes(27), test::anywhere(27), 7, 0.8);
        const auto run = [&](const Network& network) {
          std::vector<Delivery> deliveries;
          make_simulation(network, workload, {.seed = 3, .check = false, .deliveries = append_to(deliveries)})
              ->run_until(700);
          std::ranges::sort(deliveries, {}, [](const Delivery& d) {
            return std::tuple(d.tick, d.source, d.destination, d.serial);
          });
          return deliveries;
        };
        const std::vector<Delivery> deliveries = run(one);
        EXPECT_GT(deliveries.size(), 500U);
        EXPECT_EQ(deliveries, run(known));
      });
}

// All nodes send all they can under complement. A head that finds no port free takes the one that becomes
// free first under "wait", and waits for the first port under "preferred", so that less gets through.
TEST(EverySelection, AHeadCanKeepToItsPreferredPort) {
  const auto delivered = [](NoneFree none_free) {
    const Choice<Selection> first_free = choose(selections(), "ff");
    const Network network =
        adaptive_tree(4, 3, *first_free, kShapes[2], {FreeOutput::room_credit, none_free}, 1);
    std::vector<NodeId> to;
    for (NodeId node = 0; node < 64; ++node) to.push_back(63 - node);
    const Workload workload = test::saturated(test::first_nodes(64), test::each_to(to), 7, 3);
    const auto simulation = make_simulation(network, workload, {.seed = 1});
    simulation->run_until(20'000);
    return static_cast<double>(simulation->record().counters.packets_delivered);
  };
  EXPECT_LT(delivered(NoneFree::preferred), 0.95 * delivered(NoneFree::wait));
}

// Under uniform traffic the up ports of a switch are equivalent, so functions that balance must use them
// equally, and all nodes must get the same share.
TEST(EverySelection, BalancesOrNotAsItsDefinitionSays) {
  for_each_switch_kind(
      [](const Selection& selection, const Shape& shape, FreeRule free, std::uint32_t channels) {
        const Network network = adaptive_tree(4, 2, selection, shape, free, channels);
        const Workload workload = test::slotted(test::first_nodes(16), test::anywhere(16), 7, 0.35);
        const auto simulation = make_simulation(network, workload, {.seed = 5});
        simulation->run_until(60'000);
        std::uint64_t least = UINT64_MAX, most = 0;
        for (std::uint32_t up = 4; up < 8; ++up) {
          std::uint64_t bytes = 0;  // sum over the switches of the first stage
          for (SwitchId sw = 0; sw < 4; ++sw)
            bytes += simulation->view().bytes_sent(network.link_port(network.graph.port(sw, up)));
          least = std::min(least, bytes);
          most = std::max(most, bytes);
        }
        const double ratio = static_cast<double>(most) / static_cast<double>(least);
        if (std::holds_alternative<FirstFree>(network.selection->own))
          EXPECT_GT(ratio, 1.1) << "the first free link is the first";
        else
          EXPECT_LT(ratio, 1.06);
        const auto& bytes_to = simulation->record().bytes_to;
        const auto [fewest, highest] = std::minmax_element(bytes_to.begin(), bytes_to.end());
        EXPECT_LT(static_cast<double>(*highest), 1.15 * static_cast<double>(*fewest));
      });
}

}  // namespace
}  // namespace headway
