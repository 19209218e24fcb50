// SPDX-License-Identifier: Apache-2.0
// Sweeps that are stopped midway: by Ctrl-C, a kill or a full disk. Finished runs are kept. The same command
// then computes the rest, and the results are the same to the byte.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

// Runs of about 50 ms each, in one thread.
class Resume : public ShellTest {
 protected:
  Resume() {
    write("sweep.toml", R"([network]
k = 4
n = 2
[measure]
warmup = "10 us"
duration = "200 us"
[sweep]
"switch.scheme" = ["1q", "voqsw", "dbbm", "obqa"]
"traffic.flow.load" = [0.5, 0.6, 0.7, 0.8, 0.9]
)");
  }

  // Starts a sweep with results in "out" and waits until its journal has at least two runs. $pid is the
  // program.
  static constexpr std::string_view kStart =
      "headway run sweep.toml --jobs 1 --out out >/dev/null 2>err & pid=$!\n"
      "until [ \"$(cat out/journal.jsonl 2>/dev/null | wc -l)\" -ge 2 ]; do sleep 0.01; done\n";

  std::string uninterrupted() const {
    EXPECT_EQ(shell("headway run sweep.toml --out whole").code, 0);
    return read("whole/results.json");
  }
};

TEST_F(Resume, AKilledSweepContinuesToTheSameBytes) {
  const Outcome killed = shell(std::string(kStart) + "kill -KILL $pid; wait $pid; wc -l <out/journal.jsonl");
  const int kept = std::stoi(killed.out);
  ASSERT_LT(kept, 20);
  EXPECT_EQ(shell("test -e out/results.json").code, 1);
  EXPECT_EQ(shell("printf '{\"key\": \"torn' >>out/journal.jsonl; headway run sweep.toml --out out").code, 0);
  EXPECT_EQ(read("out/results.json"), uninterrupted());
  for (const char* file : {"results.csv", "series.csv", "per_stage.csv", "spec.toml"})
    EXPECT_EQ(read(std::string("out/") + file), read(std::string("whole/") + file)) << file;
  // No run was computed twice: the journal has 20 runs and the torn line.
  EXPECT_EQ(std::stoi(shell("wc -l <out/journal.jsonl").out), 21);
}

// A row of the terminal stands for a result that is in the journal.
TEST_F(Resume, AKillLosesNoRunThatWasShown) {
  const Outcome killed = shell(
      "headway run sweep.toml --jobs 2 --out out >rows 2>err & pid=$!\n"
      "until [ \"$(grep -c ' ok ' rows)\" -ge 3 ]; do sleep 0.01; done\n"
      "kill -KILL $pid; wait $pid; grep -c ' ok ' rows; wc -l <out/journal.jsonl");
  std::istringstream counts(killed.out);
  int rows = 0, lines = 0;
  counts >> rows >> lines;
  EXPECT_GE(rows, 3);
  EXPECT_GE(lines, rows);
  EXPECT_THAT(shell("headway run sweep.toml --out out").err, Not(HasSubstr("cannot read")));
  EXPECT_EQ(read("out/results.json"), uninterrupted());
}

TEST_F(Resume, ControlCKeepsWhatIsFinishedAndSaysHowToContinue) {
  const Outcome outcome = shell(kJobControl + std::string(kStart) + "kill -INT $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(read("err"), HasSubstr("of 20 runs finished and saved in out; to continue:"));
  EXPECT_THAT(read("err"), HasSubstr("headway run sweep.toml --jobs 1 --out out\n"));
  const auto points = nlohmann::json::parse(read("out/results.json"))["points"].size();
  EXPECT_GE(points, 2U);
  EXPECT_LT(points, 20U);
  EXPECT_EQ(shell("headway run sweep.toml --out out").code, 0);
  EXPECT_EQ(read("out/results.json"), uninterrupted());
}

TEST_F(Resume, ControlCWithoutADirectoryShowsWhatIsFinished) {
  const Outcome outcome = shell(
      kJobControl +
      std::string(
          "headway run sweep.toml --jobs 1 --json --set measure.duration='\"2 ms\"' >json 2>err & pid=$!\n") +
      kUntilItCatchesInterrupts + "kill -INT $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_TRUE(nlohmann::json::parse(read("json"))["points"].is_array());
  EXPECT_THAT(read("err"), HasSubstr("with --out DIR, an interrupted run can be continued"));
}

TEST_F(Resume, AFinishedSweepIsNotRunAgain) {
  const std::string first = shell("headway run sweep.toml --out out").out;
  const std::string journal = read("out/journal.jsonl");
  EXPECT_EQ(shell("headway run sweep.toml --out out").out, first);
  EXPECT_EQ(read("out/journal.jsonl"), journal);
}

TEST_F(Resume, TheResolvedSpecRunsAsItIs) {
  EXPECT_EQ(shell("headway run sweep.toml --set switch.scheme=obqa --out out").code, 0);
  EXPECT_EQ(shell("headway run out/spec.toml --json").out, read("out/results.json"));
}

// More seeds, more points, a changed range: existing runs are reused, and none is lost.
TEST_F(Resume, ASweepGrows) {
  const auto reused = [&] { return nlohmann::json::parse(read("out/manifest.json"))["runs_reused"]; };
  const auto lines = [&] { return std::stoi(shell("wc -l <out/journal.jsonl").out); };
  const std::string one = "headway run sweep.toml --set switch.scheme=1q ";
  EXPECT_EQ(shell(one + "--out out").code, 0);
  EXPECT_EQ(lines(), 5);
  const std::string small = read("out/results.json");

  const Outcome larger = shell("headway run sweep.toml --out out");
  EXPECT_EQ(larger.code, 0);
  EXPECT_THAT(larger.err, IsEmpty());
  EXPECT_EQ(reused(), 5);
  EXPECT_EQ(lines(), 20);
  EXPECT_EQ(read("out/results.json"), uninterrupted());

  const std::string seeds = one + "--set seeds=2 --set 'traffic.flow.load={from=0.6,to=0.9,step=0.15}' ";
  const Outcome other = shell(seeds + "--out out");
  EXPECT_EQ(reused(), 2);
  EXPECT_THAT(
      other.err,
      HasSubstr("out now describes this experiment; 18 runs of other experiments stay in its journal"));
  EXPECT_EQ(lines(), 24);
  EXPECT_EQ(shell(seeds + "--out fresh").code, 0);
  for (const char* file : {"results.json", "results.csv", "series.csv", "spec.toml"})
    EXPECT_EQ(read(std::string("out/") + file), read(std::string("fresh/") + file)) << file;

  EXPECT_EQ(shell(one + "--out out").code, 0);
  EXPECT_EQ(reused(), 5);
  EXPECT_EQ(lines(), 24);
  EXPECT_EQ(read("out/results.json"), small);
}

TEST_F(Resume, TablesOfAnEarlierSpecAreNotLeft) {
  const std::string one =
      "headway run sweep.toml --set switch.scheme=1q --set traffic.flow.load=0.5 --out out ";
  EXPECT_EQ(shell(one + "--set 'measure.tables=[\"per-link\"]'; test -e out/per_link.csv").code, 0);
  EXPECT_EQ(shell(one).code, 0);
  EXPECT_EQ(shell("test -e out/per_link.csv").code, 1);
}

TEST_F(Resume, AnUnusableDirectoryIsFoundBeforeItRuns) {
  for (const std::string directory : {"/proc/results", "sweep.toml", "sweep.toml/out"}) {
    const Outcome outcome = shell("headway run sweep.toml --out " + directory);
    EXPECT_EQ(outcome.code, 1) << directory;
    EXPECT_THAT(outcome.err, HasSubstr(directory)) << directory;
    EXPECT_THAT(outcome.out, IsEmpty()) << directory;
  }
}

// A limit on file sizes simulates the full disk.
TEST_F(Resume, ADiskThatFillsUpIsReportedAndLosesNothing) {
  const Outcome full = shell("trap '' XFSZ; (ulimit -f 40; headway run sweep.toml --jobs 1 --out out)");
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("journal.jsonl"));
  EXPECT_THAT(full.err, HasSubstr("of 20 runs finished and saved in out"));
  EXPECT_EQ(shell("headway run sweep.toml --out out").code, 0);
  EXPECT_EQ(read("out/results.json"), uninterrupted());
}

TEST_F(Resume, AClosedPipeDoesNotStopASweepIntoADirectory) {
  EXPECT_EQ(shell("headway run sweep.toml --out out | true; exit ${PIPESTATUS[0]}").code, 0);
  EXPECT_EQ(read("out/results.json"), uninterrupted());
}

}  // namespace
}  // namespace headway::test
