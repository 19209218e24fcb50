// SPDX-License-Identifier: Apache-2.0
// headway program from the user's view: it summarises, checks and converts programs, and reports their
// mistakes.
#include <nlohmann/json.hpp>

#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class ProgramCommand : public ShellTest {
 protected:
  void SetUp() override {
    ShellTest::SetUp();
    write("my.goal",
          "num_ranks 2\nrank 0 {\na: calc 100\nb: send 4096b to 1\nb requires a\n}\n"
          "rank 1 {\nrecv 4096b from 0\n}\n");
  }
};

TEST_F(ProgramCommand, InfoCountsOperations) {
  const Outcome outcome = shell("headway program info my.goal");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("program       goal\n"), HasSubstr("ranks         2\n"),
                    HasSubstr("operations    3: 1 send, 1 receive, 1 compute\n"),
                    HasSubstr("longest chain 3 operations\n"), HasSubstr("from 4 KiB             1")));
  EXPECT_EQ(shell("gzip -k my.goal; headway program info my.goal.gz").out, outcome.out);
}

TEST_F(ProgramCommand, ConvertsBetweenFormats) {
  const Outcome outcome = shell(
      "headway program convert my.goal -o my.csv.zst && headway program convert my.csv.zst -o b.goal.gz &&"
      " headway program convert b.goal.gz -o c.csv && zstd -dqc my.csv.zst | cmp - c.csv && cat c.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "rank,kind,peer,bytes,time_ns,tag,cpu,after\n0,compute,,,100,,0,\n0,send,1,4096,,0,0,0\n"
            "1,receive,0,4096,,0,0,\n");
  write("a.cm", "Nodes 2\nConnections 1\n0->1 start 1500 size 8\n");
  EXPECT_THAT(shell("headway program convert a.cm -o a.goal && cat a.goal").out,
              HasSubstr("rank 0 {\n  l0: calc 1500 cpu 1\n"));
  EXPECT_THAT(shell("headway program convert a.cm -o a.goal").err,
              HasSubstr("in units of 1 ps, as its first line says"));
  EXPECT_THAT(shell("headway program info a.goal").out, HasSubstr("compute time  0.0015 us in total"));
  EXPECT_THAT(shell("headway program info a.goal --set calc_unit='1 ns'").err,
              HasSubstr("a.goal:1:4: the unit of calc is 1 ps here, and 1 ns in the job"));
}

// A job takes the same time, whether it runs a program or a file with it.
TEST_F(ProgramCommand, WritesProgramsThatTakeTheSameTime) {
  write("a.cm", "Nodes 2\nConnections 2\n0->1 start 1500 size 8\n1->0 start 1637001 size 8\n");
  const auto run = [&](const std::string& program, const std::string& file) {
    write("job.toml",
          "[network]\ntopology = \"single-switch\"\nnodes = 2\n[[traffic.job]]\nname = \"j\"\nprogram = \"" +
              program + "\"\nfile = \"" + file + "\"\n");
    return shell("headway run job.toml").out;
  };
  const std::string original = run("htsim", "a.cm");
  EXPECT_THAT(original, HasSubstr("ok"));
  shell("headway program convert a.cm -o a.goal && headway program convert a.cm -o b.csv");
  EXPECT_EQ(run("goal", "a.goal"), original);
  EXPECT_EQ(run("csv", "b.csv"), original);
}

TEST_F(ProgramCommand, CountsBytesAndRanksBeyondItsNumbers) {
  EXPECT_THAT(
      shell("headway program info --program all-to-all --set ranks=1500 --set 'size=\"10000 GB\"'").out,
      AllOf(HasSubstr("bytes         22485000000000000000 B\n"), HasSubstr("22485000000000000000\n")));
  const Outcome many =
      shell("headway program info --program halo --set 'shape=[1000000000,1000000000,1000000000]'");
  EXPECT_EQ(many.code, 2);
  EXPECT_THAT(many.err, HasSubstr("more than 16777216 ranks, the most that a job can have"));
}

// Four ranks in the order 0, 2, 1, 3: six steps of a quarter of the data, each over two links of 100 ns.
TEST_F(ProgramCommand, RunsTheRingOfALogOfNcclInTheTimeOfItsSteps) {
  write("ring.log", "h:1:2 [0] NCCL INFO Channel 00/01 :    0   2   1   3\n");
  write("my.toml",
        "[network]\ntopology = \"single-switch\"\nnodes = 4\nlink = { rate = \"25 GB/s\", delay = \"100 ns\" "
        "}\n"
        "[switch]\ninput_memory = \"256 KiB\"\n[[traffic.job]]\nname = \"all-reduce\"\nprogram = \"nccl\"\n"
        "file = \"ring.log\"\nsize = \"1 MiB\"\n");
  const Outcome run = shell("headway run my.toml --json");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto metrics = nlohmann::json::parse(run.out)["points"][0]["metrics"];
  EXPECT_NEAR(metrics["makespan_ns"].get<double>(), 6 * (262144 / 25.0 + 2 * 100), 1);
}

TEST_F(ProgramCommand, GivesAMissingFileItsPlaceInTheSpec) {
  const std::string network = "[network]\ntopology = \"single-switch\"\nnodes = 2\n[[traffic.job]]\n";
  write("job.toml", network + "program = \"goal\"\nfile = \"no.goal\"\n");
  EXPECT_THAT(shell("headway check job.toml").err,
              HasSubstr("job.toml:6:8: traffic.job[0].file: no.goal: cannot be read: No such file"));
  write("part.toml", network +
                         "program = \"sequence\"\n[[traffic.job.programs]]\nprogram = \"goal\"\nfile = "
                         "\"no.goal\"\n");
  EXPECT_THAT(shell("headway check part.toml").err,
              HasSubstr("part.toml:8:8: traffic.job[0].programs[0].file: no.goal: cannot be read"));
  EXPECT_THAT(
      shell("printf '\\x1f\\x8b\\x08' > cut.goal.gz; sed -i 's/no.goal/cut.goal.gz/' job.toml; headway "
            "check job.toml")
          .err,
      ContainsRegex("job.toml:6:8: traffic.job.0..file: .*cut.goal.gz: the compressed file is truncated"));
}

TEST_F(ProgramCommand, SaysWhatIsWrong) {
  EXPECT_EQ(shell("headway program check my.goal").out, "my.goal: fine: 3 operations of 2 ranks\n");
  write("bad.goal", "num_ranks 1\nrank 0 {\nclac 5\n}\n");
  const Outcome bad = shell("headway program check bad.goal");
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("bad.goal:3:1: "), HasSubstr("did you mean \"calc\"?")));
  write("alone.goal", "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\n}\n");
  EXPECT_THAT(
      shell("headway program check alone.goal").err,
      HasSubstr("alone.goal: operation 0 of rank 0 (line 3): this send to rank 1 with tag 0 has no receive"));
  write("cycle.goal",
        "num_ranks 2\nrank 0 {\na: send 9b to 1\nb: recv 9b from 1\nb requires a\n}\n"
        "rank 1 {\na: send 9b to 0\nb: recv 9b from 0\nb requires a\n}\n");
  EXPECT_EQ(shell("headway program check cycle.goal").code, 0);
  EXPECT_THAT(shell("headway program check cycle.goal --set rendezvous='8 B'").err,
              HasSubstr("operations wait for each other in a cycle"));
  EXPECT_THAT(shell("headway program chek my.goal").err, HasSubstr("did you mean 'check'?"));
  EXPECT_THAT(shell("headway program info my.goal --program gaol").err, HasSubstr("did you mean 'goal'?"));
  EXPECT_THAT(shell("echo hello >junk; headway program info junk").err,
              HasSubstr("cannot recognise the format of"));
  EXPECT_THAT(shell("headway program info nowhere").err, HasSubstr("No such file or directory"));
  EXPECT_THAT(shell("headway program convert my.goal").err, HasSubstr("convert needs --out FILE"));
  EXPECT_THAT(shell("headway program convert my.goal -o x.txt").err, HasSubstr("ends in .goal or .csv"));
}

TEST_F(ProgramCommand, WritesBuiltInPrograms) {
  const Outcome outcome = shell(
      "headway program convert --program all-reduce --set ranks=4 --set algorithm=tree --set size='8 B' -o "
      "a.csv && "
      "headway program info a.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("operations    12: 6 sends"), HasSubstr("bytes         48 B\n")));
  EXPECT_THAT(shell("headway program info --program all-reduce").err, HasSubstr("--set ranks=16"));
  EXPECT_THAT(shell("headway program info --program all-reduce --set ranks=4 --set sise=3").err,
              HasSubstr("did you mean \"size\"?"));
  EXPECT_THAT(shell("headway program info --program all-reduse").err,
              HasSubstr("did you mean \"all-reduce\"?"));
  EXPECT_THAT(shell("headway program info --program halo --set ranks=6 --set shape=[2,2]").err,
              HasSubstr("ranks: 6 ranks, but the program has 4"));
  EXPECT_THAT(shell("headway program info").err,
              HasSubstr("give a FILE, or a built-in program with --program"));
}

TEST_F(ProgramCommand, WritesTheJobsOfASpec) {
  write("my.toml",
        "network = { topology = \"single-switch\", nodes = 8 }\n"
        "[[traffic.job]]\nname = \"sync\"\nprogram = \"barrier\"\nnodes = { first = 3 }\nranks_per_node = 2\n"
        "[[traffic.job]]\nprogram = \"incast\"\n");
  const Outcome outcome =
      shell("headway program convert my.toml --job sync -o sync.goal && head -1 sync.goal");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "num_ranks 6\n");
  EXPECT_THAT(shell("headway program info my.toml --job 'job 1' --set traffic.job[1].senders=2").out,
              HasSubstr("ranks         8\n"));
  EXPECT_THAT(shell("headway program info my.toml").err, HasSubstr("choose one with --job: sync, job 1"));
  EXPECT_THAT(shell("headway program info my.toml --job snyc").err, HasSubstr("did you mean 'sync'?"));
  EXPECT_THAT(shell("headway program info my.toml --program barrier").err, HasSubstr("omit --program"));
  EXPECT_THAT(shell("headway program info my.goal --job sync").err, HasSubstr("--job is for specs"));
}

}  // namespace
}  // namespace headway::test
