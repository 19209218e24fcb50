// SPDX-License-Identifier: Apache-2.0
// The labelled runs of tools/verdicts.py: checks how often their verdicts are wrong, and that
// docs/verdicts.md has the numbers of runs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "test_paths.h"

namespace headway::test {
namespace {

using ::testing::HasSubstr;

std::string content(const std::string& name) {
  std::ifstream stream(kSourceDir + ("/" + name));
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct RunsByTruth {
  std::map<std::string, std::map<std::string, int>> with_verdict;  // truth -> verdict -> number of runs
  std::map<std::string, int> with;                                 // truth -> number of runs
};

RunsByTruth read_runs(const std::string& name) {
  RunsByTruth runs;
  std::istringstream lines(content(name));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.ends_with(",truth,status")) << line;
  while (std::getline(lines, line)) {
    const std::size_t verdict = line.rfind(',') + 1, truth = line.rfind(',', verdict - 2) + 1;
    const std::string label = line.substr(truth, verdict - 1 - truth);
    ++runs.with_verdict[label][line.substr(verdict)];
    ++runs.with[label];
  }
  return runs;
}

TEST(LabelledRuns, FewerThanOneInAHundredVerdictsIsFalse) {
  RunsByTruth runs = read_runs("tests/verdicts/labelled.csv");
  EXPECT_GE(runs.with["steady"] + runs.with["saturated"], 400);
  EXPECT_LT(runs.with_verdict["saturated"]["ok"], 0.01 * runs.with["saturated"]);
  EXPECT_LT(runs.with_verdict["steady"]["saturated"], 0.01 * runs.with["steady"]);
  const std::string page = content("docs/verdicts.md");
  for (const std::string label : {"steady", "saturated"})
    EXPECT_THAT(page, HasSubstr(fmt::format("| {} | {} |", label, runs.with[label])));
}

// Every routing of every topology, on both sides of 512 nodes.
TEST(LabelledRuns, NoRoutingIsJudgedByPathsThatItDoesNotTake) {
  RunsByTruth runs = read_runs("tests/verdicts/routes.csv");
  EXPECT_GE(runs.with["steady"], 40);
  EXPECT_GE(runs.with["saturated"], 40);
  EXPECT_EQ(runs.with_verdict["saturated"]["ok"], 0);
  EXPECT_EQ(runs.with_verdict["steady"]["saturated"], 0);
  EXPECT_GT(runs.with_verdict["steady"]["ok"], 0.3 * runs.with["steady"]);
  EXPECT_GT(runs.with_verdict["saturated"]["saturated"], 0.5 * runs.with["saturated"]);
}

}  // namespace
}  // namespace headway::test
