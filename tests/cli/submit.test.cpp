// SPDX-License-Identifier: Apache-2.0
// headway submit with a stand-in for sbatch, and headway status. tests/cluster has the real Slurm.
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Submit : public ShellTest {
 protected:
  Submit() {
    write("sweep.toml", R"([network]
k = 4
n = 2
[measure]
warmup = "10 us"
duration = "50 us"
[sweep]
"switch.scheme" = ["1q", "obqa"]
"traffic.flow.load" = [0.5, 0.6, 0.7]
)");
  }

  // A command "sbatch" that is first on the PATH of the script.
  static constexpr std::string_view kStandIn =
      "mkdir bin; printf '#!/bin/bash\\necho \"$@\" >submitted\\necho \"42;cluster\"\\n' >bin/sbatch\n"
      "chmod +x bin/sbatch; PATH=$PWD/bin:$PATH\n";
};

TEST_F(Submit, WritesAScriptThatAPersonCanReadAndSubmitsIt) {
  const Outcome outcome =
      shell(std::string(kStandIn) +
            "headway submit sweep.toml --set switch.queues=4 --out out --shards 3 --jobs 2 -- "
            "--partition=long -A 'my account'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("submitted"), "--parsable out/submit.sh\n");
  EXPECT_THAT(outcome.out,
              ContainsRegex("6 runs, about [0-9.]+ s on one core; the largest needs about 1[0-9] MiB\n"
                            "3 tasks of 2 cores and [0-9.]+ MiB each: half as much again, and 64 MiB"));
  EXPECT_THAT(outcome.out, HasSubstr("submitted job 42, by out/submit.sh"));
  EXPECT_THAT(outcome.out, HasSubstr("headway status out"));
  EXPECT_THAT(outcome.out, HasSubstr("headway run sweep.toml --set switch.queues=4 --out out\n"));
  const std::string script = read("out/submit.sh");
  EXPECT_THAT(script, StartsWith("#!/bin/bash\n"));
  for (const char* line :
       {"\n#SBATCH --array=1-3\n", "\n#SBATCH --cpus-per-task=2\n", "\n#SBATCH --requeue\n",
        "\n#SBATCH --partition=long\n#SBATCH -A 'my account'\n",
        "run sweep.toml --set switch.queues=4 --out out \\\n    --shard \"$SLURM_ARRAY_TASK_ID/3\""})
    EXPECT_THAT(script, HasSubstr(line));
}

// What Slurm does with it, task by task.
TEST_F(Submit, TheScriptSimulatesTheShards) {
  EXPECT_EQ(shell("headway submit sweep.toml --out out --shards 2 --dry-run").code, 0);
  const Outcome tasks = shell(
      "for i in 1 2; do SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 bash out/submit.sh; done; headway "
      "status out");
  EXPECT_THAT(tasks.out, HasSubstr("out: 6 of 6 runs finished"));
  EXPECT_THAT(tasks.out, HasSubstr("now merges the results"));
}

TEST_F(Submit, ThereAreNoMoreTasksThanRuns) {
  EXPECT_THAT(shell("headway submit sweep.toml --out out --dry-run").out, HasSubstr("\n6 tasks of 1 core"));
}

TEST_F(Submit, MistakesAreFoundBeforeAnythingIsSubmitted) {
  const auto error = [&](const std::string& arguments, std::string_view before = "") {
    const Outcome outcome = shell(std::string(before) + "headway submit " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(shell("test -e out || test -e submitted").code, 1) << arguments;
    return outcome.err;
  };
  EXPECT_THAT(error("sweep.toml"), HasSubstr("--out DIR is missing"));
  EXPECT_THAT(error("- --out out --dry-run"), HasSubstr("standard input"));
  EXPECT_THAT(error("sweep.toml --out out", "headway() { PATH=${PATH%%:*} command headway \"$@\"; }\n"),
              HasSubstr("there is no sbatch here"));
  EXPECT_THAT(error("sweep.toml --out out --set switch.schema=1q", kStandIn), HasSubstr("did you mean"));
}

TEST_F(Submit, ARefusalOfSlurmIsAMistakeOfTheUser) {
  const Outcome outcome = shell(
      "mkdir bin; printf '#!/bin/bash\\necho invalid account >&2; exit 1\\n' >bin/sbatch; chmod +x "
      "bin/sbatch\n"
      "PATH=$PWD/bin:$PATH headway submit sweep.toml --out out");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("invalid account"));
  EXPECT_THAT(outcome.err, HasSubstr("sbatch refuses out/submit.sh"));
}

TEST_F(Submit, TheStatusSaysWhatRunsAndWhatFailed) {
  const Outcome outcome = shell(
      "long='headway run sweep.toml --jobs 1 --out out'\n"
      "$long --shard 1/5 >/dev/null\n"
      "(trap '' XFSZ; ulimit -f 1; $long --shard 2/5) >/dev/null 2>&1\n"
      "sed -i 's/\"end\"/\"End\"/' out/shards/2-*  # a damaged note is none\n"
      "(trap '' XFSZ; ulimit -f 1; $long --shard 3/5) >/dev/null 2>&1\n"
      "exec 9<>out/shards/4-of-5-elsewhere-7-0.jsonl\n"
      "headway status out");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("out: 1 of 6 runs finished\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  1/5        done       1 of 1\n"));
  EXPECT_THAT(outcome.out,
              ContainsRegex("\n  2/5        stopped    0 of 1 +process [0-9]+ on .+ was killed\n"));
  EXPECT_THAT(outcome.out,
              ContainsRegex("\n  3/5        failed     0 of 1 +process [0-9]+ on .+: cannot write "));
  EXPECT_THAT(outcome.out, HasSubstr("\n  4/5        not begun  0 of 1\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("merges the results")));
}

TEST_F(Submit, TheStatusOfARunningShardHasItsProcessAndItsEnd) {
  const Outcome outcome = shell(
      "run='headway run sweep.toml --jobs 1 --out out --set seed=1 --set seeds=1000'\n"
      "$run --shard 1/2 >/dev/null 2>&1 & pid=$!\n"
      "until [ \"$(cat out/shards/* 2>/dev/null | wc -l)\" -ge 3 ]; do sleep 0.01; done\n"
      "sleep 1; headway status out; kill $pid; wait $pid; echo $pid; headway status out");
  EXPECT_THAT(outcome.out,
              ContainsRegex("1/2        running    [0-9]+ of 3000 +process [0-9]+ on .+, .+ left, until "));
  EXPECT_THAT(outcome.out, ContainsRegex("1/2        stopped    .+ was interrupted\n"));
  EXPECT_THAT(outcome.out, HasSubstr("2/2        not begun  0 of 3000\n"));
}

TEST_F(Submit, ADirectoryWithoutASweepHasNoStatus) {
  EXPECT_THAT(shell("mkdir out; headway status out").err, HasSubstr("out has no spec.toml"));
}

}  // namespace
}  // namespace headway::test
