// SPDX-License-Identifier: Apache-2.0
// Links that go down or get a lower rate cost what they carry meanwhile, to the tick.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/base/error.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result result_with_events(const std::string& text) {
  return run(load_experiment(parse_toml(text, "test"), {}).points.front().spec());
}

// A message of 1000 packets of 1000 B from node 0 to node 1, back to back at 1 B/ns: the switch begins a
// packet at 4, 1004, ... ns.
double message_with(const std::string& events) {
  const Result result = result_with_events(R"(
network = { topology = "single-switch", nodes = 2, link = { rate = "1 GB/s", delay = "4 ns" } }
switch = { queue_memory = "64 KiB" }
measure = { until = "done", limit = "1 s" }
[traffic]
packet = "1000 B"
[[traffic.job]]
program = "broadcast"
size = "1000000 B"
)" + events);
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  return result.metric("makespan_ns");
}

constexpr double kMessage = 1'000'008;

TEST(Events, LinksThatAreDownDelayPackets) {
  EXPECT_EQ(message_with(""), kMessage);
  EXPECT_EQ(message_with("[[event]]\nnode = \"1\"\nat = \"100004 ns\"\nlasts = \"50 us\"\n"),
            kMessage + 50'000);
  // the transfer that has begun ends; the next one begins when the link is up
  EXPECT_EQ(message_with("[[event]]\nnode = \"1\"\nat = \"100005 ns\"\nlasts = \"50 us\"\n"),
            kMessage + 50'000 - 999);
  EXPECT_EQ(message_with("[[event]]\nlink = \"0:1\"\nat = \"100004 ns\"\nlasts = \"50 us\"\n"),
            kMessage + 50'000);
  EXPECT_EQ(message_with("[[event]]\nswitch = \"0\"\nat = \"100004 ns\"\nlasts = \"50 us\"\n"),
            kMessage + 50'000);
  EXPECT_EQ(message_with("[[event]]\nlink = \"0 -- node 1\"\nat = \"100004 ns\"\nlasts = \"50 us\"\n"),
            kMessage + 50'000);
  // two that overlap are one
  EXPECT_EQ(message_with("[[event]]\nnode = \"1\"\nat = \"100004 ns\"\nlasts = \"50 us\"\n"
                         "[[event]]\nnode = \"1\"\nat = \"120004 ns\"\nlasts = \"60 us\"\n"),
            kMessage + 80'000);
}

TEST(Events, LinksFlap) {
  // the message takes 1100 us; the eleventh time, it has just ended
  EXPECT_EQ(
      message_with("[[event]]\nnode = \"1\"\nat = \"100004 ns\"\nlasts = \"10 us\"\nevery = \"100 us\"\n"),
      kMessage + 10 * 10'000);
}

TEST(Events, LinksThatAreSlowTakeLonger) {
  // 25 packets instead of 50
  EXPECT_EQ(message_with("[[event]]\nnode = \"1\"\nat = \"100004 ns\"\nlasts = \"50 us\"\nrate = 0.5\n"),
            kMessage + 25'000);
  // the switch stores packets that come slowly, so that the last of them takes a packet's time more
  EXPECT_EQ(message_with("[[event]]\nnode = \"0\"\nat = \"100 us\"\nlasts = \"50 us\"\nrate = 0.5\n"),
            kMessage + 26'000);
}

TEST(Events, AreListed) {
  const Result result = result_with_events(R"(
network = { topology = "k-ary-n-tree", k = 2, n = 2 }
measure = { warmup = "0 us", duration = "30 us" }
routing = { algorithm = "up-down", reroute_after = "2 us" }
traffic = { flow = [{ load = 0.1 }] }
[[event]]
link = "0:2"
at = "5 us"
lasts = "10 us"
[[event]]
node = "3"
at = "15 us"
rate = 0.25
)");
  EXPECT_THAT(result.table("network_changes").at(1).words,
              ElementsAre("link 0:2 goes down", "new routes hold",
                          "link 0:2 is as usual again and 1 other link changes", "new routes hold"));
  EXPECT_THAT(test::column(result.table("network_changes"), "time_ns"),
              ElementsAre(5'000, 7'000, 15'000, 17'000));
  EXPECT_THAT(test::column(result.table("network_changes"), "down"), ElementsAre(1, 1, 0, 0));
  EXPECT_EQ(result.status, Status::not_steady);
  EXPECT_THAT(result.detail, HasSubstr("link 0:2 goes down at 5 us within the window"));
}

// In a 2-ary 2-tree, node 0 sends a packet of 64 B every 128 ns to node 2; its leaf begins to send it 4 ns
// later.
Result sent_over_a_dead_link(const std::string& down_links, const std::string& routing) {
  return result_with_events(fmt::format(R"(
network = {{ topology = "k-ary-n-tree", k = 2, n = 2 }}
measure = {{ warmup = "0 us", duration = "40 us" }}
switch = {{ down_links = "{}" }}
routing = {{ algorithm = "det"{} }}
[[traffic.flow]]
sources = {{ nodes = [0] }}
pattern = "hotspot"
destination = 2
arrivals = "periodic"
load = 0.5
[[event]]
link = "0:2"
at = "10 us"
)",
                                        down_links, routing));
}

TEST(Events, NewRoutesEndTheLoss) {
  const Result lost = sent_over_a_dead_link("lose", "");
  const Result rerouted = sent_over_a_dead_link("lose", ", reroute_after = \"2560 ns\"");
  // 20 packets get their output at the leaf in 2560 ns, when they are admitted
  EXPECT_EQ(rerouted.metric("packets_lost"), 20);
  EXPECT_GT(lost.metric("packets_lost"), 200);
}

// A switch of one of two planes is down: 1000 packets of 1000 B take the other plane, whatever the rule is.
TEST(Events, NodesWithSeveralLinksUseThoseThatAreUp) {
  for (const char* const rule : {"hash", "turns", "load"})
    for (const char* const what : {"switch = \"0\"", "switch = \"1\"", "link = \"0 -- node 1\""}) {
      const Result result = result_with_events(fmt::format(R"(
network = {{ topology = "rails", servers = 2, gpus = 1, scale_up_switches = 0, planes = 2, spines = 0 }}
routing = {{ node_link = "{}" }}
switch = {{ queue_memory = "64 KiB" }}
[traffic]
packet = "1000 B"
[[traffic.job]]
program = "broadcast"
size = "1000000 B"
[[event]]
{}
)",
                                                           rule, what));
      EXPECT_EQ(result.status, Status::ok) << rule << ", " << what << ": " << result.detail;
      EXPECT_EQ(result.metric("makespan_ns"), kMessage) << rule << ", " << what;
    }
}

// A link that is up again after the end of the run does not stay down.
TEST(Events, LinksComeUpAfterTheEnd) {
  const Result result = result_with_events(R"(
network = { topology = "single-switch", nodes = 2 }
measure = { warmup = "0 us", duration = "40 us" }
traffic = { flow = [{ load = 0.5 }] }
event = [{ node = "1", at = "30 us", lasts = "20 us" }]
)");
  EXPECT_EQ(result.status, Status::not_steady) << result.detail;
  EXPECT_THAT(test::column(result.table("network_changes"), "time_ns"), ElementsAre(30'000));
}

// A network that loses a constant part of its packets is in a steady state.
TEST(Events, LostPacketsAreNotOutstanding) {
  const Result result = result_with_events(R"(
network = { topology = "single-switch", nodes = 4 }
measure = { warmup = "20 us", duration = "400 us" }
switch = { down_links = "lose" }
traffic = { flow = [{ load = 0.3 }] }
event = [{ node = "1", at = "10 us" }]
)");
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  EXPECT_GT(result.metric("packets_lost"), 1000);
}

// New routes of "dfsssp" give pairs of nodes other lanes, and so other injection queues.
TEST(Events, NewRoutesLeadToOtherLanes) {
  constexpr const char* kSpec = R"(
seed = 2
network = { topology = "hyperx", sides = [2, 3], link = { rate = "1 GB/s", delay = "10 ns" } }
routing = { algorithm = "dfsssp", reroute_after = "5 us" }
switch = { scheme = "voqnet" }
measure = { warmup = "0 us", duration = "40 us" }
traffic = { packet = "256 B", flow = [{ load = 0.9 }] }
event = [{ switch = "1", at = "3 us", lasts = "3 us", every = "4 us" }]
)";
  EXPECT_NO_THROW(run(load_experiment(parse_toml(kSpec, "test"), {}).points.front().spec(), {.check = true}));
}

TEST(Events, PacketsWaitForALinkThatStaysDown) {
  const Result result = sent_over_a_dead_link("wait", ", reroute_after = \"2560 ns\"");
  EXPECT_EQ(result.status, Status::deadlock);
  EXPECT_THAT(result.detail, HasSubstr("-> a link that stays down"));
}

TEST(Events, AdaptiveRoutingAvoidsLinksThatAreDown) {
  const auto accepted = [](const std::string& routing) {
    return result_with_events("routing = " + routing + R"(
network = { topology = "k-ary-n-tree", k = 4, n = 2 }
measure = { warmup = "10 us", duration = "100 us" }
switch = { scheme = "voqnet" }
[[traffic.flow]]
load = 0.4
[[event]]
link = "0:4"
at = "5 us"
)")
        .metric("accepted_load");
  };
  EXPECT_LT(accepted("{ algorithm = \"det\" }"), 0.38);
  EXPECT_NEAR(accepted("{ algorithm = \"adaptive\" }"), 0.4, 0.02);
  EXPECT_NEAR(accepted("{ algorithm = \"det\", reroute_after = \"0 us\" }"), 0.4, 0.02);
}

TEST(Events, MistakesAreTold) {
  const auto told = [](const std::string& text) -> std::string {
    try {
      load_experiment(parse_toml("network = { topology = \"k-ary-n-tree\", k = 2, n = 2 }\n" + text, "test"),
                      {});
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(told("measure = { warmup = \"0 us\" }\n[[event]]\nat = \"1 us\"\n"),
              HasSubstr("the event names nothing that happens to it; give one of link, switch, node"));
  EXPECT_THAT(
      told("measure = { warmup = \"0 us\" }\n[[event]]\nlink = \"0:2\"\nnode = \"1\"\nat = \"1 us\"\n"),
      HasSubstr("the event names several things"));
  EXPECT_THAT(told("[[event]]\nnode = \"1\"\nat = \"1 us\"\n"),
              HasSubstr("measure.warmup: is needed with events"));
  EXPECT_THAT(told("measure = { warmup = \"0 us\" }\n[[event]]\nnode = \"9\"\nat = \"1 us\"\n"),
              HasSubstr("there is no node \"9\"; 0 to 3"));
  EXPECT_THAT(
      told("measure = { warmup = \"0 us\" }\n[[event]]\nnode = \"1\"\nlasts = \"9 us\"\nevery = \"8 us\"\n"),
      HasSubstr("is not shorter than the time to the next beginning"));
}

}  // namespace
}  // namespace headway
