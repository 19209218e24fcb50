// SPDX-License-Identifier: Apache-2.0
#include "headway/run/run.h"

#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace headway
