// SPDX-License-Identifier: Apache-2.0
// Link-level pauses where the result is known: the headroom with which nothing is lost (the delay of the loop
// times the rate of the link, as in IEEE 802.1Qbb, annex N), and that it is tight; the XON with which an
// output never idles; and equality with credits while no lane fills.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "headway/compile/build.h"
#include "headway/config/toml.h"
#include "headway/engine/simulation.h"
#include "headway/metrics/tables.h"
#include "headway/run/run.h"
#include "headway/spec/read_spec.h"
#include "tests/cli/repository.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

EventSpec pause_spec(const std::string& text) {
  Mistakes mistakes;
  EventSpec spec = std::get<EventSpec>(read_spec(parse_toml(text, "x"), mistakes).spec);
  mistakes.throw_if_any();
  return spec;
}

// Nodes send all they can to the last one, with packets of 64 B at 1 GB/s.
std::string incast(const std::string& switches, int link_ns = 30, const std::string& traffic = "",
                   int nodes = 4) {
  return fmt::format(R"(
[network]
topology = "single-switch"
nodes = {3}
link = {{ rate = "1 GB/s", delay = "{0} ns" }}
[switch]
{1}
[node]
injection_memory = "16 KiB"
[traffic]
packet = "64 B"
[[traffic.flow]]
sources = {{ first = {4} }}
pattern = "hotspot"
destination = {4}
arrivals = "saturated"
{2}
[measure]
warmup = "0 us"
duration = "100 us"
)",
                     link_ns, switches, traffic, nodes, nodes - 1);
}

double lost(const std::string& text) {
  RunOptions options;
  options.check = true;
  return run(pause_spec(text), options).metric("packets_lost");
}

struct PausedLoop {
  const char* name;
  const char* switches;
  int link_ns;
  int headroom;  // packets: ceil(D / 64 ns) - 1, one more if the switch stores packets
};

// So many that no lane is served twice within a loop.
constexpr int kManyNodes = 64;

constexpr PausedLoop kLoops[] = {
    {"cut-through", "", 30, 0},                                                                  // D = 60 ns
    {"a longer link", "", 33, 1},                                                                // D = 66 ns
    {"routing and a slow pause", "routing_delay = \"20 ns\"\npause_delay = \"400 ns\"", 30, 7},  // 450 ns
    {"store-and-forward", "switching = \"store-and-forward\"", 33, 2},                           // 66 ns
    {"a long link", "", 1000, 31},                                                               // 2000 ns
};

TEST(Pauses, WithTheComputedHeadroomNothingIsLostAndWithOneByteLessItIs) {
  for (const PausedLoop& loop : kLoops) {
    SCOPED_TRACE(loop.name);
    const std::string base =
        fmt::format("flow_control = \"pfc\"\nxoff = \"64 B\"\nlosses = true\n{}\n", loop.switches);
    const auto with = [&](int memory, int headroom) {
      return incast(fmt::format("{}headroom = \"{} B\"\ninput_memory = \"{} B\"\n", base, headroom, memory),
                    loop.link_ns, "", kManyNodes);
    };
    const int needed = 64 * loop.headroom;
    EXPECT_EQ(lost(with(64 + needed, needed)), 0);
    if (needed > 0) EXPECT_GT(lost(with(63 + needed, needed - 1)), 0);
    // the default is this headroom: it leaves one packet as XOFF, and less memory is a mistake
    const std::string own = fmt::format("flow_control = \"pfc\"\n{}\n", loop.switches);
    const EventSpec spec =
        pause_spec(incast(fmt::format("{}input_memory = \"{} B\"\n", own, 64 + needed), loop.link_ns));
    const Model model = build(spec);
    EXPECT_EQ(model.network.pause->headroom, static_cast<std::uint32_t>(loop.headroom));
    EXPECT_EQ(model.network.pause->xoff, 1U);
    if (needed > 0)
      EXPECT_THROW(
          build(pause_spec(incast(fmt::format("{}input_memory = \"{} B\"\n", own, needed), loop.link_ns))),
          SpecError);
  }
}

// Pauses that share the links wait for a packet that has just begun.
TEST(Pauses, OnSharedLinksAPauseWaitsForAPacket) {
  const auto both_ways = [](int memory, int headroom) {
    return incast(
        fmt::format("flow_control = \"pfc\"\ncredit_packet = \"16 B\"\nxoff = \"64 B\"\nlosses = true\n"
                    "headroom = \"{} B\"\ninput_memory = \"{} B\"\nscheme = \"voqsw\"\n",
                    headroom, memory),
        30, "[[traffic.flow]]\nsources = { nodes = [3] }\npattern = \"uniform\"\nload = 0.8\n");
  };
  // D = 30 + (63 + 16 + 30) = 139 ns: two packets, as ceil(139 / 64) - 1
  EXPECT_EQ(lost(both_ways(64 + 128, 128)), 0);
  EXPECT_GT(lost(both_ways(64 + 127, 127)), 0);
}

TEST(Pauses, AnOutputNeverIdlesIfXonCoversTheLoop) {
  // D = 2000 ns, and the output drains an input every 192 ns: XON of 11 packets keeps all inputs busy
  const auto accepted = [](int xon) {
    EventSpec spec = pause_spec(incast(
        fmt::format("flow_control = \"pfc\"\nxoff = \"{} B\"\nxon = \"{} B\"\ninput_memory = \"8 KiB\"\n",
                    64 * 12, 64 * xon),
        1000));
    spec.measure.warmup = Duration{20'000};
    return run(spec).metric("network_efficiency") * 4;
  };
  EXPECT_NEAR(accepted(11), 1, 1e-3);
  EXPECT_LT(accepted(1), 0.9);
}

TEST(Pauses, WhileNoLaneFillsPacketsMoveAsWithCredits) {
  const std::string text = R"(
[network]
topology = "k-ary-n-tree"
k = 4
n = 2
[switch]
input_memory = "1 MiB"
scheme = "voqsw"
[[traffic.flow]]
load = 0.5
[measure]
warmup = "10 us"
duration = "100 us"
)";
  const Result credits = run(pause_spec(text));
  for (const char* kind : {"pfc", "pfc-shared"}) {
    EventSpec spec = pause_spec(text);
    spec.switches.flow_control = choose(link_flow_controls(), kind);
    const Result pauses = run(spec);
    EXPECT_EQ(pauses.trace_hash, credits.trace_hash) << kind;
    EXPECT_EQ(pauses.metric("pauses"), 0) << kind;
  }
}

TEST(Pauses, DefaultsHaveRoomForManyQueues) {
  EventSpec spec = pause_spec(test::repository_file("tests/findings/pfc-injection.toml"));
  spec.measure.warmup = Duration{2'000};
  spec.measure.duration = Duration{10'000};
  const Result result = run(spec);
  EXPECT_NEAR(result.metric("accepted_load"), 0.2, 0.01);
  EXPECT_EQ(result.metric("packets_lost"), 0);
}

// 200 m at 400 Gbit/s carry 100,000 packets of one byte and back a pause. Nothing is lost, by default and
// beside a job, whose packets must not be lost, and the output is never idle.
TEST(Pauses, DefaultsSuitMessagesOfOneByte) {
  const std::string text = R"(
[network]
topology = "single-switch"
nodes = 4
link = { rate = "400 Gbit/s", delay = "1 us" }
[switch]
flow_control = "pfc"
[traffic]
packet = "4 KiB"
[[traffic.flow]]
sources = { first = 3 }
pattern = "hotspot"
destination = 3
arrivals = "saturated"
message = "1 B"
[measure]
warmup = "8 us"
duration = "8 us"
)";
  for (const char* kind : {"pfc", "pfc-shared"})
    for (const char* job : {"", "[[traffic.job]]\nprogram = \"barrier\"\n"}) {
      SCOPED_TRACE(fmt::format("{} {}", kind, job));
      EventSpec spec = pause_spec(text + job);
      spec.switches.flow_control = choose(link_flow_controls(), kind);
      const Result result = run(spec);
      EXPECT_GT(result.metric("pauses"), 0);
      EXPECT_EQ(result.metric("packets_lost"), 0);
      EXPECT_NEAR(result.metric("network_efficiency") * 4, 1, 1e-3);
      EXPECT_GT(result.metric("queue_max_packets"), 65'536);
    }
}

// A slow node pauses its switch, and that the nodes: all of them to its rate. The waiting ends at the node.
TEST(Pauses, ASlowNodePausesItsWholeTree) {
  EventSpec spec = pause_spec(incast("flow_control = \"pfc\"\ninput_memory = \"1 KiB\""));
  spec.node.receivers = {{{NodeSet::Kind::nodes, 1.0, 0, {3}}, 0.25}};
  spec.observe.waiting = true;
  const Result result = run(spec);
  EXPECT_NEAR(result.metric("network_efficiency") * 4, 0.25, 2e-3);
  EXPECT_GT(result.metric("wait_paused_ns"), 0);
  const Table& pauses = result.table("pauses");
  double of_nodes = 0, of_switch = 0;
  for (std::size_t row = 0; row < rows_of(pauses); ++row) {
    const double share = number_at(pauses, "paused", row);
    (std::isnan(number_at(pauses, "from_node", row)) ? of_switch : of_nodes) += share;
  }
  EXPECT_GT(of_switch, 0.6) << "one link, paused for three quarters of the time";
  EXPECT_GT(of_nodes, 3 * 0.8) << "three links, paused for eleven twelfths of the time";
}

// Turns by InfiniBand's tables are those of lanes, each by itself, but a lane is named by its class.
TEST(Pauses, ALaneHasTheNameOfItsClass) {
  for (const std::string_view turns : {"none", "strict", "infiniband"}) {
    const std::string text =
        incast(fmt::format("lanes = 4\nlane_turns = \"{}\"\nflow_control = \"pfc\"\ninput_memory = \"8 KiB\"",
                           turns),
               30, "service_level = 3") +
        "[[class]]\nname = \"rest\"\nlanes = [2]\n[[class]]\nname = \"bulk\"\nlanes = [0, 1, 3]\n";
    const Result result = run(pause_spec(text));
    const Table& pauses = result.table("pauses");
    ASSERT_GT(rows_of(pauses), 0) << turns;
    EXPECT_THAT(test::words(pauses, "class"), testing::Each(testing::Eq("bulk"))) << turns;
  }
}

}  // namespace
}  // namespace headway
