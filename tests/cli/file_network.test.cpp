// SPDX-License-Identifier: Apache-2.0
// A network from a file is spoken of by its names.
#include <gmock/gmock.h>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FileNetwork : public ShellTest {
 protected:
  // Four switches in a ring, whose packets all go round the same way.
  FileNetwork() {
    write("ring.toml", R"([[switch]]
name = "north"
[[switch]]
name = "east"
[[switch]]
name = "south"
[[switch]]
name = "west"
[[node]]
at = "north:0"
name = "oslo"
[[node]]
at = "east:0"
name = "kyiv"
[[node]]
at = "south:0"
name = "rome"
[[node]]
at = "west:0"
name = "cork"
[[link]]
ends = ["north:1", "east:2"]
[[link]]
ends = ["east:1", "south:2"]
[[link]]
ends = ["south:1", "west:2"]
[[link]]
ends = ["west:1", "north:2"]
)");
    write("round.txt",
          "switch north\noslo 0\n* 1\nswitch east\nkyiv 0\n* 1\nswitch south\nrome 0\n* 1\n"
          "switch west\ncork 0\n* 1\n");
    write("spec.toml", R"([network]
topology = "file"
file = "ring.toml"
[routing]
algorithm = "table"
file = "round.txt"
cycles = "allow"
[switch]
input_memory = "128 B"
[measure]
warmup = "1 us"
duration = "100 us"
)");
  }
};

TEST_F(FileNetwork, ADeadlockIsToldByTheNamesOfItsSwitches) {
  const Outcome outcome = shell("headway run spec.toml");
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("deadlock"), HasSubstr("switch north port 2 queue 0 -> switch east"),
                    Not(HasSubstr("switch 0 port"))));
}

TEST_F(FileNetwork, ALinkThatIsAskedForTooMuchIsToldByItsNames) {
  const std::string hotspot = " --set traffic.flow.pattern=hotspot --set traffic.flow.destination=2";
  EXPECT_THAT(
      shell("headway run spec.toml --set 'traffic.flow.sources=\"all\"' --set traffic.flow.load=0.4 " +
            hotspot)
          .out,
      HasSubstr("the link to node rome"));
}

TEST_F(FileNetwork, RoutingsThatCannotRouteItAdviseThoseThatCan) {
  for (const std::string routing : {"det", "adaptive", "dor", "random-up", "turnaround"}) {
    const Outcome outcome = shell("sed -i 's/^file = \"round.txt\"//; s/^cycles.*//' spec.toml; "
                                  "headway check spec.toml --set routing.algorithm=" + routing);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                HasSubstr("\"" + routing + "\" cannot route a network from a file; \"table\" can"));
  }
}

}  // namespace
}  // namespace headway::test
