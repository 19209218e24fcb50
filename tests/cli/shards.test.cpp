// SPDX-License-Identifier: Apache-2.0
// Sweeps whose runs are simulated by several processes, which are killed and come back: the results have the
// bytes of an undisturbed command.
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Shards : public ShellTest {
 protected:
  Shards() {
    write("sweep.toml", R"([network]
k = 4
n = 2
[measure]
warmup = "10 us"
duration = "100 us"
[sweep]
"switch.scheme" = ["1q", "voqsw", "dbbm", "obqa"]
"traffic.flow.load" = [0.5, 0.6, 0.7, 0.8, 0.9]
)");
  }

  void expect_undisturbed(std::string_view arguments = "") const {
    EXPECT_EQ(shell("headway run sweep.toml --out whole " + std::string(arguments)).code, 0);
    const Outcome merged = shell("headway run sweep.toml --out out " + std::string(arguments));
    EXPECT_EQ(merged.code, 0) << merged.err;
    for (const char* file : {"results.json", "results.csv", "series.csv", "per_stage.csv", "spec.toml"})
      EXPECT_EQ(read(std::string("out/") + file), read(std::string("whole/") + file)) << file;
    EXPECT_EQ(shell("ls out").out, shell("ls whole").out);
  }
  std::size_t reused() const {
    return nlohmann::json::parse(read("out/manifest.json"))["runs_reused"].get<std::size_t>();
  }
};

// Otherwise `headway status` would say that a process was killed.
TEST_F(Shards, WriteNothingIfAnArgumentIsWrong) {
  shell("headway run sweep.toml --set switch.scheme=1q --out done");
  const std::string before = shell("find . | sort").out;
  for (const char* const command :
       {"run sweep.toml --out out --shard 1/2 --jobs ''", "run sweep.toml --out out --jobs x",
        "run sweep.toml --out out --threads 0", "saturation sweep.toml --out out --jobs -1",
        "paper obqa --quick --out out --jobs 0", "plot done --out out --ymax none",
        "plot done --out out --y none", "submit sweep.toml --dry-run --out out --jobs ''",
        "submit sweep.toml --dry-run --out out --shards 0", "view done --out page.html --point 0",
        "trace make out.csv --set disks=none", "trace make out.csv --seed x",
        "program convert --program halo --set ranks=x -o out.goal",
        "export sweep.toml --set routing.algorithm=adaptive --set switch.scheme=1q --out out --ibsim out.net",
        "import sweep.toml --from none --out out.toml"}) {
    EXPECT_EQ(shell(std::string("headway ") + command).code, 2) << command;
    EXPECT_EQ(shell("find . | sort").out, before) << command;
  }
}

TEST_F(Shards, AtTheSameTimeGiveTheSameBytes) {
  const Outcome shards = shell(
      "for i in 1 2 3; do headway run sweep.toml --out out --shard $i/3 --jobs 1 & done; wait; wait -n; ls "
      "out/shards | wc -l");
  EXPECT_THAT(shards.out, HasSubstr("shard 3/3: done"));
  EXPECT_THAT(shards.err, IsEmpty());
  EXPECT_EQ(shell("test -e out/results.json").code, 1);
  expect_undisturbed();
  EXPECT_EQ(reused(), 20U);
  EXPECT_EQ(std::stoi(shell("wc -l <out/journal.jsonl").out), 20);
}

TEST_F(Shards, KilledOnesComeBack) {
  shell(
      "for i in 1 2; do\n"
      "  headway run sweep.toml --out out --shard $i/2 --jobs 1 >/dev/null & pid=$!\n"
      "  until [ \"$(cat out/shards/$i-of-2-* 2>/dev/null | wc -l)\" -ge 4 ]; do sleep 0.01; done\n"
      "  kill -KILL $pid; wait $pid\n"
      "done");
  for (const char* number : {"1", "2"}) {
    const Outcome again = shell(std::string("headway run sweep.toml --out out --shard ") + number + "/2");
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.out, ContainsRegex("[3-9] there already"));
  }
  expect_undisturbed();
  EXPECT_EQ(reused(), 20U);
}

// A shard that never ran: the last command simulates its runs.
TEST_F(Shards, TheLastCommandSimulatesWhatIsMissing) {
  EXPECT_EQ(shell("headway run sweep.toml --out out --shard 2/4").code, 0);
  expect_undisturbed();
  EXPECT_EQ(reused(), 5U);
}

TEST_F(Shards, RepetitionsUntilAnIntervalIsNarrow) {
  const std::string seeds =
      "--set switch.scheme=1q --set 'seeds={until=\"latency_mean_ns\",relative=0.01,at_least=2,at_most=9}' ";
  EXPECT_EQ(shell("for i in 1 2; do headway run sweep.toml --out out --shard $i/2 " + seeds + "; done").code,
            0);
  expect_undisturbed(seeds);
  EXPECT_GT(reused(), 10U);
}

TEST_F(Shards, SnapshotsOfAllShardsAreThere) {
  const std::string keep = "--set observe.keep=true --set observe.waiting=true ";
  EXPECT_EQ(shell("for i in 1 2; do headway run sweep.toml --out out --shard $i/2 " + keep + "; done").code,
            0);
  expect_undisturbed(keep);
  EXPECT_EQ(reused(), 20U);
  EXPECT_EQ(shell("diff -r out/snapshots whole/snapshots").code, 0);
}

TEST_F(Shards, TwoProcessesInADirectoryFindEachOther) {
  const Outcome outcome = shell(
      "headway run sweep.toml --set measure.duration='\"1 s\"' --out out --shard 1/2 >/dev/null 2>&1 & "
      "pid=$!\n"
      "until [ -n \"$(ls out/shards 2>/dev/null)\" ]; do sleep 0.01; done\n"
      "headway run sweep.toml --set measure.duration='\"1 s\"' --out out --shard 1/2; echo $?\n"
      "headway run sweep.toml --out out --shard 2/2; echo $?\n"
      "headway run sweep.toml --out out; echo $?\n"
      "kill $pid; wait $pid");
  EXPECT_EQ(outcome.out, "1\n1\n1\n");
  EXPECT_THAT(outcome.err,
              HasSubstr("shard 1/2 cannot begin in out: another process has it (shard 1/2: process "));
  EXPECT_THAT(outcome.err, HasSubstr("another experiment are at work"));
  EXPECT_THAT(outcome.err, HasSubstr("shards are at work in out"));
}

TEST_F(Shards, AFullDiskOfOneLosesNothing) {
  const Outcome full =
      shell("trap '' XFSZ; (ulimit -f 20; headway run sweep.toml --jobs 1 --out out --shard 1/2)");
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("shards/1-of-2"));
  EXPECT_EQ(shell("headway run sweep.toml --out out --shard 2/2").code, 0);
  expect_undisturbed();
  EXPECT_GT(reused(), 10U);
}

TEST_F(Shards, MistakesOnTheCommandLine) {
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = shell("headway run sweep.toml " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    return outcome.err;
  };
  EXPECT_THAT(error("--shard 1/2"), HasSubstr("--shard needs --out DIR"));
  EXPECT_THAT(error("--shard 3/2 --out out"), HasSubstr("--shard needs I/N"));
  EXPECT_THAT(error("--shard auto --out out"), HasSubstr("--shard auto finds neither"));
  EXPECT_THAT(error("--shard 1/2 --out out --json"), HasSubstr("leave out --json"));
}

}  // namespace
}  // namespace headway::test
