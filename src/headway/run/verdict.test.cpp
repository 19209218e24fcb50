// SPDX-License-Identifier: Apache-2.0
// Complete runs whose verdict is known.
#include "headway/run/verdict.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

EventSpec spec_of_text(const std::string& text) {
  return std::get<EventSpec>(load_experiment(parse_toml(text, "x.toml")).points.front().spec());
}
Result result_of(const std::string& text) { return run(spec_of_text(text)); }

// 64 nodes, 4 KiB per port; `more` is appended.
std::string tree(const std::string& flow, const std::string& measure, const std::string& more = "") {
  return fmt::format(
      "[network]\ntopology = \"k-ary-n-tree\"\nk = 4\nn = 3\nlink = {{ rate = \"1 GB/s\", delay = \"4 ns\" "
      "}}\n"
      "[[traffic.flow]]\n{}\n[measure]\n{}\n{}",
      flow, measure, more);
}

TEST(Verdict, BacklogInInjectionQueuesIsBacklog) {
  const Result result = result_of(tree("load = 0.9", "warmup = \"20 us\"\nduration = \"100 us\"",
                                       "[node]\ninjection_memory = \"64 KiB\""));
  EXPECT_EQ(result.status, Status::saturated);
  EXPECT_THAT(result.detail, HasSubstr("outstanding traffic went from"));
}

// Large port memories absorb traffic that the network does not deliver.
TEST(Verdict, BacklogInTheNetworkIsBacklog) {
  for (const char* duration : {"50 us", "100 us"})
    EXPECT_EQ(
        result_of(
            fmt::format(
                "[network]\ntopology = \"k-ary-n-tree\"\nk = 4\nn = 3\n"
                "link = {{ rate = \"12.5 GB/s\", delay = \"4 ns\" }}\n[switch]\ninput_memory = \"256 KiB\"\n"
                "[traffic]\npacket = \"2 KiB\"\n[[traffic.flow]]\nload = 0.8\n"
                "[measure]\nwarmup = \"10 us\"\nduration = \"{}\"\n",
                duration))
            .status,
        Status::saturated)
        << duration;
}

TEST(Verdict, AShortWindowOfASaturatedNetworkIsNotOk) {
  const Result result = result_of(tree("load = 0.7", "warmup = \"20 us\"\nduration = \"20 us\""));
  EXPECT_THAT(result.status, AnyOf(Status::too_short, Status::saturated)) << result.detail;
}

TEST(Verdict, AnIdleNetworkIsNotSaturated) {
  const std::string flow = "sources = { nodes = [3, 40] }\nmessage = \"4 KiB\"\nload = 0.5";
  for (int seed = 1; seed <= 6; ++seed) {
    EventSpec spec = spec_of_text(tree(flow, "duration = \"100 us\""));
    spec.seed = static_cast<std::uint64_t>(seed);
    const Result result = run(spec);
    EXPECT_EQ(result.status, Status::too_short) << seed;  // about 24 messages
    EXPECT_THAT(result.detail, HasSubstr(" B, which are too few; a window of about"));
  }
  EXPECT_EQ(result_of(tree(flow, "duration = \"2 ms\"")).status, Status::ok);
}

TEST(Verdict, AWarmUpIsLookedForOnceTheLoadsStandStill) {
  const Result result = result_of(tree("load = 0.5\nstart = \"900 us\"", "duration = \"100 us\""));
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  EXPECT_NEAR(result.metric("accepted_load"), 0.5, 0.02);
  EXPECT_GT(result.metric("warmup_ns"), 900'000);
}

TEST(Verdict, AWindowBeforeTheTrafficIsNotSteady) {
  EventSpec spec = spec_of_text(tree("load = 0.5", "warmup = \"10 us\"\nduration = \"100 us\""));
  spec.traffic.flows.front().load.points = {{Duration{0}, 0}, {Duration{900'000}, 0.5}};
  const Result result = run(spec);
  EXPECT_EQ(result.status, Status::not_steady);
  EXPECT_THAT(result.detail, HasSubstr("no flow sends within the window"));
}

TEST(Verdict, ALoadThatChangesInTheWindowIsNotSteady) {
  const Result result =
      result_of(tree("load = 0.3\nstart = \"60 us\"", "warmup = \"20 us\"\nduration = \"100 us\""));
  EXPECT_EQ(result.status, Status::not_steady);
  EXPECT_THAT(result.detail,
              HasSubstr("the load of traffic.flow[0] goes from 0 to 0.3 at 60 us within the window"));
}

TEST(Verdict, FlowsThatAllStopLeaveNoWarmUpToDetect) {
  try {
    result_of(tree("load = 0.3\nstop = \"60 us\"", "duration = \"100 us\""));
    FAIL() << "accepted";
  } catch (const SpecError& error) {
    EXPECT_THAT(error.what(), HasSubstr("measure.warmup: the end of the warm-up cannot be detected"));
  }
}

TEST(Verdict, AWindowShorterThanAPacketTellsNothing) {
  EXPECT_EQ(result_of(tree("load = 0.5", "warmup = \"20 us\"\nduration = \"50 ns\"")).status,
            Status::too_short);
}

// 16 of 64 nodes request 1.12 times the capacity of one link, which is 2 % of the traffic.
TEST(Verdict, AnOverloadedLinkSaturatesHoweverShortTheWindow) {
  const std::string flows =
      "sources = { fraction = 0.75 }\nload = 0.2\n[[traffic.flow]]\nsources = { rest = true }\n"
      "pattern = \"hotspot\"\ndestination = 1\nload = ";
  const std::string measure = "warmup = \"20 us\"\nduration = \"30 us\"";
  const Result over = result_of(tree(flows + "0.061", measure));
  EXPECT_EQ(over.status, Status::saturated);
  EXPECT_THAT(over.detail, HasSubstr("the demand of the flows on the link to node 1 is 1.12"));
  EXPECT_NE(result_of(tree(flows + "0.05", measure)).status, Status::saturated);
}

// A dragonfly of 72 nodes under its worst traffic; `load` of each node.
std::string next_group(const std::string& routing, double load,
                       const std::string& shape = "p = 2\na = 4\nh = 2", int size = 8,
                       const std::string& duration = "200 us") {
  return fmt::format(
      "[network]\ntopology = \"dragonfly\"\n{}\n[routing]\nalgorithm = \"{}\"\n"
      "[[traffic.flow]]\npattern = \"next-group\"\nsize = {}\nload = {}\n"
      "[measure]\nwarmup = \"20 us\"\nduration = \"{}\"\n",
      shape, routing, size, load, duration);
}

TEST(Verdict, DetoursAreJudgedByThePathsThatTheyTake) {
  for (const char* routing : {"valiant", "ugal", "par"}) {
    const Result result = result_of(next_group(routing, 0.3));
    EXPECT_EQ(result.status, Status::ok) << routing << ": " << result.detail;
    EXPECT_NEAR(result.metric("accepted_load"), 0.3, 0.005) << routing;
  }
  const Result minimal = result_of(next_group("minimal", 0.3));
  EXPECT_EQ(minimal.status, Status::saturated);
  EXPECT_THAT(minimal.detail, HasSubstr("is 2.4 times its capacity"));
}

// Of the 8 links of a group, 7 lead to waypoints; each carries a seventh of the first halves of the paths of
// its group and of the second halves of the paths of another one: 2 * 8 / 7 of the load of a node.
TEST(Verdict, ValiantsLinksHaveTheirExactDemand) {
  const Result result = result_of(next_group("valiant", 0.49, "p = 2\na = 4\nh = 2", 8, "10 us"));
  EXPECT_EQ(result.status, Status::saturated);
  EXPECT_THAT(result.detail, HasSubstr(fmt::format("is {:.4g} times its capacity", 0.49 * 16 / 7)));
}

// The 16 nodes of a group send all their traffic to other groups, over 8 links.
TEST(Verdict, RoutesThatPacketsChooseAreJudgedByCuts) {
  const std::string shape = "p = 4\na = 4\nh = 2";
  for (const char* routing : {"ugal", "par"}) {
    const Result below = result_of(next_group(routing, 0.49, shape, 16, "2 us"));
    EXPECT_THAT(below.detail, testing::Not(HasSubstr("the demand"))) << routing;
    const Result over = result_of(next_group(routing, 0.51, shape, 16, "2 us"));
    EXPECT_EQ(over.status, Status::saturated) << routing;
    EXPECT_EQ(
        over.detail,
        "the demand of the flows that leave group 0 is 1.02 times the capacity of the links that leave it");
  }
}

// On both sides of 512 nodes.
TEST(Verdict, LinksAreJudgedInNetworksOfAnySize) {
  for (const auto& [shape, size] : {std::pair{"p = 3\na = 6\nh = 3", 18}, {"p = 4\na = 6\nh = 4", 24}}) {
    const Result minimal = result_of(next_group("minimal", 0.1, shape, size, "2 us"));
    EXPECT_EQ(minimal.status, Status::saturated) << shape;
    EXPECT_THAT(minimal.detail, HasSubstr(fmt::format("is {:.4g} times its capacity", 0.1 * size)));
    const Result valiant = result_of(next_group("valiant", 0.3, shape, size, "2 us"));
    EXPECT_NE(valiant.status, Status::saturated) << shape << ": " << valiant.detail;
  }
}

TEST(Verdict, AFlowOfLoadZeroChangesNothing) {
  const std::string flow = "load = 0.5", measure = "warmup = \"20 us\"\nduration = \"100 us\"";
  const Result without = result_of(tree(flow, measure));
  const Result with = result_of(
      tree(flow + "\n[[traffic.flow]]\nload = 0\nmessage = \"1 MiB\"\npattern = \"complement\"", measure));
  EXPECT_EQ(without.status, Status::ok) << without.detail;
  EXPECT_EQ(with.status, Status::ok) << with.detail;
  EXPECT_EQ(with.trace_hash, without.trace_hash);
}

// 64 messages of four packets wait at each of 16 nodes: the network needs 4 ms to deliver them.
TEST(Verdict, TheFirstBacklogOfSaturatedSourcesIsNoTraffic) {
  const auto with_window = [](const std::string& measure) {
    return result_of(
        "[network]\ntopology = \"single-switch\"\nnodes = 16\nlink = { rate = \"0.1 GB/s\", delay = \"4 ns\" "
        "}\n"
        "[switch]\ninput_memory = \"96000 B\"\n[traffic]\npacket = \"1500 B\"\n"
        "[[traffic.flow]]\narrivals = \"saturated\"\nmessage = \"6000 B\"\n[measure]\n" +
        measure);
  };
  const Result short_one = with_window("warmup = \"0 us\"\nduration = \"40 us\"");
  EXPECT_EQ(short_one.status, Status::too_short);
  EXPECT_THAT(short_one.detail, HasSubstr("delivered messages in the window are too few"));
  EXPECT_EQ(with_window("warmup = \"0 us\"\nduration = \"2 ms\"").status, Status::too_short);
  const Result long_one = with_window("warmup = \"20 ms\"\nduration = \"60 ms\"");
  EXPECT_EQ(long_one.status, Status::ok) << long_one.detail;
}

// Head-of-line blocking in a large switch whose inputs always have a packet: 2 - sqrt(2) (Karol, Hluchyj and
// Morgan 1987, section III); 0.6 for 16 ports.
TEST(Verdict, SaturatedSourcesHaveASteadyState) {
  const Result result = result_of(
      "[network]\ntopology = \"single-switch\"\nnodes = 16\n[switch]\ninput_memory = \"256 B\"\n"
      "[node]\nadmittance = \"fifo\"\n"
      "[[traffic.flow]]\narrivals = \"saturated\"\npattern = \"uniform\"\ninclude_self = true\n"
      "[measure]\nwarmup = \"50 us\"\nduration = \"200 us\"\n");
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  EXPECT_NEAR(result.metric("accepted_load"), 0.6, 0.02);
}

TEST(Verdict, SourcesThatStallAreSaturated) {
  const Result result = result_of(tree("load = 0.9", "warmup = \"20 us\"\nduration = \"100 us\"",
                                       "[node]\nadmittance_limit = \"1 KiB\""));
  EXPECT_EQ(result.status, Status::saturated);
  EXPECT_THAT(result.detail, HasSubstr("sources stalled at node.admittance_limit"));
  EXPECT_EQ(result_of(tree("load = 0.3", "warmup = \"20 us\"\nduration = \"100 us\"",
                           "[node]\nadmittance_limit = \"64 KiB\""))
                .status,
            Status::ok);
}

TEST(Verdict, DoesNotDependOnTheBins) {
  for (const char* bin : {"\"100 us\"", "\"7 us\"", "\"100 ns\""}) {
    const std::string measure = fmt::format("warmup = \"20 us\"\nduration = \"100 us\"\nbin = {}", bin);
    EXPECT_EQ(result_of(tree("load = 0.5", measure)).status, Status::ok) << bin;
    EXPECT_EQ(result_of(tree("load = 0.9", measure)).status, Status::saturated) << bin;
  }
}

TEST(Verdict, NothingAskedForIsNothingMissing) {
  EXPECT_EQ(result_of(tree("load = 0", "duration = \"100 us\"")).status, Status::ok);
}

}  // namespace
}  // namespace headway
