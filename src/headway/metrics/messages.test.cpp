// SPDX-License-Identifier: Apache-2.0
// Completion times and slowdowns of messages. tests/reference compares them with lists of all deliveries.
#include "headway/metrics/messages.h"

#include <gmock/gmock.h>

#include <cmath>

#include "headway/compile/load.h"
#include "headway/config/assign.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/property/networks.h"
#include "tests/support/columns.h"
#include "tests/support/hand_made.h"

namespace headway {
namespace {

constexpr std::uint32_t kFullBytes = 64;

// A packet of a message to node 3 that was generated at tick 0.
Delivery packet(NodeId source, std::uint32_t message, std::uint32_t number, std::uint32_t packets, Tick tick,
                std::uint32_t bytes = kFullBytes) {
  Delivery delivery;
  delivery.source = source;
  delivery.destination = 3;
  delivery.serial = message + number;
  delivery.tick = tick;
  delivery.message = message;
  delivery.packets = packets;
  delivery.bytes = bytes;
  return delivery;
}

// A message is complete with the latest of its packets, in whatever order they arrive.
TEST(MessageTimes, EndWithTheLatestPacket) {
  NetworkOptions options;
  options.packet_bytes = kFullBytes;
  const Network network = test::network_of(choose(topologies(), "single-switch", {{"nodes", 4}}), "det",
                                           choose(schemes(), "1q"), options);
  Workload workload;
  workload.flows.resize(1);
  workload.sources = {{0, 0}};
  const FlowNumbers flows(workload, std::vector<std::uint32_t>{0});
  MessageTimes times(network, workload, flows, {});
  times.begin_measurement();
  const Delivery deliveries[] = {
      packet(0, 0, 2, 3, 300, 10),  // the short last packet overtakes the others
      packet(1, 0, 0, 2, 310),      // another source has a message of the same number
      packet(0, 0, 0, 3, 320),     packet(0, 3, 0, 1, 330),
      packet(0, 0, 1, 3, 500),     packet(1, 2, 0, 2, 510),  // not complete
  };
  for (const Delivery& delivery : deliveries) times.take({&delivery, 1});
  ASSERT_EQ(times.classes().size(), 2U);
  const MessageClass& one = *times.classes()[0];
  EXPECT_EQ(std::tuple(one.size_class, one.sums.messages, one.sums.ticks), std::tuple(6U, 1U, 330U));
  const MessageClass& three = *times.classes()[1];  // 138 bytes, at most 256
  EXPECT_EQ(std::tuple(three.size_class, three.sums.messages, three.sums.ticks), std::tuple(8U, 1U, 500U));
  // alone: 138 bytes at 1 B per tick, and two links of 4 ticks
  EXPECT_EQ(three.sums.slowdowns, (500ULL << kSlowdownBits) / (138 + 8));
}

// Node 5 sends 1000 bytes to node 3 every 2 us.
EventSpec few_messages() {
  EventSpec spec;
  spec.network.topology = choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 2}});
  spec.network.link = {Rate{1}, Duration{4}};
  spec.switches.scheme = choose(schemes(), "voqnet");
  FlowSpec& flow = spec.traffic.flows.front();
  flow.sources = {.kind = NodeSet::Kind::nodes, .nodes = {5}};
  flow.pattern = choose(patterns(), "hotspot", {{"destination", 3}});
  flow.arrivals = choose(arrival_processes(), "periodic");
  flow.load = {.points = {{Duration{0}, 0.5}}};
  flow.sizes = choose(message_sizes(), "fixed", {{"message", Bytes{1000}}});
  spec.measure.warmup = Duration{10'000};
  spec.measure.duration = Duration{100'000};
  return spec;
}

// Messages that never meet take the time that they take alone: 1000 bytes and four links of 4 ns.
TEST(MessageTimes, AreThoseOfMessagesAlone) {
  const Result result = run(few_messages());
  EXPECT_EQ(result.metric("messages_completed"), 50);
  EXPECT_EQ(result.metric("completion_mean_ns"), 1000 + 4 * 4);
  EXPECT_EQ(result.metric("completion_max_ns"), 1000 + 4 * 4);
  EXPECT_EQ(result.metric("slowdown_mean"), 1);
  EXPECT_EQ(result.metric("slowdown_max"), 1);
  EXPECT_THAT(test::column(result.table("per_message_size"), "size_bytes"), testing::ElementsAre(1024));
  // latency is that of packets, of which the first arrive before the message is complete
  EXPECT_LT(result.metric("latency_mean_ns"), 0.7 * result.metric("completion_mean_ns"));
}

TEST(MessageTimes, OfMessagesOfOnePacketAreLatencies) {
  EventSpec spec = few_messages();
  spec.traffic.flows.front() = {};
  spec.traffic.flows.front().load = {.points = {{Duration{0}, 0.7}}};
  EXPECT_TRUE(run(spec).table("per_message_size").empty());
  spec.measure.tables = {"per-message-size"};
  const Result result = run(spec);
  for (const char* which : {"mean", "se", "p50", "p90", "p99", "p999", "max"}) {
    const std::string name = std::string("_") + which + "_ns";
    EXPECT_EQ(result.metric("completion" + name), result.metric("latency" + name)) << which;
  }
  EXPECT_EQ(result.metric("messages_completed"), result.metric("packets_delivered"));
  EXPECT_GT(result.metric("slowdown_mean"), 1);
}

constexpr std::string_view kOneSwitch =
    "network = { topology = \"single-switch\", nodes = 4, link = { rate = \"1 GB/s\", delay = \"10 ns\" } }\n"
    "switch = { scheme = \"voqnet\", queue_memory = \"2 KiB\" }\ntraffic.packet = \"256 B\"\n";

Result result_of(const std::string& text) {
  const Experiment experiment = load_experiment(parse_toml(std::string(kOneSwitch) + text, "test"), {});
  return run(experiment.points.front().spec());
}

// Two senders share the link of the receiver. Both begin at 0: 1000 bytes, two links of 10 ns, and the bytes
// of the other one.
TEST(SlowestMessages, AreThoseThatLostTheMostTime) {
  const std::string incast =
      "[[traffic.job]]\nprogram = \"incast\"\nsenders = 2\nreceivers = 1\nranks = 3\nsize = \"1000 B\"\n";
  const Result result = result_of(incast);
  const Table& table = result.table("slowest_messages");
  using testing::ElementsAre;
  EXPECT_THAT(test::column(table, "rank"), ElementsAre(1, 0));
  EXPECT_THAT(test::column(table, "peer"), ElementsAre(2, 2));
  EXPECT_THAT(test::column(table, "begin_ns"), ElementsAre(0, 0));
  EXPECT_THAT(test::column(table, "message_bytes"), ElementsAre(1000, 1000));
  EXPECT_THAT(test::column(table, "alone_ns"), ElementsAre(1020, 1020));
  EXPECT_EQ(number_at(table, "completion_ns", 0), 2020);
  EXPECT_EQ(number_at(table, "slowdown", 0), 2020.0 / 1020);
  EXPECT_LT(number_at(table, "completion_ns", 1), 2020);
  EXPECT_EQ(rows_of(result_of(incast + "[measure]\nslowest_messages = 1\n").table("slowest_messages")), 1U);
  EXPECT_EQ(rows_of(result_of(incast + "[measure]\nslowest_messages = 0\n").table("slowest_messages")), 0U);
  EXPECT_EQ(number_at(result.table("per_message_size"), "completion_max_ns", 0), 2020);
}

// From the end of its send's turn to its delivery; alone, it takes two control messages of 64 B longer.
TEST(MessageTimes, OfAnnouncedMessagesIncludeTheAnnouncement) {
  const Result result = result_of(
      "[[traffic.job]]\nprogram = \"ping-pong\"\nranks = 2\nsize = \"1000 B\"\noverhead = \"5 ns\"\n"
      "rendezvous = \"500 B\"\n");
  const Table& table = result.table("slowest_messages");
  EXPECT_THAT(test::column(table, "completion_ns"), testing::ElementsAre(1020 + 2 * 84, 1020 + 2 * 84));
  EXPECT_THAT(test::column(table, "slowdown"), testing::ElementsAre(1, 1));
  EXPECT_EQ(number_at(table, "begin_ns", 0), 5);
  EXPECT_EQ(result.metric("messages_completed"), 2) << "control messages are no messages of their own";
  EXPECT_EQ(result.metric("slowdown_max"), 1);
}

TEST(MessageTimes, AreKeptByPair) {
  const Result result = result_of(
      "[[traffic.job]]\nprogram = \"incast\"\nsenders = 2\nreceivers = 1\nranks = 3\nsize = \"1000 B\"\n"
      "[measure]\ntables = [\"per-pair\"]\n");
  const Table& table = result.table("per_pair");
  ASSERT_EQ(rows_of(table), 16U);
  EXPECT_EQ(number_at(table, "messages_completed", 2), 1);
  EXPECT_EQ(number_at(table, "messages_completed", 4 + 2), 1);
  EXPECT_EQ(number_at(table, "completion_max_ns", 4 + 2), 2020);
  EXPECT_EQ(number_at(table, "completion_mean_ns", 4 + 2), 2020);
  EXPECT_NEAR(number_at(table, "completion_p50_ns", 4 + 2), 2020, 0.008 * 2020);
  EXPECT_NEAR(number_at(table, "slowdown_p99", 4 + 2), 2020.0 / 1020, 0.008 * 2);
  EXPECT_NEAR(number_at(table, "slowdown_max", 4 + 2), 2020.0 / 1020, 1e-6);
  EXPECT_TRUE(std::isnan(number_at(table, "completion_mean_ns", 1)));
}

}  // namespace
}  // namespace headway
