// SPDX-License-Identifier: Apache-2.0
// headway bench: recordings, comparisons and its JSON.
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Bench : public ShellTest {
 protected:
  Outcome bench(const std::string& flags) const {
    return shell("headway bench --quick --case '4-ary-3-tree obqa-4 0.5' " + flags);
  }
};

TEST_F(Bench, ComparesWithItsOwnRecording) {
  EXPECT_EQ(bench("--save recording.csv").code, 0);
  const Outcome second = bench("--baseline recording.csv");
  EXPECT_THAT(second.out, ContainsRegex("4-ary-3-tree obqa-4 0.5 quick.*[0-9]x.*[0-9]x"));
  EXPECT_THAT(second.out, Not(HasSubstr("deliveries differ"))) << "the same case behaves the same twice";
}

TEST_F(Bench, NoticesAnotherTrace) {
  write("recording.csv", "case,ns_per_hop,bytes,trace_hash\n4-ary-3-tree obqa-4 0.5 quick,50,1000,0\n");
  EXPECT_THAT(bench("--baseline recording.csv").out, HasSubstr("deliveries differ"));
}

TEST_F(Bench, IsOneDocumentWithJson) {
  const auto document = nlohmann::json::parse(bench("--json").out);
  ASSERT_EQ(document["cases"].size(), 1U);
  const auto& result = document["cases"][0];
  EXPECT_EQ(result["nodes"], 64);
  EXPECT_GT(result["packet_hops"], 10'000);
  EXPECT_NEAR(result["packet_hops_per_cpu_s"].get<double>() * result["ns_per_packet_hop"].get<double>(), 1e9,
              1e3);
}

TEST_F(Bench, CountsSwitchUpdatesOfSlottedCases) {
  const auto document = nlohmann::json::parse(shell("headway bench --quick --case omega-64 --json").out);
  ASSERT_EQ(document["cases"].size(), 1U);
  const auto& result = document["cases"][0];
  EXPECT_GT(result["switch_updates"], 10'000'000);
  EXPECT_GT(result["switch_updates_per_cpu_s"], 0);
}

TEST_F(Bench, RefusesWhatItCannotUse) {
  EXPECT_EQ(shell("headway bench --case nonsense").code, 2);
  write("results.csv", "seed,status\n");
  EXPECT_EQ(bench("--baseline results.csv").code, 2);
}

}  // namespace
}  // namespace headway::test
