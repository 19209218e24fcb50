// SPDX-License-Identifier: Apache-2.0
// headway why locates congestion, from a spec and from results. Observation does not change results.
#include <algorithm>

#include "test_paths.h"
#include "tests/cli/repository.h"
#include "tests/cli/shell.h"
#include "tests/support/sanitizer.h"

namespace headway::test {
namespace {

// Lines of a paragraph as one line.
std::string unwrapped(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// A spec with its first flow only.
std::string without_flow(const std::string& spec) {
  const std::size_t second = spec.rfind("[[traffic.flow]]");
  return spec.substr(0, second) + spec.substr(spec.find("[measure]"));
}

class Why : public ShellTest {
 protected:
  void SetUp() override {
    ShellTest::SetUp();
    write("hot.toml", repository_file("examples/hot.toml"));
  }
};

// Answers the README's questions: what limits the network, who causes it, who suffers, since when, and is it
// over?
TEST_F(Why, BeginsWithTheConclusion) {
  const Outcome outcome = shell("headway why hot.toml");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(
      unwrapped(outcome.out),
      AllOf(HasSubstr(" of all waiting packets wait for places that traffic to node 11 congests. [account] "),
            HasSubstr(" of the packets that wait to cross these places are those of flow 1"),
            HasSubstr("For every packet of flow 0 that is delivered, its packets wait"),
            HasSubstr("Of flow 0, 0.28"), HasSubstr("the network does not recover within the run"),
            HasSubstr(". [account] "), Not(HasSubstr("would address")),
            HasSubstr("Evidence: 100 photographs from 20 us to 120 us, status not_steady"),
            ContainsRegex("the link from switch [0-9]+ port [0-9]+ to node 11 \\(flow 1\\): [0-9]+ packets"),
            Not(HasSubstr("Root 1"))));
}

TEST_F(Why, TellsAllNumbersOnRequest) {
  const Outcome outcome = shell("headway why hot.toml --all | head -8");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(
      outcome.out,
      AllOf(StartsWith("100 photographs from 20 us to 120 us"), HasSubstr("Root 1: the link from switch"),
            HasSubstr("to node 11\n"), HasSubstr("are victims"), HasSubstr("go to node 11 (100 %)"),
            HasSubstr("Its congestion tree is there from 5"), HasSubstr("has not recovered")));
}

TEST_F(Why, NamesTheFlowOfTheVictims) {
  EXPECT_THAT(shell("headway why hot.toml --all").out,
              AllOf(ContainsRegex("Its victims are packets of flow 0 \\(9[0-9] %\\), flow 1|Its victims are "
                                  "packets of flow 0 \\(100 %\\)"),
                    HasSubstr("They are packets of flow 0 (")));
}

TEST_F(Why, TellsTheSameFromADirectory) {
  const Outcome told = shell("headway why hot.toml --no-runs");
  EXPECT_EQ(shell("headway run hot.toml --set observe.waiting=true --out out").code, 0);
  const Outcome stored = shell("headway why out");
  EXPECT_EQ(stored.code, 0);
  EXPECT_EQ(stored.out, told.out);
  for (const std::string table : {"roots", "culprits", "per_flow", "flow_roots", "trees", "tree_series"})
    EXPECT_THAT(read("out/" + table + ".csv"), HasSubstr("\n1,")) << table;
  // The link from switch 2 port 3, in stage 0, to node 11.
  EXPECT_THAT(read("out/roots.csv"), ContainsRegex("\n1,link,[0-9]+,2,,3,,11,0,-1,"));
}

TEST_F(Why, KeepsItsResultsAndSaysThemAsJson) {
  const Outcome told = shell("headway why hot.toml --no-runs --out out");
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

// With the first half of the nodes, the job and storage share no link; at random, they share many.
TEST_F(Why, TheStudyOfCollectivesHolds) {
  const std::string slow = kAddressSanitizer ? "" : "--figure tree-64 ";
  const Outcome outcome =
      shell("headway paper " + std::string(kSourceDir) +
            "/studies/collectives --quick --figure tree-64-regular " + slow + "--out out");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("regular: holds"), Not(HasSubstr("does not hold"))));
  if (!slow.empty()) EXPECT_THAT(outcome.out, HasSubstr("victims-protected: holds"));
}

// The interval comes from batch means with one run, and from the scatter over seeds with several.
TEST_F(Why, SteadyTimesHaveIntervals) {
  const std::string steady =
      "headway why hot.toml --all --set traffic.flow[1].load=0.02 --set measure.warmup='\"60 us\"'"
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
  EXPECT_THAT(page,
              AllOf(StartsWith("switch.scheme = 1q:\n9"),
                    HasSubstr("\nswitch.scheme = voqnet:\n100 % of all waiting packets wait for the link "
                              "from switch 2 port 3 to node 11. [account]\n")));
  const std::string all = shell("headway why both.toml --all").out;
  const std::size_t second = all.find("switch.scheme = voqnet");
  ASSERT_NE(second, std::string::npos);
  EXPECT_THAT(all, StartsWith("switch.scheme = 1q: 100 photographs"));
  EXPECT_THAT(all.substr(0, second), HasSubstr("  lost by head-of-line blocking"));
  EXPECT_THAT(all.substr(second), Not(HasSubstr("  lost by head-of-line blocking")));
}

// A small form of the example: 72 nodes, 14 of which write to 2 targets.
TEST_F(Why, NamesStorageAsTheCauseAndBackgroundAsTheVictimForEveryScheme) {
  write("storage.toml", repository_file("examples/storage-incast.toml"));
  const Outcome outcome = shell(
      "headway why storage.toml --set network.nodes=72 --set network.radix=12"
      " --set 'measure.duration=\"100 us\"' --out out");
  EXPECT_EQ(outcome.err, "");
  std::size_t at = 0;
  for (const std::string scheme : {"1q", "dbbm", "obqa", "vftree", "voqsw", "fbicm"}) {
    const std::string start = "switch.scheme = " + scheme + ", ";
    at = outcome.out.find(start, at);
    ASSERT_NE(at, std::string::npos) << scheme;
    const std::string page = unwrapped(outcome.out.substr(at, outcome.out.find("Evidence", at) - at));
    EXPECT_THAT(page, AllOf(HasSubstr("Traffic to node 35 and node 71 limits this network: "),
                            HasSubstr(" are those of storage"),
                            ContainsRegex("For every packet of background that is delivered, its "
                                          "packets wait [0-9.]+ [nu]s, " +
                                          std::string(scheme == "fbicm" ? "only " : "[0-9]"))));
  }
  const std::string compared = unwrapped(shell("headway why out out --point 1 --point 6").out);
  EXPECT_THAT(compared,
              AllOf(StartsWith("1q (switch.cfqs = 1) compared with fbicm (switch.cfqs = 16), both with "
                               "switch.queues = 1:"),
                    HasSubstr("packets of background"), HasSubstr("wait less than with 1q"),
                    HasSubstr("The main reason for less waiting: "),
                    HasSubstr("(crossed mostly by packets of storage)")));
}

TEST_F(Why, ComparesTwoDirectories) {
  for (const std::string scheme : {"1q", "voqnet"})
    ASSERT_EQ(shell("headway why hot.toml --set switch.scheme=" + scheme + " --out " + scheme).code, 0);
  const Outcome outcome = shell("headway why 1q voqnet");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(
      unwrapped(outcome.out),
      AllOf(StartsWith("1q compared with voqnet: With voqnet, packets of flow 0 wait less than with 1q"),
            HasSubstr("0 ns instead of ")));
}

TEST_F(Why, ComparesThePointsOfSweepsWithEqualLoads) {
  write("loads.toml", read("hot.toml") + "[sweep]\n\"traffic.flow[0].load\" = [0.2, 0.3]\n");
  for (const std::string scheme : {"1q", "voqnet"})
    ASSERT_EQ(shell("headway why loads.toml --set switch.scheme=" + scheme + " --out " + scheme).code, 0);
  const std::string page = shell("headway why 1q voqnet").out;
  EXPECT_THAT(page, AllOf(StartsWith("1q compared with voqnet, both with traffic.flow[0].load = 0.2:\n"),
                          HasSubstr("\n\n1q compared with voqnet, both with traffic.flow[0].load = 0.3:\n")));
  EXPECT_THAT(shell("headway why 1q 1q --point 1 --point 2").out,
              StartsWith("traffic.flow[0].load = 0.2 compared with traffic.flow[0].load = 0.3:\n"));
}

TEST_F(Why, SaysWhatCannotBeCompared) {
  write("both.toml", read("hot.toml") + "[sweep]\n\"switch.scheme\" = [\"1q\", \"voqnet\"]\n");
  write("one.toml", without_flow(read("hot.toml")));
  for (const std::string name : {"both", "one", "hot"})
    ASSERT_EQ(shell("headway why " + name + ".toml --out out-" + name).code, 0);
  ASSERT_EQ(shell("headway run hot.toml --out plain").code, 0);
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Outcome outcome = shell("headway why " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(why)) << arguments;
  };
  refused("out-hot nowhere", "DIR2 is a directory of results, but 'nowhere' is not a directory");
  refused("out-hot out-hot",
          "both runs are the same; --point N, given twice, compares two points of a sweep");
  refused("out-both out-both --point 2", "both runs are the same");
  refused("out-both out-hot",
          "the points do not form pairs with the same swept values; --point N, given twice, selects a point "
          "of each "
          "directory; out-both has 2 points (1: switch.scheme = 1q; 2: switch.scheme = voqnet); out-hot has "
          "1 point");
  refused("out-both out-hot --point 3 --point 1", "out-both has 2 points, so there is no point 3");
  refused("out-both --point 1 --point 2", "a second --point is for a second directory");
  refused("out-hot out-one", "two runs can be compared if they have the same flows");
  refused("out-hot plain", "these results have no photographs");
  refused("out-hot out-both --point 1 --all", "--all is for one run");
  refused("hot.toml out-hot", "two directories of results can be compared; hot.toml is a spec");
  refused("hot.toml --point 2", "--point needs a whole number from 1 to 1, not '2'");
  refused("hot.toml --point 1 --point 1", "a second --point is for a second directory");
  EXPECT_THAT(shell("headway why out-both out-hot --point 2 --point 1").out,
              StartsWith("voqnet compared with 1q:\n"));
  EXPECT_THAT(shell("headway why out-both --point 2").out, StartsWith("switch.scheme = voqnet:\n"));
}

TEST_F(Why, ExplainsAPointOfASweepByRuns) {
  write("both.toml", read("hot.toml") + "[sweep]\n\"switch.scheme\" = [\"1q\", \"voqnet\"]\n");
  const Outcome whole = shell("headway why both.toml --try");
  EXPECT_EQ(whole.code, 2);
  EXPECT_THAT(whole.err,
              HasSubstr("--try explains one run, but the spec sweeps keys; --point N selects one"));
  const Outcome point = shell("headway why both.toml --point 1");
  EXPECT_EQ(point.code, 0) << point.err;
  EXPECT_EQ(point.out, shell("headway why hot.toml --set switch.scheme=1q").out);
  EXPECT_THAT(point.out, HasSubstr("\nMeasured in "));
}

TEST_F(Why, TriesRemediesAndKeepsThem) {
  const Outcome tried = shell("headway why hot.toml --try --try switch.lanes=2 --seeds 1 --out out");
  EXPECT_EQ(tried.code, 0) << tried.err;
  EXPECT_THAT(tried.out, HasSubstr("\nWhat changes "));
  EXPECT_THAT(tried.out, HasSubstr("switch.lanes=2"));
  EXPECT_THAT(read("out/remedies.csv"), HasSubstr(",one perfect switch,bound,"));
  EXPECT_THAT(shell("headway why out").out, HasSubstr(tried.out.substr(tried.out.find("\nWhat changes "))));
  EXPECT_THAT(shell("headway why hot.toml --try --seeds 1 --json").out, HasSubstr("\"remedies\""));
  const Outcome several =
      shell("headway why hot.toml --try '{switch.arbiter=\"random\", seed=4}' --seeds 1 --all");
  EXPECT_THAT(several.out, HasSubstr("own     {switch.arbiter=\"random\", seed=4}"));
  EXPECT_THAT(several.out, HasSubstr("--set 'switch.arbiter=\"random\"' --set seed=4"));
  EXPECT_THAT(shell("headway why hot.toml --goal latency").err, HasSubstr("did you mean"));
  EXPECT_THAT(shell("headway why hot.toml --budget soon").err,
              HasSubstr("--budget needs a time, such as 30s"));
}

}  // namespace
}  // namespace headway::test
