// SPDX-License-Identifier: Apache-2.0
// A network that breaks a rule is refused.
#include "headway/engine/network_options.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string_view>
#include <vector>

#include "headway/config/assign.h"
#include "headway/engine/network.h"
#include "headway/routing/routing.h"
#include "headway/topology/topology.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

IsolationRules isolation(std::uint32_t lines = 4) {
  IsolationRules rules;
  rules.lines = lines;
  return rules;
}

TEST(IllegalNetworks, AreRefusedByTheRuleTheyBreak) {
  const QueueMap single = QueueMap::single(), two = single.with_channels(2, ChannelChoice::first_room);
  const QueueMap by_output = QueueMap::from(QueueKey::output, 4, 4, [](std::uint32_t o) { return o; });
  const QueueMap by_source{
      .key = QueueKey::table, .queues = 2, .queue_of = {0, 1, 0, 1}, .of_source = {0, 1, 2, 3}};
  QueueMap by_both = by_source;
  by_both.at_output = {0, 0, 0, 0};
  const QueueMap many = QueueMap::most_room(65), too_many = QueueMap::most_room(65'536);
  const auto star = test::star(4, 4);
  using enum IllegalNetwork;
  const struct {
    IllegalNetwork rule;
    QueueMap map;
    NetworkOptions options;
  } cases[] = {
      {packet_size, single, {.packet_bytes = 65'536}},
      {cell_size, single, {.cell_bytes = 65}},
      {input_room, single, {.cell_bytes = 16, .capacity = 3}},
      {injection_room, single, {.cell_bytes = 16, .injection_capacity = 3}},
      {output_room, single, {.cell_bytes = 16, .output_capacity = 3}},
      {input_room, single, {.capacity = 0}},
      {input_room, single, {.capacity = 65'536}},
      {injection_room, single, {.injection_capacity = 65'536}},
      {output_room, single, {.output_capacity = 65'536}},
      {queues_per_port, too_many, {}},
      {weights, two, {.weights = {1}}},
      {weights, two, {.weights = {1, 0}}},
      {weighted_queues, many, {.weights = std::vector<std::uint16_t>(65, 1)}},
      {weights_of_pool, single, {.weights = {1}, .isolation = isolation()}},
      {credit_size, single, {.credit_bytes = 65}},
      {two_pools,
       single,
       {.isolation = isolation(), .overflow = OverflowRules{.queues = 1, .set_of = {0, 0, 0, 0}}}},
      {pool_of_queues, two, {.isolation = isolation()}},
      {pool_with_output_unit, single, {.output_capacity = 4, .isolation = isolation()}},
      {isolation_lines, single, {.isolation = isolation(17)}},
      {overflow_sets, single, {.overflow = OverflowRules{.queues = 1, .set_of = {0}}}},
      {queues_by_late_output, by_output, {.selection = SelectionRule()}},
      {queues_by_late_output, by_both, {.selection = SelectionRule()}},
      {pool_of_late_output, single, {.isolation = isolation(), .selection = SelectionRule()}},
      {queues_of_outputs, single, {.output_queued = true}},
      {queues_of_outputs, two, {.output_queued = true}},
      {outputs_with_output_unit, by_output, {.output_capacity = 4, .output_queued = true}},
      {lanes_of_pool, single, {.shares_lanes = true, .isolation = isolation()}},
      {lanes_of_channels, two, {.shares_lanes = true}},
      {lanes_with_output_unit, by_output, {.output_capacity = 4, .shares_lanes = true}},
      {queues_of_arrivals, by_output, {.arrival_choice = ArrivalChoice()}},
      {queues_of_arrivals, by_both, {.arrival_choice = ArrivalChoice()}},
      {arrivals_with_output_unit, single, {.output_capacity = 4, .arrival_choice = ArrivalChoice()}},
      {arrivals_of_pool, single, {.isolation = isolation(), .arrival_choice = ArrivalChoice()}},
      {link_in_ticks, single, {.tick = Duration{3}}},
  };
  for (const auto& [rule, map, options] : cases) {
    EXPECT_THAT(illegal(star, map, options), ElementsAre(rule)) << static_cast<int>(rule);
    EXPECT_THROW(Network(star, test::star_routes(4), map, options), std::invalid_argument);
  }
  EXPECT_THAT(illegal(star, single, {}), IsEmpty());
  EXPECT_THAT(illegal(star, by_source, {.selection = SelectionRule()}), IsEmpty());
  EXPECT_THAT(illegal(star, by_output, {.shares_lanes = true, .arrival_choice = ArrivalChoice()}), IsEmpty());
}

TEST(IllegalNetworks, AreRefusedForTheirLinks) {
  using enum IllegalNetwork;
  const auto at_once = test::star(4, 4, {.delay = Duration{0}});
  EXPECT_THAT(illegal(at_once, QueueMap::single(), {}), ElementsAre(hop_without_delay));
  EXPECT_THAT(illegal(at_once, QueueMap::single(), {.routing_delay = 1}), IsEmpty());
  EXPECT_THAT(illegal(at_once, QueueMap::single(), {.routing_delay = 1, .isolation = isolation()}),
              ElementsAre(signal_without_delay));
  const auto one_way = test::ring(4);
  EXPECT_THAT(illegal(one_way, QueueMap::single(), {.credit_bytes = 8}), ElementsAre(credit_without_link));
  IsolationRules rules = isolation();
  rules.signal_bytes = 65;
  EXPECT_THAT(illegal(one_way, QueueMap::single(), {.isolation = rules}),
              ElementsAre(signal_size, signal_without_link));
}

TEST(IllegalNetworks, IncludeIsolationOnSeveralRoutesAndInRings) {
  using enum IllegalNetwork;
  const Graph tree = choose(topologies(), "k-ary-n-tree", {{"k", 2}, {"n", 2}})->build({});
  const auto network = [&](std::string_view routing) {
    return Network(tree, choose(routings(), routing)->build(tree), QueueMap::single(),
                   {.isolation = isolation()});
  };
  EXPECT_NO_THROW(network("det"));
  EXPECT_THROW(network("random-up"), std::invalid_argument);
  EXPECT_THAT(illegal(tree, QueueMap::single(), {.by_destination = false, .isolation = isolation()}),
              ElementsAre(isolation_routes));
  const Graph torus =
      choose(topologies(), "torus", {{"sides", std::vector<std::int64_t>{4}}, {"nodes_per_switch", 1}})
          ->build({});
  EXPECT_THAT(illegal(torus, QueueMap::single(), {.isolation = isolation()}),
              ElementsAre(isolation_in_rings));
  EXPECT_THAT(illegal(torus, QueueMap::single(), {}), IsEmpty());
  EXPECT_THAT(illegal(torus, QueueMap::single(), {.cell_bytes = 16}), ElementsAre(cells_in_rings));
  EXPECT_THAT(illegal(torus, QueueMap::single(), {.cell_bytes = 16, .lanes_break_rings = true}), IsEmpty());
}

TEST(NetworkOptions, APacketTakesTheCreditsOfItsLength) {
  const NetworkOptions slots, cells{.cell_bytes = 16};
  EXPECT_EQ(slots.credits_of(1), 1U);
  EXPECT_EQ(slots.credits_of_packet(), 1U);
  EXPECT_EQ(cells.credits_of_packet(), 4U);
  const Graph star = test::star(4, 4);
  for (const std::uint32_t cell : {1, 2, 3, 16, 63, 64}) {
    NetworkOptions options{.cell_bytes = cell, .capacity = 64, .injection_capacity = 64};
    const Network network(star, test::star_routes(4), QueueMap::single(), options);
    EXPECT_EQ(network.ports[0].credits, 64U);
    EXPECT_EQ(network.ports[0].capacity, 64 / options.credits_of_packet());
    for (std::uint32_t bytes = 1; bytes <= 64; ++bytes) {
      EXPECT_EQ(options.credits_of(bytes), (bytes + cell - 1) / cell);
      EXPECT_EQ(network.cells_of(bytes), options.credits_of(bytes)) << bytes << " B in cells of " << cell;
    }
  }
}

}  // namespace
}  // namespace headway
