// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>

#include "headway/compile/load.h"
#include "headway/config/toml.h"
#include "headway/run/run.h"
#include "headway/why/why.h"

namespace headway {
namespace {

using testing::HasSubstr;
using testing::Not;

// 1 ns per byte, links of 10 ns, and one switch.
PointResult path_of(const std::string& traffic, const std::string& more = "",
                    const std::string& network =
                        "network = { topology = \"single-switch\", nodes = 8, link = { rate = "
                        "\"1 GB/s\", delay = \"10 ns\" } }\n") {
  const std::string text =
      network + more + traffic + "[measure]\ntables = [\"critical-path\"]\nalone = true\n";
  const Experiment experiment = load_experiment(parse_toml(text, "x"), {});
  const Point& point = experiment.points.front();
  return make_point_result(point, {run(point.spec())});
}

double sum_of(const Table& table, std::string_view column) {
  double sum = 0;
  for (std::size_t row = 0; row < rows_of(table); ++row) sum += number_at(table, column, row);
  return sum;
}

// Two senders of 1 KiB share the link to node 2: the later one ends at 2 * 1024 + 20 ns, of which it waits
// for what the other one sends. Both are injected at once, so the waiting is in the switch.
TEST(CriticalPaths, OfAnIncastWaitForTheLinkToItsReceiver) {
  const PointResult point = path_of(
      "[[traffic.job]]\nname = \"writes\"\nprogram = \"incast\"\nsenders = 2\nreceivers = 1\nsize = \"1 "
      "KiB\"\n"
      "ranks = 3\n",
      "traffic.packet = \"1 KiB\"\n");
  const Result& result = point.result;
  EXPECT_EQ(result.metric("writes.completion_ns"), 2 * 1024 + 20);
  EXPECT_EQ(result.metric("writes.path_transfer_ns"), 1024 + 20);
  EXPECT_EQ(result.metric("writes.path_wait_ns"), 1024);
  EXPECT_EQ(result.metric("writes.path_victim_ns"), 0);
  const Table& waits = result.table("critical_waits");
  ASSERT_EQ(rows_of(waits), 1);
  EXPECT_EQ(word_at(waits, "waiting", 0), "output");
  EXPECT_EQ(word_at(waits, "behind", 0), "writes");
  EXPECT_EQ(number_at(waits, "behind_destination", 0), 2);
  EXPECT_EQ(number_at(waits, "to_node", 0), 2);
  EXPECT_EQ(number_at(waits, "at_switch", 0), 0);
}

// A message of many packets waits for itself at its node: this is its transfer.
TEST(CriticalPaths, OfOneMessageOnlyTransfer) {
  const PointResult point = path_of(
      "[[traffic.job]]\nname = \"copy\"\nprogram = \"incast\"\nsenders = 1\nreceivers = 1\nsize = \"64 "
      "KiB\"\n"
      "ranks = 2\noverhead = \"5 ns\"\n");
  const Result& result = point.result;
  EXPECT_EQ(result.metric("copy.path_wait_ns"), 0);
  EXPECT_EQ(result.metric("copy.path_overhead_ns"), 10);
  EXPECT_EQ(result.metric("copy.path_transfer_ns"), 65536 + 20);
  EXPECT_EQ(rows_of(result.table("critical_waits")), 0);
}

TEST(CriticalPaths, AddUpToTheCompletionTime) {
  const std::string tree = "network = { topology = \"k-ary-n-tree\", k = 4, n = 2 }\n";
  const std::string jobs = R"(
[[traffic.job]]
name = "step"
program = "training-step"
nodes = { first = 8 }
placement = "random"
iterations = 3
gradient_bytes = [16384]

[[traffic.job]]
name = "sync"
program = "barrier"
iterations = 20
overhead = "10 ns"

[[traffic.flow]]
load = 0.3

)";
  for (const std::string scheme : {"1q", "voqsw", "fbicm"}) {
    const PointResult point = path_of(jobs, "switch.scheme = \"" + scheme + "\"\n", tree);
    const Result& result = point.result;
    for (const std::string job : {"step.", "sync."}) {
      const double parts = result.metric(job + "path_compute_ns") + result.metric(job + "path_overhead_ns") +
                           result.metric(job + "path_transfer_ns") + result.metric(job + "path_wait_ns");
      EXPECT_NEAR(parts, result.metric(job + "completion_ns"), 1e-6) << scheme << " " << job;
      EXPECT_GT(result.metric(job + "path_transfer_ns"), 0);
    }
    EXPECT_NEAR(sum_of(result.table("critical_path"), "length_ns"),
                result.metric("step.completion_ns") + result.metric("sync.completion_ns"), 1e-6);
    EXPECT_NEAR(sum_of(result.table("critical_waits"), "wait_ns"),
                result.metric("step.path_wait_ns") + result.metric("sync.path_wait_ns"), 1e-6);
    EXPECT_GT(result.metric("step.path_wait_ns"), 0);
    EXPECT_GE(result.metric("step.path_compute_ns"), 9000);
  }
}

// Causes that nothing can follow any more are forgotten many times.
TEST(CriticalPaths, OfManyIterationsAreComplete) {
  const PointResult point = path_of(
      "[[traffic.job]]\nname = \"sync\"\nprogram = \"barrier\"\niterations = 3000\nrendezvous = \"0 B\"\n");
  const Result& result = point.result;
  const Table& steps = result.table("critical_path");
  EXPECT_NEAR(sum_of(steps, "length_ns"), result.metric("sync.completion_ns"), 1e-6);
  EXPECT_EQ(number_at(steps, "start_ns", 0), 0);
  for (std::size_t row = 1; row < rows_of(steps); ++row)
    ASSERT_NEAR(number_at(steps, "start_ns", row),
                number_at(steps, "start_ns", row - 1) + number_at(steps, "length_ns", row - 1), 1e-6);
  EXPECT_EQ(number_at(steps, "iteration", rows_of(steps) - 1), 2999);
  EXPECT_GE(rows_of(steps), 3 * 3 * 3000);  // a request, a clearance and a message for each of three steps
}

// The window lasts as long as the spec says, also if the jobs are done before.
TEST(CriticalPaths, AreThoseOfJobsThatEndWithinAWindow) {
  const std::string text =
      "network = { topology = \"k-ary-n-tree\", k = 4, n = 2 }\n[[traffic.job]]\nname = \"sync\"\nprogram = "
      "\"barrier\"\n[[traffic.flow]]\nload = 0.3\n[measure]\nwarmup = \"0 us\"\nduration = \"50 us\"\ntables "
      "= "
      "[\"critical-path\"]\n";
  const Experiment experiment = load_experiment(parse_toml(text, "x"), {});
  const Result result = run(experiment.points.front().spec());
  EXPECT_NEAR(result.metric("accepted_load"), 0.3, 0.02);
  EXPECT_LT(result.metric("sync.completion_ns"), 5000);
  EXPECT_NEAR(sum_of(result.table("critical_path"), "length_ns"), result.metric("sync.completion_ns"), 1e-6);
}

// An all-reduce at random in a tree, beside writes to storage.
constexpr std::string_view kBesideStorage = R"(
traffic.packet = "1 KiB"
switch.input_memory = "64 KiB"
network = { topology = "k-ary-n-tree", k = 4, n = 3 }

[[traffic.job]]
name = "training"
program = "all-reduce"
size = "64 KiB"
nodes = { random = 0.5 }

[[traffic.job]]
name = "storage"
program = "incast"
senders = 24
receivers = 2
size = "64 KiB"
nodes = { rest = true }
placement = "random"
background = true
)";

// Each step says where its packet waited longest; critical_waits has the sums over all steps by place and
// root.
TEST(CriticalPaths, SayWherePacketsWaitLongest) {
  const Experiment experiment = load_experiment(
      parse_toml(kBesideStorage, "x"),
      {{"measure.tables", Document(Document::Array{Document(std::string("critical-path"))})}});
  const Result result = run(experiment.points.front().spec());
  const Table &steps = result.table("critical_path"), &waits = result.table("critical_waits");
  const auto place = [](const Table& table, std::size_t row, const char* kind, const char* port) {
    return fmt::format("{} {} {} {} {}", number_at(table, "at_switch", row), number_at(table, "at_node", row),
                       number_at(table, "at_port", row), word_at(table, kind, row),
                       number_at(table, port, row));
  };
  std::map<std::string, double> sums, longest;
  for (std::size_t row = 0; row < rows_of(waits); ++row)
    sums[place(waits, row, "kind", "port")] += number_at(waits, "wait_ns", row);
  std::size_t with_several = 0;
  for (std::size_t row = 0; row < rows_of(steps); ++row) {
    const double all = number_at(steps, "wait_ns", row), one = number_at(steps, "longest_wait_ns", row);
    EXPECT_EQ(one > 0, all > 0) << row;
    EXPECT_LE(one, all) << row;
    EXPECT_EQ(word_at(steps, "root_kind", row).empty(), all == 0) << row;
    if (one > 0) longest[place(steps, row, "root_kind", "root_port")] += one;
    if (one < all) ++with_several;
  }
  EXPECT_GT(with_several, 0U);
  EXPECT_GE(longest.size(), 2U);
  for (const auto& [where, ns] : longest) EXPECT_LE(ns, sums[where] + 1e-6) << where;
}

TEST(CriticalPaths, AreToldInTheSameWordsFromStoredResults) {
  for (const std::int64_t seeds : {1, 2}) {
    const Experiment experiment = load_for_why(parse_toml(kBesideStorage, "x"), {{"seeds", Document(seeds)}});
    const Point& point = experiment.points.front();
    std::vector<Result> runs;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(seeds); ++seed) {
      Spec spec = point.spec();
      std::get<EventSpec>(spec).seed = seed;
      runs.push_back(run(spec));
    }
    const PointResult result = make_point_result(point, std::move(runs));
    const PointResult* const points[] = {&result};
    std::string stored;
    results_json("{}", points, [&](std::string_view part) { stored += part; });
    EXPECT_EQ(why(read_results(stored).front()), why(result)) << seeds;
    EXPECT_EQ(why_at_length(read_results(stored).front()), why_at_length(result)) << seeds;
  }
}

TEST(CriticalPaths, AreToldInSentences) {
  const Experiment experiment = load_for_why(parse_toml(kBesideStorage, "x"));
  const Point& point = experiment.points.front();
  const PointResult result = make_point_result(point, {run(point.spec())});
  const std::string page = why(result);
  EXPECT_EQ(page.rfind("Job training took ", 0), 0) << page;
  EXPECT_THAT(page, HasSubstr(" times as long as alone. [run]"));
  EXPECT_THAT(page, HasSubstr("Its critical path is "));
  EXPECT_THAT(page, HasSubstr(" behind packets of storage"));
  EXPECT_THAT(page, HasSubstr("of the waiting is as a victim"));
  EXPECT_THAT(page, Not(HasSubstr("Job storage")));  // it is in the background

  // a job that an override sends to the background has no path
  const Experiment changed =
      load_for_why(parse_toml(kBesideStorage, "x"), {{"traffic.training.background", Document(true)},
                                                     {"measure.warmup", Document(std::string("0 ns"))},
                                                     {"measure.duration", Document(std::string("20 us"))}});
  EXPECT_FALSE(std::get<EventSpec>(changed.points.front().spec()).measure.alone);

  const Experiment plain = load_experiment(
      parse_toml(kBesideStorage, "x"),
      {{"measure.tables", Document(Document::Array{Document(std::string("critical-path"))})}});
  const Point& same = plain.points.front();
  const std::string shorter = why(make_point_result(same, {run(same.spec())}));
  EXPECT_EQ(shorter.rfind("Job training took ", 0), 0) << shorter;
  EXPECT_THAT(shorter, Not(HasSubstr("as long as alone")));  // not asked for
  EXPECT_THAT(shorter, HasSubstr("These results have no photographs"));
}

}  // namespace
}  // namespace headway
