// SPDX-License-Identifier: Apache-2.0
// The program that measures the standard cases: recordings and comparisons.
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Speed : public ShellTest {
 protected:
  Outcome measure(const std::string& flags) const {
    return shell("headway_speed --quick --case '4-ary-3-tree obqa-4 0.5' " + flags);
  }
};

TEST_F(Speed, ComparesWithItsOwnRecording) {
  EXPECT_EQ(measure("--save recording.csv").code, 0);
  const Outcome second = measure("--baseline recording.csv");
  EXPECT_THAT(second.out, ContainsRegex("4-ary-3-tree obqa-4 0.5 quick.*[0-9]x.*[0-9]x"));
  EXPECT_THAT(second.out, Not(HasSubstr("deliveries differ"))) << "the same case behaves the same twice";
}

TEST_F(Speed, NoticesAnotherTrace) {
  write("recording.csv", "case,ns_per_hop,bytes,trace_hash\n4-ary-3-tree obqa-4 0.5 quick,50,1000,0\n");
  EXPECT_THAT(measure("--baseline recording.csv").out, HasSubstr("deliveries differ"));
}

TEST_F(Speed, MeasuresSlottedCases) {
  EXPECT_THAT(shell("headway_speed --quick --case omega-64").out, ContainsRegex("omega-64 .* 64 "));
}

TEST_F(Speed, MeasuresJobs) {
  EXPECT_THAT(shell("headway_speed --quick --case all-to-all").out,
              ContainsRegex("all-to-all quick .* 256 "));
}

TEST_F(Speed, RefusesWhatItCannotUse) {
  EXPECT_EQ(shell("headway_speed --case nonsense").code, 2);
  write("results.csv", "seed,status\n");
  EXPECT_EQ(measure("--baseline results.csv").code, 2);
}

}  // namespace
}  // namespace headway::test
