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

TEST(LabelledRuns, FewerThanOneInAHundredVerdictsIsFalse) {
  std::map<std::string, std::map<std::string, int>> runs;  // truth -> verdict -> number of runs
  std::map<std::string, int> with;                         // truth -> number of runs
  std::istringstream lines(content("tests/verdicts/labelled.csv"));
  std::string line;
  std::getline(lines, line);
  ASSERT_TRUE(line.ends_with(",truth,status")) << line;
  while (std::getline(lines, line)) {
    const std::size_t verdict = line.rfind(',') + 1, truth = line.rfind(',', verdict - 2) + 1;
    const std::string label = line.substr(truth, verdict - 1 - truth);
    ++runs[label][line.substr(verdict)];
    ++with[label];
  }
  EXPECT_GE(with["steady"] + with["saturated"], 400);
  EXPECT_LT(runs["saturated"]["ok"], 0.01 * with["saturated"]);
  EXPECT_LT(runs["steady"]["saturated"], 0.01 * with["steady"]);
  const std::string page = content("docs/verdicts.md");
  for (const std::string label : {"steady", "saturated"})
    EXPECT_THAT(page, HasSubstr(fmt::format("| {} | {} |", label, with[label])));
}

}  // namespace
}  // namespace headway::test
