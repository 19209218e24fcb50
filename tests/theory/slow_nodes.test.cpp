// SPDX-License-Identifier: Apache-2.0
// Slow nodes where the result is known. Servers with fixed service times in a row delay a packet as much as
// the slowest of them alone does, however small the memories between them (Avi-Itzhak, Management Science
// 11(5), 1965), if these hold what is on the wire: so the latency is that of the M/D/1 queue of the node. A
// node that is offered more than it consumes delivers exactly its rate, and the packets that wait for it hold
// up others only if they share a queue.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/config/toml.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/support/anchor.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

constexpr double kFullPacketNs = 64, kLinkNs = 4;  // 64 B at 1 GB/s

Result slow_result(const std::string& text) {
  Mistakes mistakes;
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  RunOptions options;
  options.check = spec.measure.duration < Duration{1'000'000};
  return run(spec, options);
}

std::string switch_with(int nodes, const std::string& switches, const std::string& node) {
  return fmt::format(
      "[network]\ntopology = \"single-switch\"\nnodes = {}\nlink = {{ rate = \"1 GB/s\", delay = "
      "\"4 ns\" }}\n[switch]\n{}\n[node]\n{}\n",
      nodes, switches, node);
}

std::string flow_to(const std::string& name, const std::string& sources, int destination,
                    const std::string& rest) {
  return fmt::format(
      "[[traffic.flow]]\nname = \"{}\"\nsources = {{ {} }}\npattern = \"set\"\ndestinations = {{ nodes = "
      "[{}] "
      "}}\n{}\n",
      name, sources, destination, rest);
}

std::string measured_for(const std::string& duration) {
  return fmt::format("[measure]\nwarmup = \"100 us\"\nduration = \"{}\"\n", duration);
}

TEST(SlowNodes, TheLatencyIsThatOfTheNodesQueue) {
  for (const double rate : {1.0, 0.5, 0.2})
    for (const double used : {0.3, 0.7})
      for (const int packets : {4, 40}) {
        SCOPED_TRACE(fmt::format("rate {}, utilisation {}, memory of {} packets", rate, used, packets));
        const std::string node =
            fmt::format("receive_rate = {}\nreceive_memory = \"{} B\"", rate, 64 * packets);
        const Result result = slow_result(
            switch_with(2, "scheme = \"1q\"", node) +
            flow_to("all", "nodes = [0]", 1, fmt::format("load = {}", used * rate)) + measured_for("60 ms"));
        const double service = kFullPacketNs / rate;
        const double alone = kFullPacketNs + 2 * kLinkNs + service;
        const double waiting = used * service / (2 * (1 - used));
        if (packets == 4)
          test::expect_anchor(
              {"queueing",
               fmt::format("mean latency of a node that consumes {} of its link rate, utilisation {}, ns",
                           rate, used),
               "M/D/1 queue; Avi-Itzhak 1965", alone + waiting, 0.02 * alone + 0.03 * waiting},
              result.metric("latency_mean_ns"));
        EXPECT_NEAR(result.metric("latency_mean_ns"), alone + waiting, 0.02 * alone + 0.03 * waiting);
      }
}

TEST(SlowNodes, AnOverloadedNodeDeliversItsRate) {
  for (const char* switches : {"scheme = \"1q\"", "scheme = \"1q\"\nswitching = \"store-and-forward\"",
                               "architecture = \"cioq\"\ncrossbar_speedup = 2", "cell = \"16 B\"\nlanes = 2",
                               "scheme = \"fbicm\"", "scheme = \"dbbm-unshared\""})
    for (const char* rate : {"0.8", "0.32", "0.125"}) {
      SCOPED_TRACE(fmt::format("{}, rate {}", switches, rate));
      const std::string node = fmt::format("[[node.receiver]]\nnodes = {{ nodes = [3] }}\nrate = {}", rate);
      const Result result = slow_result(switch_with(4, switches, node) +
                                        flow_to("all", "first = 3", 3, "load = 0.6\nservice_level = 1") +
                                        measured_for("500 us"));
      EXPECT_NEAR(result.metric("accepted_load") * 3, std::stod(rate), 0.001);
      EXPECT_EQ(result.status, Status::saturated);
      EXPECT_THAT(result.detail, testing::HasSubstr(fmt::format(
                                     "the demand of the flows to node 3 is {:.4g} times what it consumes",
                                     1.8 / std::stod(rate))));
    }
}

// Node 0 sends 0.5 of its rate to a node that takes 0.1, and 0.25 to another one. With one queue, both flows
// get the same part of their loads.
TEST(SlowNodes, HoldUpPacketsThatShareTheirQueue) {
  const auto accepted = [](const char* scheme) {
    const Result result = slow_result(
        switch_with(3, fmt::format("scheme = \"{}\"", scheme),
                    "admittance = \"fifo\"\nreceive_memory = \"256 B\"\n[[node.receiver]]\nnodes = { nodes "
                    "= [1] }\nrate = 0.1") +
        flow_to("slow", "nodes = [0]", 1, "load = 0.5") + flow_to("other", "nodes = [0]", 2, "load = 0.25") +
        "[observe]\nwaiting = true\ninterval = \"5 us\"\n" + measured_for("900 us"));
    EXPECT_THAT(test::column(result.table("per_flow"), "accepted_load")[0], testing::DoubleNear(0.1, 0.002));
    EXPECT_THAT(result.table("roots").front().words, testing::Contains("receiver"));
    return test::column(result.table("per_flow"), "accepted_load")[1];
  };
  EXPECT_NEAR(accepted("1q"), 0.05, 0.005);
}

TEST(SlowNodes, DoNotHoldUpPacketsInQueuesOfTheirOwn) {
  const Result result = slow_result(
      switch_with(3, "scheme = \"voqnet\"", "[[node.receiver]]\nnodes = { nodes = [1] }\nrate = 0.1") +
      flow_to("slow", "nodes = [0]", 1, "load = 0.5") + flow_to("other", "nodes = [0]", 2, "load = 0.25") +
      "[observe]\nwaiting = true\ninterval = \"5 us\"\n" + measured_for("900 us"));
  EXPECT_THAT(test::column(result.table("per_flow"), "accepted_load"),
              testing::Pointwise(testing::DoubleNear(0.01), {0.1, 0.25}));
  EXPECT_EQ(result.metric("victim_wait_ns"), 0);
}

// The fair share of a node is what it consumes.
TEST(SlowNodes, HaveFairSharesOfTheirRate) {
  const Result result = slow_result(
      switch_with(4, "scheme = \"voqnet\"", "[[node.receiver]]\nnodes = { nodes = [3] }\nrate = 0.4") +
      flow_to("all", "first = 3", 3, "load = 0.5") + measured_for("500 us") + "tables = [\"fairness\"]\n");
  EXPECT_NEAR(test::column(result.table("per_destination"), "fair_share")[3], 0.4, 1e-9);
  EXPECT_NEAR(result.metric("worst_part"), 1, 0.01);
}

}  // namespace
}  // namespace headway
