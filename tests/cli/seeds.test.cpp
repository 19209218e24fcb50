// SPDX-License-Identifier: Apache-2.0
// What the program prints and writes of runs with several seeds.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>
#include <string>

#include "headway/metrics/tables.h"
#include "headway/run/results_dir.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class Seeds : public ShellTest {
 protected:
  PointResult point_in(const std::string& directory) const {
    return results_in(directory_ / directory).front();
  }
};

constexpr std::string_view kVictims = R"(seed = 5
seeds = 4
[network]
k = 4
n = 2
[switch]
scheme = "1q"
[[traffic.flow]]
sources = { random = 0.5 }
pattern = "hotspot"
destination = 3
fraction = 0.6
load = 0.9
[measure]
warmup = "2 us"
duration = "20 us"
tables = ["fairness"]
[observe]
waiting = true
)";

TEST_F(Seeds, VictimsAreCountedPerSeed) {
  write("victims.toml", kVictims);
  const Outcome outcome = shell("headway run victims.toml --out out");
  const PointResult point = point_in("out");
  double times = 0;
  const std::regex times_of_node("[0-9]+ \\(([0-9]) of 4 seeds\\)");
  for (std::sregex_iterator at(outcome.out.begin(), outcome.out.end(), times_of_node), end; at != end; ++at)
    times += std::stod((*at)[1]);
  EXPECT_GT(times, 0);
  EXPECT_DOUBLE_EQ(times, 4 * point.result.metric("victims")) << outcome.out;
}

TEST_F(Seeds, ListedRowsHaveTheirOwnSeedInEveryFile) {
  write("victims.toml", kVictims);
  shell("headway run victims.toml --out out");
  const Table trees = point_in("out").result.table("trees");
  std::istringstream lines(read("out/trees.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("seed,tree,")) << line;
  EXPECT_EQ(line.find("seed", 1), line.npos);
  std::size_t row = 0;
  for (; std::getline(lines, line); ++row) EXPECT_EQ(std::stod(line), number_at(trees, kSeed, row)) << row;
  EXPECT_EQ(row, rows_of(trees));
  EXPECT_EQ(number_at(trees, kSeed, 0), 5);
  EXPECT_EQ(number_at(trees, kSeed, row - 1), 8);
}

// A line through the iterations of different runs would mean nothing.
TEST_F(Seeds, FiguresOfListedRowsHaveACurveForEachSeed) {
  write("job.toml",
        "seeds = 2\n[network]\nk = 2\nn = 2\n[[traffic.job]]\nnodes = { random = 0.5 }\niterations = 3\n"
        "[measure]\nuntil = \"done\"\n");
  shell("headway run job.toml --out out");
  shell("headway plot out --table per_iteration --y length_ns --out figure");
  const std::string data = read("figure/data.csv");
  EXPECT_THAT(data, HasSubstr("\n\"job 0, seed 1\",0,"));
  EXPECT_THAT(data, HasSubstr("\n\"job 0, seed 2\",0,"));
}

}  // namespace
}  // namespace headway::test
