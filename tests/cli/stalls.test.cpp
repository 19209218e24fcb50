// SPDX-License-Identifier: Apache-2.0
// headway why distinguishes starvation, a slow network and saturation, and gives the evidence for each.
// Deadlock is in file_network.test.cpp.
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class StallPage : public ShellTest {
 protected:
  // Nodes 0, 1 and 2 send to node 3.
  void write_spec(const std::string& network, const std::string& memory, const std::string& load) {
    write("spec.toml", "[network]\n" + network + R"(
link = { rate = "1 GB/s", delay = "4 ns" }
[switch]
input_memory = ")" + memory +
                           R"("
[[traffic.flow]]
sources = { nodes = [0, 1, 2] }
pattern = "hotspot"
destination = 3
load = )" + load + R"(
[measure]
warmup = "20 us"
duration = "100 us"
[observe]
interval = "1 us"
)");
  }
  std::string why() { return shell("headway why spec.toml --all").out; }
};

TEST_F(StallPage, StarvationNamesWhoWaitsAndWhoPasses) {
  write_spec("topology = \"torus\"\nsides = [8]", "192 B", "1.0");
  EXPECT_THAT(
      shell("headway why spec.toml --all --set routing.algorithm=dor").out,
      AllOf(HasSubstr("Starvation: 1 packet waits at the head of a queue while packets of others"),
            ContainsRegex(
                "switch 1 port 0 queue 0 \\(node 1 to node 3\\): from [0-9.]+ ns to 119.9 us, 9[0-9][0-9] "
                "packets"),
            HasSubstr("Port 1 held the output in"), Not(HasSubstr("No stall"))));
}

TEST_F(StallPage, TheConclusionNamesStarvation) {
  write_spec("topology = \"torus\"\nsides = [8]", "192 B", "1.0");
  EXPECT_THAT(
      shell("headway why spec.toml --set routing.algorithm=dor").out,
      HasSubstr("1 packet waits at the head of a queue while packets of others take what it lacks: "));
}

TEST_F(StallPage, ASaturatedNetworkMoves) {
  write_spec("topology = \"single-switch\"\nnodes = 4", "4 KiB", "1.0");
  EXPECT_THAT(why(), AllOf(HasSubstr("No stall. It is saturated: "), HasSubstr("the link to node 3"),
                           HasSubstr("At the end, no head has waited since the previous photograph.")));
}

TEST_F(StallPage, AQuietNetworkDoesNotStall) {
  write_spec("topology = \"single-switch\"\nnodes = 4", "4 KiB", "0.1");
  EXPECT_THAT(why(), AllOf(HasSubstr("\nNo stall."), Not(HasSubstr("saturated"))));
}

// One packet takes 64 us: there is no delivery for a long time, but every head gets its turn.
TEST_F(StallPage, ASlowLinkIsNotADeadlock) {
  write("star.toml", R"([[switch]]
name = "hub"
[[node]]
at = "hub:0"
[[node]]
at = "hub:1"
[[node]]
at = "hub:2"
[[node]]
at = "hub:3"
name = "tape"
rate = "1 MB/s"
)");
  write_spec("topology = \"file\"\nfile = \"star.toml\"", "4 KiB", "0.01");
  write("routes.txt", "switch hub\n0 0\n1 1\n2 2\ntape 3\n");
  EXPECT_THAT(
      shell("headway why spec.toml --all --set routing.algorithm=table --set routing.file=routes.txt").out,
      AllOf(HasSubstr("No stall. It is saturated"), Not(HasSubstr("Deadlock")),
            ContainsRegex("the head that has waited longest, for 1?[0-9][0-9](\\.[0-9])? us"),
            HasSubstr("It waits for the link from switch hub port 3 to node tape.")));
}

}  // namespace
}  // namespace headway::test
