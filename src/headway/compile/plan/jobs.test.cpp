// SPDX-License-Identifier: Apache-2.0
#include "headway/compile/plan/jobs.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>

#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"

namespace headway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kTree = "network = { topology = \"k-ary-n-tree\", k = 2, n = 2 }\n";  // 4 nodes

EventSpec spec_of(const std::string& jobs) {
  return std::get<EventSpec>(
      load_experiment(parse_toml(std::string(kTree) + jobs, "x"), {}).points.front().spec());
}
std::string refusal(const std::string& jobs) {
  try {
    spec_of(jobs);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}
std::vector<NodeId> nodes_of(const std::string& keys) {
  return build(spec_of("[[traffic.job]]\nprogram = \"barrier\"\n" + keys)).workload.jobs.front().nodes;
}

TEST(Placement, PutsRanksOnNodesInItsOrder) {
  EXPECT_THAT(nodes_of(""), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(nodes_of("nodes = { nodes = [3, 1] }"), ElementsAre(3, 1)) << "a list is in the user's order";
  EXPECT_THAT(nodes_of("nodes = { nodes = [3, 1] }\nplacement = \"blocked\""), ElementsAre(1, 3));
  EXPECT_THAT(nodes_of("placement = \"round-robin\""), ElementsAre(0, 2, 1, 3)) << "0 and 1 share a leaf";
  EXPECT_THAT(nodes_of("ranks_per_node = 2\nnodes = { first = 2 }"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(nodes_of("ranks = 3\nranks_per_node = 2"), ElementsAre(0, 0, 1));
  EXPECT_THAT(nodes_of("placement = \"random\""), testing::UnorderedElementsAre(0, 1, 2, 3));
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Placement, CanBeAFileOfNodes) {
  const std::string path = written("alloc.txt", "# by the scheduler\n3\n0-1\n\n3 # again\n");
  EXPECT_THAT(nodes_of("placement_file = \"" + path + "\""), ElementsAre(3, 0, 1, 3));
  EXPECT_THAT(nodes_of("ranks = 3\nplacement_file = \"" + path + "\""), ElementsAre(3, 0, 1));
  const EventSpec spec =
      spec_of("[[traffic.job]]\nprogram = \"barrier\"\nplacement_file = \"" + path +
              "\"\n[[traffic.job]]\nprogram = \"barrier\"\nnodes = { rest = true }\nranks_per_node = 2\n");
  EXPECT_THAT(build(spec).workload.jobs[1].nodes, ElementsAre(2, 2));

  const std::string barrier = "[[traffic.job]]\nprogram = \"barrier\"\n";
  const std::string wrong = written("wrong.txt", "1\n4\n1 2\n");
  const std::string text = refusal(barrier + "placement_file = \"" + wrong + "\"\n");
  EXPECT_THAT(text,
              HasSubstr("wrong.txt:2:1: traffic.job[0].placement_file: there is no node \"4\"; 0 to 3"));
  EXPECT_THAT(text, HasSubstr("wrong.txt:3:1: traffic.job[0].placement_file: 2 words; a line has one node"));
  EXPECT_THAT(refusal(barrier + "placement_file = \"" + written("empty.txt", "#\n") + "\"\n"),
              HasSubstr("names no nodes"));
  EXPECT_THAT(refusal(barrier + "placement = \"random\"\nplacement_file = \"" + path + "\"\n"),
              HasSubstr("placement_file: gives the nodes of the ranks; omit nodes and placement"));
}

TEST(Placement, NamesNodesOfANetworkThatHasNames) {
  const std::string network = written("named.toml",
                                      "[[switch]]\nname = \"s\"\n[[node]]\nname = \"ada\"\nat = \"s\"\n"
                                      "[[node]]\nname = \"bob\"\nat = \"s\"\n");
  const auto text_with = [&](const std::string& nodes) {
    return "network = { topology = \"file\", file = \"" + network +
           "\" }\nrouting.algorithm = \"up-down\"\n"
           "[[traffic.job]]\nprogram = \"barrier\"\nplacement_file = \"" +
           written("names.txt", nodes) + "\"\n";
  };
  const auto load = [&](const std::string& nodes) {
    return load_experiment(parse_toml(text_with(nodes), "x"), {}).points.front().spec();
  };
  EXPECT_THAT(build(std::get<EventSpec>(load("bob\nada\n"))).workload.jobs.front().nodes, ElementsAre(1, 0));
  try {
    load("ada\nbab\n");
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("names.txt:2:1: traffic.job[0].placement_file: there is no node \"bab\"; did "
                          "you mean \"bob\"?"));
  }
}

TEST(Jobs, CanRunASequenceOfPrograms) {
  const std::string job = "[[traffic.job]]\nprogram = \"sequence\"\nprograms = [{ program = \"barrier\" }, ";
  const EventSpec spec = spec_of(job + "{ program = \"ping-pong\", rounds = 2 }]\nrepeat = 3\n");
  EXPECT_EQ(build(spec).workload.jobs.front().program->operations(0), 3 * (4 + 4));
  EXPECT_THAT(refusal(job + "{ program = \"ping-pang\" }]\n"),
              HasSubstr("traffic.job[0].programs[1].program: \"ping-pang\" is not a valid value; did you "
                        "mean \"ping-pong\"?"));
  EXPECT_THAT(refusal(job + "{ program = \"ping-pong\", round = 2 }]\n"),
              HasSubstr("traffic.job[0].programs[1].round: unknown key; did you mean \"rounds\"?"));
  EXPECT_THAT(refusal(job + "{ program = \"ping-pong\" }]\nranks = 3\n"),
              HasSubstr("traffic.job[0].programs[1].ranks: 3 ranks; an even number"));
  EXPECT_THAT(refusal("[[traffic.job]]\nprogram = \"ping-pong\"\nnodes = { first = 3 }\n"),
              HasSubstr("traffic.job[0].program: 3 ranks by default; set ranks: an even number"));
  EXPECT_THAT(refusal("[[traffic.job]]\nprogram = \"sequence\"\n"),
              HasSubstr("traffic.job[0].programs: is missing"));
  EXPECT_THAT(
      refusal("[[traffic.job]]\nprogram = \"barrier\"\nprograms = [{ program = \"barrier\" }]\n"),
      HasSubstr(
          "traffic.job[0].programs: the program \"barrier\" has no parts; program = \"sequence\" has some"));
}

// The numbers of a file are those of its own operations.
TEST(Jobs, CanRunTheSameFileTwice) {
  const std::string path =
      written("twice.csv", "rank,kind,peer,bytes,time_ns,after\n0,compute,,,10,\n0,compute,,,5,0\n");
  const std::string part = "{ program = \"csv\", file = \"" + path + "\" }";
  const Result result =
      run(spec_of("[[traffic.job]]\nname = \"twice\"\nprogram = \"sequence\"\nprograms = [" + part + ", " +
                  part + "]\n"));
  EXPECT_EQ(result.metric("twice.operations"), 4);
  EXPECT_EQ(result.metric("twice.completion_ns"), 2 * 15);
}

TEST(Jobs, RestIsWhatNoEarlierFlowOrJobUses) {
  const EventSpec spec = spec_of(
      "[[traffic.flow]]\nsources = { first = 1 }\n[[traffic.job]]\nprogram = \"barrier\"\nnodes = { nodes = "
      "[0, 3] }\n"
      "[[traffic.job]]\nprogram = \"barrier\"\nnodes = { rest = true }\n[measure]\nuntil = \"time\"\n");
  EXPECT_THAT(build(spec).workload.jobs[1].nodes, ElementsAre(1, 2));
}

TEST(Jobs, SayWhatIsWrong) {
  const std::string barrier = "[[traffic.job]]\nprogram = \"barrier\"\n";
  EXPECT_THAT(refusal(barrier + "ranks = 9\n"),
              HasSubstr("traffic.job[0].ranks: 9 ranks do not fit on 4 nodes with 1 ranks each"));
  EXPECT_THAT(refusal("[[traffic.job]]\nprogram = \"halo\"\nshape = [2, 2]\nranks = 3\n"),
              HasSubstr("traffic.job[0].ranks: 3 ranks, but the program has 4; omit it"));
  EXPECT_THAT(refusal(barrier + "nodes = { first = 1 }\n"),
              HasSubstr("traffic.job[0].program: has no operations"));
  EXPECT_THAT(refusal(barrier + "[node]\nadmittance_limit = \"1 KiB\"\n"),
              HasSubstr("cannot be used with jobs"));
  EXPECT_THAT(refusal(barrier + "[measure]\nuntil = \"done\"\nwarmup = \"1 us\"\n"),
              HasSubstr("has no warm-up"));
  EXPECT_THAT(refusal("[[traffic.flow]]\n[measure]\nuntil = \"done\"\n"),
              HasSubstr("no job that could be done"));
  EXPECT_THAT(refusal("[[traffic.job]]\nprogram = \"ping-pong\"\nnodes = { first = 1 }\nranks_per_node = 2\n"
                      "background = true\n"),
              HasSubstr("traffic.job[0].background: an iteration of rank 0 can take no time"));
  EXPECT_THAT(
      refusal("[[traffic.job]]\nname = \"a\"\nprogram = \"barrier\"\n[[traffic.flow]]\nname = \"a\"\n"),
      HasSubstr("flows, traces and jobs have different names"));
  EXPECT_THAT(refusal("[[traffic.job]]\nprogram = \"ping-pong\"\nnodes = { first = 1 }\nranks_per_node = 2\n"
                      "background = true\noverhead = \"0.5 ns\"\n"),
              HasSubstr("can take no time"))
      << "a tick is 1 ns, so half of it is rounded down to nothing";
  EXPECT_THAT(refusal(barrier + "control = \"1000 GB\"\n"),
              HasSubstr("traffic.job[0].control: 1000 GB is more than 1000000000 packets"));
}

TEST(Jobs, ThatAreNotAllInTheBackgroundEndTheRun) {
  const std::string barrier = "[[traffic.job]]\nprogram = \"barrier\"\n";
  EXPECT_EQ(spec_of(barrier).measure.until, Until::done);
  EXPECT_EQ(spec_of(barrier + "[measure]\nduration = \"1 us\"\n").measure.until, Until::time);
  EXPECT_EQ(spec_of(barrier + "background = true\n").measure.until, Until::time);
  EXPECT_EQ(spec_of("[[traffic.flow]]\n").measure.until, Until::time);
}

TEST(Jobs, UnfinishedOnesAreNamedWithWhatTheyWaitFor) {
  const Result result =
      run(spec_of("[[traffic.job]]\nname = \"slow\"\nprogram = \"ping-pong\"\nranks = 2\nsize = \"10 KiB\"\n"
                  "[measure]\nlimit = \"1 us\"\n"));
  EXPECT_EQ(result.status, Status::unfinished);
  EXPECT_THAT(result.detail,
              HasSubstr("slow has completed 0 of 4 operations: operation 0 of rank 0 (send 10240 "
                        "B to rank 1) waits for its message to leave the node, operation"));
  EXPECT_THAT(result.detail, HasSubstr("(receive 10240 B from rank 0) waits for its message"));
}

// Whatever the photographs, bins and pieces of progress are.
TEST(Jobs, TakeTheSameTimeHoweverTheyAreObserved) {
  const std::string job =
      "[[traffic.job]]\nprogram = \"all-reduce\"\nsize = \"4 KiB\"\n[[traffic.flow]]\nload = 0.3\n";
  const Result plain = run(spec_of(job));
  const Result observed = run(spec_of(job + "[measure]\nbin = \"100 ns\"\nlimit = \"1 ms\"\n[observe]\n"
                                            "waiting = true\ninterval = \"70 ns\"\n"));
  EXPECT_EQ(plain.trace_hash, observed.trace_hash);
  EXPECT_EQ(plain.metric("makespan_ns"), observed.metric("makespan_ns"));
  EXPECT_GT(plain.metric("makespan_ns"), 0);
}

}  // namespace
}  // namespace headway
