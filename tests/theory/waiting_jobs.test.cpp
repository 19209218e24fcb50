// SPDX-License-Identifier: Apache-2.0
// Jobs that arrive and wait for nodes: who gets which nodes when, to the tick, and the mean wait of a queue
// with one server (docs/programs.md).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "headway/base/error.h"
#include "headway/compile/build.h"
#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/why/why.h"
#include "tests/support/columns.h"

namespace headway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Jobs on 8 nodes at one switch. A byte takes 1 ns; a message over two links takes 8 ns more.
std::string jobs_on_eight(const std::string& jobs) {
  return "network = { topology = \"single-switch\", nodes = 8, link = { rate = \"1 GB/s\", delay = \"4 ns\" "
         "} }\n"
         "measure = { until = \"done\", limit = \"10 ms\", alone = true }\n"
         "traffic.packet = \"1000 B\"\n" +
         jobs;
}
Spec spec_of_jobs(const std::string& jobs) {
  return load_experiment(parse_toml(jobs_on_eight(jobs), "test"), {}).points.front().spec();
}
Result result_of_jobs(const std::string& jobs) { return run(spec_of_jobs(jobs)); }

std::string why_of_jobs(const std::string& jobs) {
  const Experiment experiment = load_for_why(parse_toml(jobs_on_eight(jobs), "test"));
  PointResult point;
  point.result = run(experiment.points.front().spec());
  return why(point, /*columns=*/1000);
}

// A job whose first rank sends 1992 B to each other rank in turn, by a binomial tree: 2000 ns for two ranks.
std::string job_of(int ranks, const std::string& keys) {
  return fmt::format(
      "[[traffic.job]]\nprogram = \"broadcast\"\nsize = \"1992 B\"\nranks = {}\nexclusive = true\n{}\n",
      ranks, keys);
}

std::vector<double> column_of_jobs(const Result& result, const std::string& name) {
  return test::column(result.table("per_job"), name);
}

TEST(WaitingJobs, BeginInTheTickAfterTheNodesAreFree) {
  const Result result = result_of_jobs(job_of(
      2, "nodes = { nodes = [0, 1] }\ncopies = 4\ninterarrival = \"500 ns\"\narrivals = \"periodic\""));
  EXPECT_EQ(result.status, Status::ok) << result.detail;
  EXPECT_THAT(column_of_jobs(result, "submitted_ns"), ElementsAre(0, 500, 1000, 1500));
  EXPECT_THAT(column_of_jobs(result, "start_ns"), ElementsAre(0, 2001, 4002, 6003));
  EXPECT_THAT(column_of_jobs(result, "node_wait_ns"), ElementsAre(0, 1501, 3002, 4503));
  EXPECT_THAT(column_of_jobs(result, "completion_ns"), ElementsAre(2000, 2000, 2000, 2000));
  EXPECT_THAT(column_of_jobs(result, "alone_ns"), ElementsAre(2000, 2000, 2000, 2000));
  EXPECT_THAT(column_of_jobs(result, "slowdown"), ElementsAre(1, 3501 / 2000., 5002 / 2000., 6503 / 2000.));
  EXPECT_EQ(result.metric("node_wait_mean_ns"), (1501 + 3002 + 4503) / 4.);
  EXPECT_EQ(result.metric("job_slowdown_mean"), (2000 + 3501 + 5002 + 6503) / 8000.);
  EXPECT_EQ(result.metric("makespan_ns"), 8003);
  EXPECT_NEAR(result.metric("nodes_taken"), 2 / 8. * 8000 / 8003, 1e-4);
}

// The first job leaves two nodes, the second one needs eight, and the third one two.
TEST(WaitingJobs, OvertakeOnlyWithFirstFit) {
  const std::string jobs = job_of(6, "") + job_of(8, "start = \"100 ns\"") + job_of(2, "start = \"200 ns\"");
  const Result fifo = result_of_jobs(jobs);
  const std::vector<double> starts = column_of_jobs(fifo, "start_ns"),
                            ends = column_of_jobs(fifo, "finish_ns");
  EXPECT_EQ(starts[1], ends[0] + 1);
  EXPECT_EQ(starts[2], ends[1] + 1);
  const Result first_fit = result_of_jobs("traffic.allocation = \"first-fit\"\n" + jobs);
  EXPECT_THAT(column_of_jobs(first_fit, "start_ns"), ElementsAre(0, ends[0] + 1, 200));
}

TEST(WaitingJobs, DoNotWaitForJobsWithOtherNodes) {
  const std::string low = "nodes = { first = 4 }\n", high = "nodes = { nodes = [4, 5, 6, 7] }\n";
  EXPECT_THAT(column_of_jobs(result_of_jobs(job_of(4, low) + job_of(4, low + "start = \"1 ns\"") +
                                            job_of(4, high + "start = \"2 ns\"")),
                             "node_wait_ns"),
              ElementsAre(0, testing::Gt(1000), 0));
}

TEST(WaitingJobs, TakeTheFirstFreeNodesOfTheirPlacement) {
  const std::string listed = "nodes = { nodes = [5, 2, 7, 0, 1, 3] }\n";
  const Result result = result_of_jobs(job_of(2, listed) + job_of(2, listed) + job_of(2, "") + job_of(2, ""));
  EXPECT_THAT(test::column(result.table("per_rank"), "at_node"), ElementsAre(5, 2, 7, 0, 1, 3, 4, 6));
  EXPECT_THAT(column_of_jobs(result, "node_wait_ns"), ElementsAre(0, 0, 0, 0));
}

TEST(WaitingJobs, LeaveTheNodesOfOtherJobsAlone) {
  const Result result = result_of_jobs(
      "[[traffic.job]]\nprogram = \"broadcast\"\nsize = \"1992 B\"\nranks = 8\n" + job_of(8, ""));
  EXPECT_THAT(column_of_jobs(result, "start_ns"), ElementsAre(0, 0));
}

TEST(WaitingJobs, AreCountedAsUnfinishedWithoutNodes) {
  const Result result = result_of_jobs(job_of(8, "background = true") + job_of(2, "name = \"late\""));
  EXPECT_EQ(result.status, Status::unfinished);
  EXPECT_THAT(result.detail, HasSubstr("late waits for 2 free nodes"));
  EXPECT_TRUE(std::isnan(column_of_jobs(result, "node_wait_ns")[1]));
  EXPECT_TRUE(std::isnan(column_of_jobs(result, "start_ns")[1]));
}

// Jobs of 2001 ns, with the tick in which the next one begins, that come at half of the rate at which they
// end: a queue with Poisson arrivals, constant service times and one server.
TEST(WaitingJobs, WaitAsLongAsAQueueWithOneServer) {
  constexpr double kService = 2001, kLoad = 0.5;
  double sum = 0, squares = 0;
  constexpr int kSeeds = 10;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Spec spec =
        spec_of_jobs(job_of(2, fmt::format("nodes = {{ first = 2 }}\ncopies = 1000\ninterarrival = \"{} ns\"",
                                           kService / kLoad)));
    auto& of_run = std::get<EventSpec>(spec);
    of_run.seed = static_cast<std::uint64_t>(seed);
    of_run.measure.alone = false;
    const double wait = run(spec).metric("node_wait_mean_ns");
    sum += wait;
    squares += wait * wait;
  }
  const double mean = sum / kSeeds;
  const double error = std::sqrt((squares / kSeeds - mean * mean) / (kSeeds - 1));
  EXPECT_NEAR(mean, kLoad / (2 * (1 - kLoad)) * kService, 3 * error) << "Pollaczek and Khinchine";
  EXPECT_LT(error, 0.05 * mean);
}

// Of many jobs, some get their nodes in ticks in which others act, and their ranks begin later than they do.
TEST(WaitingJobs, RanksBeginWhenTheyAreStaggered) {
  const std::string jobs = job_of(4, "copies = 60\ninterarrival = \"100 ns\"");
  const Result plain = result_of_jobs(jobs);
  auto spec = std::get<EventSpec>(spec_of_jobs(jobs));
  spec.what_if.stagger = 1;
  const Result staggered = run(spec);
  EXPECT_EQ(staggered.status, Status::ok);
  EXPECT_NEAR(staggered.metric("turnaround_mean_ns"), plain.metric("turnaround_mean_ns"),
              0.02 * plain.metric("turnaround_mean_ns"));
}

TEST(WaitingJobs, CopiesHaveNamesOfTheirOwn) {
  const Result result = result_of_jobs(job_of(2, "name = \"train\"\ncopies = 2") + job_of(2, "copies = 2") +
                                       job_of(2, "name = \"one\""));
  EXPECT_THAT(test::words(result.table("per_job"), "job"),
              ElementsAre("train-0", "train-1", "job 1-0", "job 1-1", "one"));
}

TEST(WaitingJobs, InTheBackgroundHaveNoTurnaround) {
  const Result result = result_of_jobs(job_of(2, "background = true") + job_of(2, ""));
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.metric("turnaround_mean_ns"), 2000);
}

TEST(WaitingJobs, AreToldByWhy) {
  const std::string text =
      why_of_jobs(job_of(8, "name = \"all\"") + job_of(2, "name = \"pair\"\ncopies = 2\nstart = \"1 us\""));
  EXPECT_THAT(text, HasSubstr("2 of 3 jobs waited for nodes"));
  EXPECT_THAT(text, HasSubstr("Job pair-0 waited"));
  EXPECT_THAT(text, HasSubstr("for nodes and took 2000 ns, together"));
}

std::string mistakes_of_jobs(const std::string& jobs) {
  try {
    build(std::get<EventSpec>(spec_of_jobs(jobs)));
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

TEST(WaitingJobs, SayWhatIsWrongOnce) {
  const std::string text =
      mistakes_of_jobs(job_of(2, "name = \"train\"\ncopies = 3\nnodes = { nodes = [1] }"));
  EXPECT_THAT(text, HasSubstr("2 ranks do not fit on 1 nodes"));
  EXPECT_EQ(text.find("do not fit"), text.rfind("do not fit")) << text;
  EXPECT_THAT(mistakes_of_jobs(job_of(2, "name = \"train\"\ncopies = 3") + job_of(2, "name = \"train-1\"")),
              HasSubstr("\"train-1\" is also the name of traffic.job[0]"));
  EXPECT_THAT(
      mistakes_of_jobs(job_of(2, "copies = 0\narrivals = \"poison\"")),
      AllOf(HasSubstr("traffic.job[0].copies: 0 is out of range"), HasSubstr("did you mean \"poisson\"")));
}

}  // namespace
}  // namespace headway
