// SPDX-License-Identifier: Apache-2.0
#include "headway/spec/what_if.h"

#include <gmock/gmock.h>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using ::testing::HasSubstr;

constexpr char kTwoJobs[] = R"(
seed = 3
network = { topology = "k-ary-n-tree", k = 4, n = 2 }
[[traffic.job]]
name = "train"
program = "training-step"
layers = 2
forward_ns = [200]
backward_ns = [400]
gradient_bytes = [65536]
nodes = { random = 0.5 }
placement = "random"
overhead = "100 ns"
[[traffic.job]]
name = "storage"
program = "incast"
size = "64 KiB"
nodes = { rest = true }
placement = "random"
background = true
)";

EventSpec spec_of(const std::string& more) {
  return std::get<EventSpec>(load_experiment(parse_toml(more + kTwoJobs, "x")).points.front().spec());
}
double time_of(const EventSpec& spec, const char* metric = "train.completion_ns") {
  return run(spec).metric(metric);
}

TEST(WhatIf, WithoutAJobIsTheJobAlone) {
  const double alone = time_of(spec_of("measure.alone = true\n"), "train.alone_ns");
  const EventSpec without = spec_of("what_if.without = [\"storage\"]\n");
  EXPECT_EQ(time_of(without), alone);
  EXPECT_LT(alone, time_of(spec_of("")));
  EXPECT_EQ(run(without).metric("storage.messages"), 0);
}

TEST(WhatIf, NoComputingLeavesTheMessages) {
  const EventSpec with = spec_of(""), without = spec_of("what_if.no_computing = true\n");
  EXPECT_EQ(time_of(with, "train.messages"), time_of(without, "train.messages"));
  EXPECT_EQ(time_of(without, "train.computing"), 0);
  EXPECT_LT(time_of(without), time_of(with));
}

TEST(WhatIf, NoOverheadTakesTheTurnsOfMessages) {
  EXPECT_GT(time_of(spec_of(""), "train.overhead"), 0);
  EXPECT_EQ(time_of(spec_of("what_if.no_overhead = true\n"), "train.overhead"), 0);
}

TEST(WhatIf, RepairsLinksByName) {
  const auto hash = [](std::string_view failed, std::string_view repaired) {
    const std::vector<Override> set{{"network.failures.at", parse_toml_value(failed, "x")},
                                    {"what_if.repaired", parse_toml_value(repaired, "x")}};
    return run(std::get<EventSpec>(load_experiment(parse_toml(kTwoJobs, "x"), set).points.front().spec()))
        .trace_hash;
  };
  const std::string_view two = R"(["0:4", "1:5"])";
  EXPECT_EQ(hash(two, R"(["0:4"])"), hash(R"(["1:5"])", "[]"));
  EXPECT_EQ(hash(two, R"(["all"])"), hash("[]", "[]"));
  EXPECT_NE(hash(two, "[]"), hash("[]", "[]"));
}

TEST(WhatIf, StaggerIsSmallAndDiffersByItsValue) {
  const EventSpec base = spec_of("");
  const double time = time_of(base);
  std::set<std::uint64_t> runs{run(base).trace_hash};
  for (const char* const value : {"1", "2", "3"}) {
    const EventSpec moved = spec_of(std::string("what_if.stagger = ") + value + "\n");
    EXPECT_NEAR(time_of(moved), time, 0.1 * time) << value;
    runs.insert(run(moved).trace_hash);
  }
  EXPECT_EQ(runs.size(), 4);
}

TEST(WhatIf, PerfectSwitchDropsQueuesLanesAndControl) {
  const EventSpec changed =
      with_changes(spec_of("what_if.perfect_switch = true\nswitch.lanes = 2\nswitch.marking = "
                           "\"red\"\nnode.reaction = \"dcqcn\"\n"));
  EXPECT_EQ(changed.switches.scheme.name, "voqnet");
  EXPECT_EQ(changed.switches.lanes, 1);
  EXPECT_EQ(changed.switches.marking.name, "none");
  EXPECT_EQ(changed.node.reaction.name, "none");
}

TEST(WhatIf, NamesOfOthersAreMistakes) {
  try {
    spec_of("what_if.without = [\"storag\", \"nobody-at-all\"]\n");
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("there is no flow, trace or job \"storag\"; did you mean \"storage\"?"));
    EXPECT_THAT(error.what(), HasSubstr("there is no flow, trace or job \"nobody-at-all\""));
  }
}

}  // namespace
}  // namespace headway
