// SPDX-License-Identifier: Apache-2.0
// Classes of lanes that take turns, where the shares or the waiting are known: backlogged classes get their
// weights to the packet, in input-queued and CIOQ switches, also on the link to a node; InfiniBand's tables
// and limit; and the waiting of a queue with one server and non-preemptive priorities.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "headway/config/toml.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/support/anchor.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

constexpr double kNsOfPacket = 64;  // 64 B at 1 GB/s

Result run_text(const std::string& text, bool check = false) {
  Mistakes mistakes;
  const EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  RunOptions options;
  options.check = check;
  return run(spec, options);
}

std::string network(std::size_t nodes, const std::string& switches) {
  return fmt::format(
      "[network]\ntopology = \"single-switch\"\nnodes = {}\nlink = {{ rate = \"1 GB/s\", delay = "
      "\"4 ns\" }}\n[switch]\nlane_turns = {}\n",
      nodes, switches);
}

// A flow of one node to the last of `nodes`, or of all others if `source` is negative.
std::string flow(std::size_t nodes, int source, int level, const std::string& rest) {
  return fmt::format(
      "[[traffic.flow]]\nsources = {{ {} }}\npattern = \"hotspot\"\ndestination = {}\nservice_level = "
      "{}\n{}\n",
      source < 0 ? fmt::format("first = {}", nodes - 1) : fmt::format("nodes = [{}]", source), nodes - 1,
      level, rest);
}

// The parts of the classes in what is delivered, if a node of each class always sends to one more node. The
// window has 11,520 packets of 64 B, 30 times the 384 of the longest cycle of turns.
std::vector<double> shares(const std::string& switches, const std::vector<std::string>& flows_of_class,
                           const std::string& classes = "") {
  const std::size_t nodes = flows_of_class.size() + 1;
  std::string text = network(nodes, switches) + classes;
  for (std::size_t c = 0; c < flows_of_class.size(); ++c)
    text += flow(nodes, static_cast<int>(c), static_cast<int>(c),
                 "arrivals = \"saturated\"\n" + flows_of_class[c]);
  const Result result = run_text(text + "[measure]\nwarmup = \"50 us\"\nduration = \"737280 ns\"\n", true);
  std::vector<double> parts = test::column(result.table("per_class"), "accepted_load");
  const double all = std::reduce(parts.begin(), parts.end());
  EXPECT_NEAR(all * static_cast<double>(flows_of_class.size()), 1, 0.001) << "the link is always busy";
  for (double& part : parts) part /= all;
  return parts;
}

constexpr const char* kNamesOfArchitectures[] = {"iq", "cioq"};

std::string with(const char* architecture, const std::string& turns, std::size_t lanes) {
  return fmt::format("{}\nlanes = {}\narchitecture = \"{}\"\ncrossbar_speedup = {}\n", turns, lanes,
                     architecture, std::string_view(architecture) == "iq" ? 1 : 2);
}

TEST(LaneTurns, BackloggedClassesGetTheirWeights) {
  const std::string three_to_one = "[[class]]\nname = \"gold\"\nlanes = [0]\nweight = 3\n";
  const std::string uneven =
      "[[class]]\nlanes = [0]\nweight = 7\n[[class]]\nservice_levels = [1]\nweight = 3\n";
  for (const char* architecture : kNamesOfArchitectures) {
    SCOPED_TRACE(architecture);
    const std::string two = with(architecture, "\"weighted\"", 2);
    const double packet = 1.0 / 11'520;  // of the window
    EXPECT_THAT(shares(two, {"", ""}, three_to_one),
                testing::Pointwise(testing::DoubleNear(packet), {0.75, 0.25}));
    EXPECT_THAT(shares(two, {"", ""}, uneven), testing::Pointwise(testing::DoubleNear(packet), {0.7, 0.3}));
    // in bytes, whatever the lengths of packets
    EXPECT_THAT(shares(two, {"message = \"40 B\"", ""}, three_to_one),
                testing::Pointwise(testing::DoubleNear(2 * packet), {0.75, 0.25}));
    EXPECT_THAT(shares(two, {"", "message = \"9 B\""}, uneven),
                testing::Pointwise(testing::DoubleNear(2 * packet), {0.7, 0.3}));
  }
}

TEST(LaneTurns, AClassOfSeveralLanesHasOneWeight) {
  const std::string classes = "[[class]]\nlanes = [0, 2]\n[[class]]\nlanes = [1]\nweight = 3\n";
  const std::vector<double> parts = shares(with("iq", "\"weighted\"", 3), {"", "", ""}, classes);
  EXPECT_THAT(parts, testing::Pointwise(testing::DoubleNear(0.0001), {0.25, 0.75}));
}

// IBA 1.3, 7.6.9: weights of 64 B. The example of an OpenSM manual: 64:128:192.
TEST(LaneTurns, TablesOfInfiniBandGiveTheirShares) {
  const auto tables = [](const std::string& high, const std::string& low, int limit) {
    return fmt::format("\"infiniband\"\nvlarb_high = \"{}\"\nvlarb_low = \"{}\"\nhigh_limit = {}", high, low,
                       limit);
  };
  for (const char* architecture : kNamesOfArchitectures) {
    SCOPED_TRACE(architecture);
    const auto parts = [&](const std::string& turns, std::size_t lanes) {
      return shares(with(architecture, turns, lanes), std::vector<std::string>(lanes));
    };
    const std::vector<double> low = parts(tables("0:0", "0:64,1:128,2:192", 0), 3);
    for (std::size_t lane = 0; lane < 3; ++lane)
      test::expect_anchor(
          {"links",
           fmt::format("share of lane {} of a link, InfiniBand weights 64:128:192, {}", lane, architecture),
           "IBA 1.3, 7.6.9", (static_cast<double>(lane) + 1) / 6, 0.0005},
          low[lane]);
    EXPECT_THAT(parts(tables("0:64,1:128,2:192", "0:0", 255), 3),
                testing::Pointwise(testing::DoubleNear(0.0005), {1.0 / 6, 2.0 / 6, 3.0 / 6}));
    // a lane that occurs twice has two turns
    EXPECT_THAT(parts(tables("0:0", "0:1,1:1,0:1,2:1", 0), 3),
                testing::Pointwise(testing::DoubleNear(0.001), {0.5, 0.25, 0.25}));
    // a limit of 4096 B is 64 packets of the high table for each of the low one
    EXPECT_THAT(parts(tables("0:255", "1:1", 1), 2),
                testing::Pointwise(testing::DoubleNear(0.005), {64.0 / 65, 1.0 / 65}));
    EXPECT_THAT(parts(tables("0:255", "1:1", 0), 2),
                testing::Pointwise(testing::DoubleNear(0.001), {0.5, 0.5}));
  }
}

// A turn of fewer bytes than a packet is rounded up to a whole packet.
TEST(LaneTurns, TurnsOfInfiniBandAreWholePackets) {
  const std::string turns = "\"infiniband\"\nvlarb_high = \"0:0\"\nvlarb_low = \"0:1,1:1\"\n";
  EXPECT_THAT(shares(with("iq", turns, 2), {"message = \"40 B\"", ""}),
              testing::Pointwise(testing::DoubleNear(0.001), {80.0 / 144, 64.0 / 144}));
}

TEST(LaneTurns, StrictClassesGoFirstAndTheRestIsShared) {
  const std::string classes =
      "[[class]]\nlanes = [2]\nstrict = true\n[[class]]\nlanes = [0]\nweight = 2\n[[class]]\nlanes = [1]\n";
  const auto text = network(4, with("cioq", "\"weighted\"", 3)) + classes +
                    flow(4, 0, 0, "arrivals = \"saturated\"") + flow(4, 1, 1, "arrivals = \"saturated\"") +
                    flow(4, 2, 2, "load = 0.4\narrivals = \"periodic\"");
  const Result result = run_text(text + "[measure]\nwarmup = \"50 us\"\nduration = \"768 us\"\n");
  const std::vector<double>& loads = test::column(result.table("per_class"), "accepted_load");
  EXPECT_THAT(loads, testing::Pointwise(testing::DoubleNear(0.0005), {0.4 / 3, 0.4 / 3, 0.2 / 3}));
}

// What one class leaves unused goes to the other.
TEST(LaneTurns, UnusedSharesAreUsed) {
  const std::string classes = "[[class]]\nlanes = [0]\nweight = 3\n[[class]]\nlanes = [1]\n";
  const auto text = network(3, with("iq", "\"weighted\"", 2)) + classes +
                    flow(3, 0, 0, "load = 0.1\narrivals = \"periodic\"") +
                    flow(3, 1, 1, "arrivals = \"saturated\"");
  const Result result = run_text(text + "[measure]\nwarmup = \"50 us\"\nduration = \"768 us\"\n");
  EXPECT_THAT(test::column(result.table("per_class"), "accepted_load"),
              testing::Pointwise(testing::DoubleNear(0.0005), {0.05, 0.45}));
}

// Mean waiting with one server, service time S, Poisson arrivals and non-preemptive priorities (Cobham,
// 1954): R / (1 - load of the first) for the first class, and this over (1 - load of both) for the second,
// with R = load of both times S / 2.
struct Waits {
  double first, second;
};
Waits cobham(double first, double second) {
  const double rest = (first + second) * kNsOfPacket / 2;
  return {rest / (1 - first), rest / (1 - first) / (1 - first - second)};
}

// The server is the link of a node that sends packets of both classes.
TEST(LaneTurns, StrictPriorityWaitsAsInAQueueWithPriorities) {
  for (const auto& [first, second] : {std::pair(0.3, 0.4), std::pair(0.2, 0.6)}) {
    std::string text = network(2, "\"strict\"\nlanes = 2\n") + "[node]\ninjection_memory = \"128 B\"\n";
    for (const auto& [level, load] : {std::pair(0, first), std::pair(1, second)})
      text += flow(2, 0, level, fmt::format("load = {}", load));
    const Result result = run_text(text + "[measure]\nwarmup = \"100 us\"\nduration = \"20 ms\"\n");
    const std::vector<double>& latency = test::column(result.table("per_class"), "latency_mean_ns");
    const std::vector<double>& error = test::column(result.table("per_class"), "latency_se_ns");
    const Waits expected = cobham(first, second);
    const double alone = kNsOfPacket + 2 * 4;
    const auto anchored = [&, first = first, second = second](const char* which, double wait, double ours,
                                                              double deviation) {
      test::expect_anchor(
          {"queueing",
           fmt::format("mean waiting of the {} of two priorities, loads {} and {}, ns", which, first, second),
           "Cobham 1954", wait, 4 * deviation + 0.5},
          ours - alone);
    };
    anchored("first", expected.first, latency[0], error[0]);
    anchored("second", expected.second, latency[1], error[1]);
    EXPECT_LT(error[1], 0.05 * expected.second);
  }
}

// The server is the link of a switch to a node. Each source sends little, so that its own link delays packets
// hardly.
TEST(LaneTurns, StrictPriorityOnASwitch) {
  constexpr std::size_t kNodes = 65;
  constexpr double kFirst = 0.3, kSecond = 0.4, kSources = kNodes - 1;
  std::string text = network(kNodes, "\"strict\"\nlanes = 2\nscheme = \"1q\"\ninput_memory = \"64 KiB\"\n");
  for (const auto& [level, load] : {std::pair(0, kFirst), std::pair(1, kSecond)})
    text += flow(kNodes, -1, level, fmt::format("load = {}", load / kSources));
  const Result result = run_text(text + "[measure]\nwarmup = \"100 us\"\nduration = \"20 ms\"\n");
  const std::vector<double>& latency = test::column(result.table("per_class"), "latency_mean_ns");
  const std::vector<double>& error = test::column(result.table("per_class"), "latency_se_ns");
  const Waits expected = cobham(kFirst, kSecond);
  const double alone = kNsOfPacket + 2 * 4;
  EXPECT_NEAR(latency[0] - alone, expected.first, 4 * error[0] + 0.03 * expected.first);
  EXPECT_NEAR(latency[1] - alone, expected.second, 4 * error[1] + 0.03 * expected.second);
}

TEST(LaneTurns, AStarvedClassIsAVerdict) {
  for (const char* architecture : kNamesOfArchitectures) {
    SCOPED_TRACE(architecture);
    std::string text = network(3, with(architecture, "\"strict\"", 2)) +
                       "[[class]]\nname = \"bulk\"\nlanes = [1]\n" +
                       "[[class]]\nname = \"control\"\nlanes = [0]\n";
    for (const int level : {0, 1}) text += flow(3, level, level, "arrivals = \"saturated\"\nbacklog = 5");
    text += "[measure]\nwarmup = \"50 us\"\nduration = \"100 us\"\n[observe]\nwaiting = true\n";
    const Result bulk_first = run_text(text);
    EXPECT_EQ(bulk_first.status, Status::saturated);
    EXPECT_THAT(bulk_first.detail, testing::StartsWith("class \"control\" is starved: none of its "));
    EXPECT_EQ(bulk_first.metric("starved_heads"), 1);
    EXPECT_EQ(bulk_first.metric("outranked_heads"), 1);
    const std::size_t turns = text.find("strict");
    const Result fair = run_text(text.replace(turns, 6, "weighted"));
    EXPECT_EQ(fair.status, Status::ok) << fair.detail;
    EXPECT_EQ(fair.metric("starved_heads"), 0);
  }
}

}  // namespace
}  // namespace headway
