// SPDX-License-Identifier: Apache-2.0
// The reference simulator against ticks worked out by hand from docs/modelling.md: one switch with 5 nodes,
// links of 1 B/ns and 4 ns, packets of 8 bytes.
#include "tests/reference/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "tests/support/hand_made.h"

namespace headway {
namespace {

using test::Message;

constexpr std::uint32_t kNodes = 5;
constexpr std::uint32_t kPacketBytes = 8;

struct Case {
  std::string name;
  NetworkOptions options;
  QueueMap queue_map = QueueMap::single();
  std::vector<Message> messages;
  std::uint32_t message_bytes = 8;
  std::vector<Delivery> expected;                              // ascending by tick
  std::vector<std::int64_t> ticks_per_byte = {1, 1, 1, 1, 1};  // [node] for its link
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

Graph star_of(const std::vector<std::int64_t>& ticks_per_byte) {
  Graph graph(kNodes, {kNodes}, SingleSwitchShape{});
  for (NodeId node = 0; node < kNodes; ++node)
    graph.connect(graph.port(0, node), graph.node_port(node),
                  {Rate{Rational(1, ticks_per_byte[node])}, Duration{4}});
  return graph;
}

QueueMap voqsw() {
  return QueueMap::from(QueueKey::output, kNodes, kNodes, [](std::uint32_t output) { return output; });
}

QueueMap parity() {
  return QueueMap::from(QueueKey::destination, 2, kNodes,
                        [](std::uint32_t destination) { return destination % 2; });
}

// Isolation with all thresholds 0: every packet starts a congestion, which ends when the packet leaves.
// Signals have this size.
IsolationRules at_once(std::uint32_t signal_bytes) {
  IsolationRules rules;
  rules.detection_threshold = rules.stop_threshold = rules.go_threshold = 0;
  rules.signal_bytes = signal_bytes;
  return rules;
}

class WorkedByHand : public testing::TestWithParam<Case> {};

TEST_P(WorkedByHand, DeliversAtTheseTicks) {
  const Case& c = GetParam();
  NetworkOptions options = c.options;
  options.packet_bytes = kPacketBytes;
  options.injection_capacity = options.capacity;
  const reference::Setup setup{star_of(c.ticks_per_byte), test::star_routes(kNodes), c.queue_map, options};
  const Workload workload = test::scripted(c.messages, c.message_bytes, kPacketBytes);
  reference::Reference simulator(setup, workload, 1);
  simulator.run_until(c.expected.back().tick);
  EXPECT_EQ(simulator.deliveries().size() + 1, c.expected.size()) << "the last tick is not part of the run";
  simulator.run_until(1000);
  ASSERT_EQ(simulator.deliveries().size(), c.expected.size());
  for (std::size_t i = 0; i < c.expected.size(); ++i) {
    const Delivery& got = simulator.deliveries()[i];
    const Delivery& expected = c.expected[i];
    EXPECT_EQ(std::tuple(got.source, got.destination, got.serial, got.tick),
              std::tuple(expected.source, expected.destination, expected.serial, expected.tick))
        << "delivery " << i << ": " << got.source << " -> " << got.destination << " serial " << got.serial
        << " at " << got.tick;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Reference, WorkedByHand,
    testing::Values(
        // t + 2 d + r = 8 + 8 + 3
        Case{.name = "AloneCutThrough",
             .options = {.routing_delay = 3, .capacity = 2},
             .messages = {{0, 2, 0}},
             .expected = {{0, 2, 0, 19}}},
        // 2 (t + d) + r
        Case{.name = "AloneStoreAndForward",
             .options = {.routing_delay = 3, .store_and_forward = true, .capacity = 2},
             .messages = {{0, 2, 0}},
             .expected = {{0, 2, 0, 27}}},
        // The switch input's slot is free at 12, its credit is back at 16, so the second packet leaves the
        // node at 16.
        Case{.name = "OneSlotWaitsForTheCredit",
             .options = {.capacity = 1},
             .messages = {{0, 2, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 32}}},
        Case{.name = "TwoSlotsKeepTheLinkBusy",
             .options = {.capacity = 2},
             .messages = {{0, 2, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 24}}},
        // Two queues with one slot each have the same effect as two slots.
        Case{.name = "MostRoomAlternates",
             .options = {.capacity = 1},
             .queue_map = QueueMap::most_room(2),
             .messages = {{0, 2, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 24}}},
        // Both are at the switch at 4. 0 wins at 4, 1 at 12 although 0's second packet requests too, then 0
        // at 20.
        Case{.name = "RoundRobinTakesTurns",
             .options = {.capacity = 2},
             .messages = {{0, 2, 0}, {1, 2, 0}, {0, 2, 1}},
             .expected = {{0, 2, 0, 16}, {1, 2, 0, 24}, {0, 2, 1, 32}}},
        // 0's second packet reaches the switch at 12, 3's at 13: at 20 round robin would take 3 before 0.
        Case{.name = "RoundRobinAsksTheNextInput",
             .options = {.capacity = 2},
             .messages = {{0, 2, 0}, {1, 2, 0}, {0, 2, 1}, {3, 2, 9}},
             .expected = {{0, 2, 0, 16}, {1, 2, 0, 24}, {3, 2, 0, 32}, {0, 2, 1, 40}}},
        Case{.name = "OldestFirstAsksForTheAge",
             .options = {.arbiter = ArbiterKind::oldest_first, .capacity = 2},
             .messages = {{0, 2, 0}, {1, 2, 0}, {0, 2, 1}, {3, 2, 9}},
             .expected = {{0, 2, 0, 16}, {1, 2, 0, 24}, {0, 2, 1, 32}, {3, 2, 0, 40}}},
        // 0's link takes two ticks per byte, so its packet arrives at the switch from 4 to 20 and is stored
        // until then. 1's packet goes first.
        Case{.name = "SlowIntoFastIsStored",
             .options = {.routing_delay = 3, .capacity = 2},
             .messages = {{0, 2, 0}, {1, 2, 5}},
             .expected = {{1, 2, 0, 24}, {0, 2, 0, 35}},
             .ticks_per_byte = {2, 1, 1, 1, 1}},
        // or holds the output from 7 to 20
        Case{.name = "SlowIntoFastHoldsTheFast",
             .options = {.routing_delay = 3, .holds_faster_links = true, .capacity = 2},
             .messages = {{0, 2, 0}, {1, 2, 5}},
             .expected = {{0, 2, 0, 24}, {1, 2, 0, 32}},
             .ticks_per_byte = {2, 1, 1, 1, 1}},
        // It is not stored if the link to its destination is as slow.
        Case{.name = "SlowIntoSlowIsNotStored",
             .options = {.routing_delay = 3, .capacity = 2},
             .messages = {{0, 2, 0}},
             .expected = {{0, 2, 0, 27}},
             .ticks_per_byte = {2, 1, 2, 1, 1}},
        // With output queues the crossbar, too, waits for the tails, at 20 and 36.
        Case{.name = "SlowIntoFastCrossesWhenStored",
             .options = {.capacity = 2, .output_capacity = 2},
             .messages = {{0, 2, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 32}, {0, 2, 1, 48}},
             .ticks_per_byte = {2, 1, 1, 1, 1}},
        // The links to 2 and 3 take two ticks per byte. 0's first packet leaves the input from 4 to 12, and
        // the place at the output until 20. Its second packet is at the switch at 12, and leaves at once.
        Case{.name = "FastIntoSlowFreesTheInput",
             .options = {.capacity = 2},
             .messages = {{0, 2, 0}, {0, 3, 0}},
             .expected = {{0, 2, 0, 24}, {0, 3, 1, 32}},
             .ticks_per_byte = {1, 1, 2, 2, 1}},
        // To the same output, it waits until 20. With one slot, it still arrives in time: the first packet's
        // slot is free at 12, and its credit is back at 16.
        Case{.name = "FastIntoSlowFreesTheSlot",
             .options = {.capacity = 1},
             .messages = {{0, 2, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 24}, {0, 2, 1, 40}},
             .ticks_per_byte = {1, 1, 2, 2, 1}},
        // The crossbar in front of output queues goes at the rate of the input, too.
        Case{.name = "FastIntoSlowCrossesFast",
             .options = {.capacity = 2, .output_capacity = 2},
             .messages = {{0, 2, 0}, {0, 3, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 24}, {0, 3, 1, 32}, {0, 2, 2, 40}},
             .ticks_per_byte = {1, 1, 2, 2, 1}},
        // 3 has the output from 15 to 23; then 0's packet, injected at 0 and switchable at 20, against 1's,
        // injected at 12 and switchable at 16.
        Case{.name = "OldestFirstCountsFromArrivalHere",
             .options = {.arbiter = ArbiterKind::oldest_first, .capacity = 2},
             .messages = {{0, 2, 0}, {3, 2, 11}, {1, 2, 12}},
             .expected = {{3, 2, 0, 27}, {1, 2, 0, 35}, {0, 2, 0, 43}},
             .ticks_per_byte = {2, 1, 1, 1, 1}},
        Case{.name = "OldestInjectedCountsFromInjection",
             .options = {.arbiter = ArbiterKind::oldest_injected, .capacity = 2},
             .messages = {{0, 2, 0}, {3, 2, 11}, {1, 2, 12}},
             .expected = {{3, 2, 0, 27}, {0, 2, 0, 35}, {1, 2, 0, 43}},
             .ticks_per_byte = {2, 1, 1, 1, 1}},
        // 4's packet to 2 has its turn at 20; its packet to 3 arrives at 12 and must wait behind it until 28
        // ...
        Case{.name = "HeadOfLineBlocking",
             .options = {.capacity = 2},
             .messages = {{0, 2, 0}, {1, 2, 0}, {4, 2, 0}, {4, 3, 0}},
             .expected = {{0, 2, 0, 16}, {1, 2, 0, 24}, {4, 2, 0, 32}, {4, 3, 1, 40}}},
        // ... but not if it has a separate queue.
        Case{.name = "NoHeadOfLineBlocking",
             .options = {.capacity = 2},
             .queue_map = voqsw(),
             .messages = {{0, 2, 0}, {1, 2, 0}, {4, 2, 0}, {4, 3, 0}},
             .expected = {{0, 2, 0, 16}, {4, 3, 1, 24}, {1, 2, 0, 24}, {4, 2, 0, 32}}},
        // 12 bytes: a packet of 8 and one of 4, which leaves the node at 8 and the switch at 12.
        Case{.name = "ShortLastPacketCutThrough",
             .options = {.capacity = 2},
             .messages = {{0, 2, 0}},
             .message_bytes = 12,
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 20}}},
        // The short one is complete at 16 but the output is busy from 12 to 20.
        Case{.name = "ShortLastPacketStoreAndForward",
             .options = {.store_and_forward = true, .capacity = 2},
             .messages = {{0, 2, 0}},
             .message_bytes = 12,
             .expected = {{0, 2, 0, 24}, {0, 2, 1, 28}}},
        // Packets of one node to two destinations alternate, but a FIFO keeps the order of generation.
        Case{.name = "AdmittancePerDestination",
             .options = {.capacity = 1},
             .messages = {{0, 2, 0}, {0, 2, 0}, {0, 2, 0}, {0, 3, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 32}, {0, 3, 3, 48}, {0, 2, 2, 64}}},
        Case{.name = "AdmittanceFifo",
             .options = {.admittance = Admittance::fifo, .capacity = 1},
             .messages = {{0, 2, 0}, {0, 2, 0}, {0, 2, 0}, {0, 3, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 32}, {0, 2, 2, 48}, {0, 3, 3, 64}}},
        // Two queues; 0 sends two packets in a row to each destination's queue, in the order of admission.
        Case{.name = "WeightsLetAQueueGoOn",
             .options = {.capacity = 4, .weights = {2, 1}},
             .queue_map = parity(),
             .messages = {{0, 2, 0}, {0, 3, 0}, {0, 2, 0}, {0, 3, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 2, 24}, {0, 3, 1, 32}, {0, 2, 4, 40}, {0, 3, 3, 48}}},
        // As OneSlotWaitsForTheCredit, where the credit leaves the switch at 12; here it takes 3 ticks more.
        Case{.name = "CreditsTakeTheirTimeOnTheLink",
             .options = {.capacity = 1, .credit_bytes = 3},
             .messages = {{0, 2, 0}, {0, 2, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 35}}},
        // 2 sends to 0 over the link that carries 0's credits. Its packet leaves the switch from 6 to 14, so
        // the credit of 0's first packet, pending at 12, leaves from 14 to 17.
        Case{.name = "CreditsWaitForTheLink",
             .options = {.capacity = 1, .credit_bytes = 3},
             .messages = {{0, 2, 0}, {0, 2, 0}, {2, 0, 2}},
             .expected = {{0, 2, 0, 16}, {2, 0, 0, 18}, {0, 2, 1, 37}}},
        // Every packet at the switch gets a CFQ, which sends a Stop at 4 and then a Go. Each takes 5 ticks on
        // the link back, so packets to 2 may leave the node from 18 on, not from 14.
        Case{.name = "SignalsTakeTheirTimeOnTheLink",
             .options = {.capacity = 2, .isolation = at_once(5)},
             .messages = {{0, 2, 0}, {0, 2, 14}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 34}}},
        // The packet to 0 leaves the switch from 7 to 15: it waits for the Stop until 9 and for the Go
        // until 14.
        Case{.name = "PacketsWaitForSignals",
             .options = {.capacity = 2, .isolation = at_once(5)},
             .messages = {{0, 2, 0}, {2, 0, 3}},
             .expected = {{0, 2, 0, 16}, {2, 0, 0, 26}}},
        // The slot of the first packet is free at 12, when the link is free for the Go. The credit goes with
        // the Go until 23; alone it would take until 15.
        Case{.name = "CreditsAndSignalsShareAPacket",
             .options = {.capacity = 1, .credit_bytes = 3, .isolation = at_once(8)},
             .messages = {{0, 2, 0}, {0, 3, 14}},
             .expected = {{0, 2, 0, 16}, {0, 3, 1, 43}}},
        // One packet may wait, so the packet to 3 is generated only at 24, too late for the turn it has
        // above.
        Case{.name = "AdmittanceLimitStallsTheSource",
             .options = {.capacity = 1, .admittance_limit = 1},
             .messages = {{0, 2, 0}, {0, 2, 0}, {0, 2, 0}, {0, 3, 0}},
             .expected = {{0, 2, 0, 16}, {0, 2, 1, 32}, {0, 2, 2, 48}, {0, 3, 3, 64}}}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace headway
