// SPDX-License-Identifier: Apache-2.0
// headway why locates congestion, from a spec and from results. Observation does not change results.
#include "test_paths.h"
#include "tests/cli/repository.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Why : public ShellTest {
 protected:
  void SetUp() override {
    ShellTest::SetUp();
    write("hot.toml", repository_file("examples/hot.toml"));
  }
};

// Answers the README's questions: which link, which victims, since when, and is it over?
TEST_F(Why, TellsRootVictimsAndTime) {
  const Outcome outcome = shell("headway why hot.toml | head -8");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(
      outcome.out,
      AllOf(StartsWith("100 photographs from 20 us to 120 us"), HasSubstr("Root 1: the link from switch"),
            HasSubstr("to node 11\n"), HasSubstr("are victims"), HasSubstr("go to node 11 (100 %)"),
            HasSubstr("Its congestion tree is there from 5"), HasSubstr("has not recovered")));
}

TEST_F(Why, NamesTheFlowOfTheVictims) {
  EXPECT_THAT(shell("headway why hot.toml").out,
              AllOf(ContainsRegex("Its victims are packets of flow 0 \\(9[0-9] %\\), flow 1|Its victims are "
                                  "packets of flow 0 \\(100 %\\)"),
                    HasSubstr("They are packets of flow 0 (")));
}

TEST_F(Why, TellsTheSameFromADirectory) {
  const Outcome told = shell("headway why hot.toml");
  EXPECT_EQ(shell("headway run hot.toml --set observe.waiting=true --out out").code, 0);
  const Outcome stored = shell("headway why out");
  EXPECT_EQ(stored.code, 0);
  EXPECT_EQ(stored.out, told.out);
  for (const std::string table : {"roots", "culprits", "per_flow", "flow_roots", "trees", "tree_series"})
    EXPECT_THAT(read("out/" + table + ".csv"), HasSubstr("\n1,")) << table;
}

TEST_F(Why, KeepsItsResultsAndSaysThemAsJson) {
  const Outcome told = shell("headway why hot.toml --out out");
  EXPECT_EQ(told.code, 0);
  EXPECT_EQ(shell("headway why out").out, told.out);
  EXPECT_THAT(shell("headway why hot.toml --json").out, StartsWith("{\"headway\""));
  EXPECT_THAT(shell("headway why out --json").err, HasSubstr("--json is for a spec; out is a directory"));
}

TEST_F(Why, PlotDrawsTheTreesByTheirRoots) {
  EXPECT_EQ(shell("headway run hot.toml --set observe.waiting=true --out out").code, 0);
  const Outcome plot = shell("headway plot out --table tree_series");
  EXPECT_EQ(plot.code, shell("command -v gnuplot").code == 0 ? 0 : 1) << plot.err;
  EXPECT_THAT(read("out/plot/data.csv"), StartsWith("curve,time_us,packets,stacked,status\nothers-link-"));
  EXPECT_THAT(read("out/plot/figure.gp"), HasSubstr("node 11"));
}

TEST_F(Why, ObservingChangesNothing) {
  const auto hash = [&](const std::string& waiting) {
    return shell("headway run hot.toml --json --set observe.waiting=" + waiting +
                 " | grep -o '\"trace_hash\":\"[0-9a-f]*\"'")
        .out;
  };
  EXPECT_THAT(hash("true"), StartsWith("\"trace_hash\""));
  EXPECT_EQ(hash("true"), hash("false"));
}

TEST_F(Why, KeepsSnapshotsOfTheFirstSeed) {
  const std::string run = "headway run hot.toml --set observe.waiting=true --set observe.keep=true ";
  EXPECT_THAT(shell(run).err, HasSubstr("observe.keep has no effect without --out DIR"));
  EXPECT_EQ(shell(run + "--set seeds=2 --out out").err, "");
  const std::string names = shell("ls out/snapshots").out;
  EXPECT_THAT(names, ::testing::MatchesRegex("point-1-[0-9a-f]*.snap\n"));
  const std::string file = shell("cat out/snapshots/*").out;
  EXPECT_THAT(file, StartsWith("headway snapshots 1\n"));
  shell(run + "--set seeds=2 --out out");
  EXPECT_EQ(shell("wc -l <out/journal.jsonl").out, "2\n");
  shell("rm out/snapshots/*; " + run + "--set seeds=2 --out out");
  EXPECT_EQ(shell("wc -l <out/journal.jsonl").out, "3\n") << "the run with the snapshots is repeated";
  EXPECT_EQ(shell("cat out/snapshots/*").out, file);
  EXPECT_THAT(shell("headway check hot.toml --set observe.keep=true").err,
              HasSubstr("observe.keep: there are no photographs to keep; set observe.waiting = true"));
}

TEST_F(Why, SaysWhatIsMissing) {
  EXPECT_EQ(shell("headway run hot.toml --out plain").code, 0);
  const Outcome plain = shell("headway why plain");
  EXPECT_EQ(plain.code, 2);
  EXPECT_THAT(
      plain.err,
      HasSubstr(
          "these results have no photographs; simulate the spec again with --set observe.waiting=true"));
  EXPECT_THAT(shell("headway why plain --seed 3").err,
              HasSubstr("--seed is for a spec; plain is a directory"));
  EXPECT_THAT(shell("headway why nowhere").err, HasSubstr("nowhere"));
  write("slotted.toml", "kernel = \"slotted\"\n");
  EXPECT_THAT(shell("headway why slotted.toml").err,
              HasSubstr("slotted.toml:1:10: kernel: the slotted kernel takes no photographs"));
  EXPECT_THAT(shell("headway export slotted.toml --set network.topology=omega --out own").err,
              HasSubstr("kernel: a slotted network cannot be written as files"));
  const Outcome rare =
      shell("headway check hot.toml --set observe.waiting=true --set observe.interval='\"1 ms\"'");
  EXPECT_EQ(rare.code, 2);
  EXPECT_THAT(rare.err, HasSubstr("observe.interval: 1 ms is longer than the measured window, 100 us"));
}

TEST_F(Why, TheStudyOfBlockingHolds) {
  const Outcome outcome = shell("headway paper " + std::string(kSourceDir) +
                                "/studies/blocking --quick --figure lost --figure busy --out out");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("voqsw: holds"), Not(HasSubstr("does not hold"))));
}

// The interval comes from batch means with one run, and from the scatter over seeds with several.
TEST_F(Why, SteadyTimesHaveIntervals) {
  const std::string steady =
      "headway why hot.toml --set traffic.flow[1].load=0.02 --set measure.warmup='\"60 us\"'"
      " --set measure.duration='\"500 us\"'";
  for (const std::string seeds : {"1", "2"})
    EXPECT_THAT(shell(steady + " --set seeds=" + seeds).out,
                AllOf(ContainsRegex("last row, [0-9.]+ ± [0-9.]+ ns"),
                      ContainsRegex("Victims of roots: [0-9.]+ ± [0-9.]+ ns"),
                      HasSubstr("± is the half width of a 95 % interval")))
        << seeds;
}

TEST_F(Why, TellsEveryPointOfASweep) {
  write("both.toml", read("hot.toml") + "[sweep]\n\"switch.scheme\" = [\"1q\", \"voqnet\"]\n");
  const std::string page = shell("headway why both.toml").out;
  const std::size_t second = page.find("switch.scheme = voqnet");
  ASSERT_NE(second, std::string::npos);
  EXPECT_THAT(page, StartsWith("switch.scheme = 1q: 100 photographs"));
  EXPECT_THAT(page.substr(0, second), HasSubstr("  lost by head-of-line blocking"));
  EXPECT_THAT(page.substr(second), Not(HasSubstr("  lost by head-of-line blocking")));
}

}  // namespace
}  // namespace headway::test
