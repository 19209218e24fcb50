// SPDX-License-Identifier: Apache-2.0
// Networks with pauses at the command line: what a user mistypes, and what is told about a run.
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class PausesAtTheCommandLine : public ShellTest {
 protected:
  PausesAtTheCommandLine() {
    write("spec.toml", R"([network]
topology = "k-ary-n-tree"
k = 4
n = 2
link = { rate = "1 GB/s", delay = "4 ns" }
[switch]
flow_control = "pfc"
input_memory = "1 KiB"
[[traffic.flow]]
load = 0.5
[[traffic.flow]]
name = "hot"
pattern = "hotspot"
destination = 3
load = 0.3
[measure]
warmup = "10 us"
duration = "50 us"
)");
  }
};

TEST_F(PausesAtTheCommandLine, WhyTellsAPauseStormAndItsRoot) {
  const Outcome outcome = shell("headway why spec.toml --out out");
  EXPECT_THAT(outcome.out, AllOf(ContainsRegex("Pause storm: [0-9]+ % of all lanes"), HasSubstr("node 3"),
                                 ContainsRegex("Lanes\\s+were\\s+paused\\s+[0-9]+\\s+times")));
  EXPECT_THAT(
      read("out/pauses.csv"),
      testing::StartsWith("seed,port,lane,from_switch,from_node,to_switch,to_node,class,pauses,paused\n"));
}

TEST_F(PausesAtTheCommandLine, WithoutCongestionThereIsNoStorm) {
  const Outcome outcome = shell("headway why spec.toml --set traffic.flow.load=0.01");
  EXPECT_THAT(outcome.out, Not(HasSubstr("storm")));
}

TEST_F(PausesAtTheCommandLine, LostPacketsAreTold) {
  const Outcome outcome = shell(
      "headway why spec.toml --set switch.losses=true --set 'switch.headroom=\"0 B\"' --set "
      "network.link.delay=\\\"400ns\\\"");
  EXPECT_THAT(outcome.out, ContainsRegex("[0-9]+\\s+packets\\s+were\\s+lost"));
}

TEST_F(PausesAtTheCommandLine, MistakesAreToldWithWhatIsValid) {
  const auto errors = [&](const std::string& set) { return shell("headway check spec.toml " + set).err; };
  EXPECT_THAT(errors("--set switch.flow_control=pcf"), AllOf(HasSubstr("\"pcf\""), HasSubstr("pfc")));
  EXPECT_THAT(
      errors("--set 'switch.headroom=\"0 B\"' --set 'network.link.delay=\"100 ns\"'"),
      AllOf(HasSubstr("switch.headroom"), HasSubstr("packets can be lost"), HasSubstr("switch.losses")));
  EXPECT_THAT(errors("--set 'switch.input_memory=\"64 B\"' --set 'network.link.delay=\"100 ns\"'"),
              AllOf(HasSubstr("switch.input_memory"), HasSubstr("headroom"), HasSubstr("at least")));
  EXPECT_THAT(errors("--set 'switch.xoff=\"2 KiB\"'"), AllOf(HasSubstr("switch.xoff"), HasSubstr("64 B to")));
  EXPECT_THAT(errors("--set 'switch.xoff=\"128 B\"' --set 'switch.xon=\"128 B\"'"),
              AllOf(HasSubstr("switch.xon"), HasSubstr("not below")));
  EXPECT_THAT(errors("--set switch.virtual_channels=2"), HasSubstr("has no credits"));
  EXPECT_THAT(errors("--set switch.flow_control=credits --set 'switch.xoff=\"128 B\"'"),
              HasSubstr("switch.xoff"));
  EXPECT_THAT(errors("--set 'switch.credit_packet=\"8 B\"' --set 'switch.pause_delay=\"8 ns\"'"),
              HasSubstr("switch.pause_delay"));
}

}  // namespace
}  // namespace headway::test
