// SPDX-License-Identifier: Apache-2.0
// Choices for flowlets and messages, and paths by labels: between those of packets and those of pairs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/relations/relations.h"
#include "tests/relations/tree_of_choices.h"

namespace headway {
namespace {

Result tree_of_flows(std::string_view routing, std::string_view flow = "message = \"640 B\"",
                     std::string_view scheme = "1q", int seed = 1) {
  const std::string flows = fmt::format("pattern = \"uniform\", load = 0.7, {}", flow);
  return test::result_of_tree({.routing = routing, .flow = flows, .scheme = scheme, .seed = seed});
}

std::string difference_of(const Result& a, const Result& b) {
  return test::difference(a, b, {.all_metrics = false});
}

constexpr std::string_view kHead = "algorithm = \"adaptive\"\n";
constexpr std::string_view kArrival = "algorithm = \"adaptive\"\nchoose = \"arrival\"\n";

std::string with(std::string_view routing, std::string_view keys) {
  return fmt::format("{}{}", routing, keys);
}

// A gap of 0 begins a flowlet with every packet, and messages of one packet are packets.
TEST(RelationOfChoicesOfFlows, TheShortestFlowsArePackets) {
  constexpr std::string_view kPackets = "message = \"64 B\"";
  for (const std::string_view routing : {kHead, kArrival}) {
    const Result packets = tree_of_flows(routing);
    EXPECT_EQ(difference_of(packets,
                            tree_of_flows(with(routing, "choose_per = \"flowlet\"\nflowlet_gap = \"0 ns\""))),
              "");
    EXPECT_NE(difference_of(packets,
                            tree_of_flows(with(routing, "choose_per = \"flowlet\"\nflowlet_gap = \"1 us\""))),
              "");
    EXPECT_NE(difference_of(packets, tree_of_flows(with(routing, "choose_per = \"message\""))), "");
    EXPECT_EQ(difference_of(tree_of_flows(routing, kPackets),
                            tree_of_flows(with(routing, "choose_per = \"message\""), kPackets)),
              "");
  }
  // A routing without choices has none for several packets.
  constexpr std::string_view kFlowlets = "choose_per = \"flowlet\"\nflowlet_gap = \"1 us\"\nflow_table = 8";
  for (const std::string_view fixed : {"algorithm = \"ecmp\"\n", "algorithm = \"det\"\n"})
    EXPECT_EQ(difference_of(tree_of_flows(fixed), tree_of_flows(with(fixed, kFlowlets))), "");
  const std::string_view spray = "algorithm = \"spray\"\n";
  EXPECT_EQ(difference_of(tree_of_flows(spray, kPackets),
                          tree_of_flows(with(spray, "choose_per = \"message\""), kPackets)),
            "");
  EXPECT_NE(difference_of(tree_of_flows(spray), tree_of_flows(with(spray, "choose_per = \"message\""))), "");
}

// Packets of a message take one path, so no packet is passed by one of its message. A gap that is longer than
// the run makes all packets of a flow take one path.
TEST(RelationOfChoicesOfFlows, KeepTheOrder) {
  constexpr std::string_view kOneMessage = "message = \"1 MB\", arrivals = \"saturated\"";
  const auto passed = [](const Result& result) { return result.metric("out_of_order_packets"); };
  for (const std::string_view routing : {kHead, kArrival}) {
    EXPECT_GT(passed(tree_of_flows(with(routing, "selection = \"rp\""))), 100);
    EXPECT_GT(passed(tree_of_flows(with(routing, "selection = \"rp\""), kOneMessage)), 100);
    EXPECT_EQ(
        passed(tree_of_flows(with(routing, "selection = \"rp\"\nchoose_per = \"message\""), kOneMessage)), 0);
    const auto flowlets = [&](std::string_view gap) {
      return passed(tree_of_flows(
          fmt::format("{}selection = \"rp\"\nchoose_per = \"flowlet\"\nflowlet_gap = \"{}\"", routing, gap)));
    };
    EXPECT_EQ(flowlets("1 ms"), 0);
    EXPECT_LT(flowlets("400 ns"), flowlets("10 ns"));
  }
  EXPECT_GT(passed(tree_of_flows("algorithm = \"spray\"", kOneMessage)), 100);
  EXPECT_EQ(passed(tree_of_flows("algorithm = \"spray\"\nchoose_per = \"message\"", kOneMessage)), 0);
}

// If all flows share an entry, they lose what they share, but a switch with an entry for each is exact.
TEST(RelationOfChoicesOfFlows, ATableWithoutCollisionsIsExact) {
  const auto of = [](std::string_view table) {
    return tree_of_flows(fmt::format("{}selection = \"rp\"\nchoose_per = \"message\"\n{}", kArrival, table));
  };
  const Result usual = of("");
  EXPECT_EQ(difference_of(usual, of("flow_table = 1024")), "");
  EXPECT_NE(difference_of(usual, of("flow_table = 1023")), "");
  EXPECT_GT(of("flow_table = 1").metric("out_of_order_packets"), usual.metric("out_of_order_packets"));
}

TEST(RelationOfChoicesOfFlows, OneLabelIsEcmpAndManyAreNearlyAllPaths) {
  for (const int seed : {1, 4}) {
    const auto of = [&](std::string_view routing) {
      return tree_of_flows(routing, "message = \"640 B\"", "voqsw", seed);
    };
    const Result ecmp = of("algorithm = \"ecmp\""), one = of("algorithm = \"spray\"\npaths = 1");
    EXPECT_EQ(difference_of(ecmp, one), "");
    EXPECT_EQ(
        difference_of(of("algorithm = \"ecmp\"\nsalt = 7"), of("algorithm = \"spray\"\npaths = 1\nsalt = 7")),
        "");
    const auto latency = [&](std::string_view routing) { return of(routing).metric("latency_mean_ns"); };
    const double few = latency("algorithm = \"spray\"\npaths = 2"),
                 many = latency("algorithm = \"spray\"\npaths = 1000"),
                 all = latency("algorithm = \"spray\"");
    EXPECT_GT(ecmp.metric("latency_mean_ns"), few);
    EXPECT_GT(few, many);
    EXPECT_NEAR(many, all, 0.03 * all);
  }
}

}  // namespace
}  // namespace headway
