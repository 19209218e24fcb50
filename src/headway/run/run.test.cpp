// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "headway/compile/load.h"
#include "headway/config/toml.h"

namespace headway {
namespace {

// A run until its jobs are done looks for a stall whenever no packet has moved for a part of its limit. These
// parts do not depend on the bins, which can be short.
TEST(Run, HasShortBinsUntilItsJobsAreDone) {
  constexpr std::string_view kJobs = R"(
traffic.packet = "1 KiB"
switch.input_memory = "64 KiB"
network = { topology = "k-ary-n-tree", k = 4, n = 3 }
[[traffic.job]]
program = "all-reduce"
size = "64 KiB"
nodes = { random = 0.5 }
[[traffic.job]]
program = "incast"
senders = 24
receivers = 2
size = "64 KiB"
nodes = { rest = true }
background = true
[measure]
)";
  const Experiment experiment = load_experiment(parse_toml(std::string(kJobs) + "bin = \"1 us\"\n", "x"), {});
  EXPECT_EQ(run(experiment.points.front().spec()).status, Status::ok);
}

Result jobs_of_spec(const std::string& spec) {
  return run(load_experiment(parse_toml(spec, "x"), {}).points.front().spec());
}

bool same_numbers(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same_tables(const Table& a, const Table& b) {
  return std::ranges::equal(a, b, [](const Column& one, const Column& other) {
    return one.name == other.name && one.words == other.words &&
           std::ranges::equal(one.values, other.values,
                              [](double x, double y) { return same_numbers(x, y); });
  });
}

// Bins that became wider during the run have what bins of this width have from the start.
TEST(Run, HasAHundredBinsUntilItsJobsAreDoneIfItTakesPhotographs) {
  constexpr std::pair<const char*, const char*> kSizes[] = {
      {"64 B", "5 us"}, {"16 KiB", "500 us"}, {"256 KiB", "5 ms"}};
  for (const auto& [size, limit] : kSizes)
    for (const std::string scheme : {"\"1q\"", "\"fbicm\", marking = \"isolation\"", "\"dbbm-unshared\""}) {
      const std::string isolated = scheme.find("fbicm") == std::string::npos ? "" : ", \"port-series\"";
      const auto spec = [&, size = size, limit = limit](const std::string& bin) {
        return fmt::format(R"(
traffic.packet = "1 KiB"
switch = {{ scheme = {}, input_memory = "64 KiB" }}
network = {{ topology = "k-ary-n-tree", k = 2, n = 3 }}
observe = {{ waiting = true, interval = "200 ns" }}
{}
[[traffic.job]]
name = "one"
program = "all-to-all"
size = "{}"
nodes = {{ nodes = [0, 1, 2, 3, 4] }}
[[traffic.job]]
name = "other"
program = "incast"
senders = 2
receivers = 1
size = "{}"
nodes = {{ rest = true }}
[measure]
limit = "{}"
{}
tables = ["pair-series", "destination-series"{}]
)",
                           scheme, isolated.empty() ? "" : "node.reaction = \"infiniband\"", size, size,
                           limit, bin, isolated);
      };
      const Result found = jobs_of_spec(spec(""));
      const std::vector<double>& ends = find_column(found.table("series"), "time_ns")->values;
      EXPECT_GE(ends.size(), 100U) << scheme << size;
      EXPECT_LT(ends.size(), 200U) << scheme << size;
      const Result expected = jobs_of_spec(spec(fmt::format("bin = \"{} ns\"", ends.front())));
      EXPECT_EQ(found.trace_hash, expected.trace_hash);
      ASSERT_EQ(found.tables.size(), expected.tables.size());
      for (const auto& [name, table] : expected.tables)
        EXPECT_TRUE(same_tables(found.table(name), table)) << name;
      for (const auto& [name, value] : expected.metrics)
        EXPECT_TRUE(same_numbers(found.metric(name), value)) << name;
    }
}

}  // namespace
}  // namespace headway
