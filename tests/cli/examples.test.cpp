// SPDX-License-Identifier: Apache-2.0
// The gallery of examples/: every spec is valid unchanged, and runs in a quick form, which differs in its
// shorter times only.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "test_paths.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;

const fs::path kExamples = fs::path(kSourceDir) / "examples";

std::vector<std::string> names_of_examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kExamples))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string quoted(const std::string& name) { return "'" + (kExamples / (name + ".toml")).string() + "'"; }

// Times that suffice for packets to arrive. A packet takes 2 us over the slow links of the dumped fabric.
std::string shorter_times(const std::string& name) {
  if (name == "hot" || name == "all-reduce-incast") return "";  // they are short already
  if (name == "hot-spot")  // its second flow starts and stops within the run
    return " --set 'measure.duration=\"40 us\"' --set 'traffic.flow[1].start=\"10 us\"'"
           " --set 'traffic.flow[1].stop=\"20 us\"'";
  if (name == "storage-incast")  // so does its second flow
    return " --set 'measure.warmup=\"1 us\"' --set 'measure.duration=\"4 us\"' --set "
           "'traffic.flow[1].start=\"1 us\"' --set 'observe.interval=\"1 us\"'";
  const std::string duration = name == "fabric-from-a-dump" ? "50 us" : "2 us";
  return " --set 'measure.warmup=\"1 us\"' --set 'measure.duration=\"" + duration + "\"'";
}

class Examples : public ShellTest {};

class EveryExample : public ShellTest, public testing::WithParamInterface<std::string> {};

TEST_P(EveryExample, IsValidAndRunsInAQuickForm) {
  const Outcome whole = shell("headway check " + quoted(GetParam()));
  EXPECT_EQ(whole.code, 0) << whole.err;
  const Outcome quick = shell("headway run --json " + quoted(GetParam()) + shorter_times(GetParam()));
  ASSERT_EQ(quick.code, 0) << quick.err;
  const auto points = nlohmann::json::parse(quick.out)["points"];
  EXPECT_FALSE(points.empty());
  for (const auto& point : points) {
    EXPECT_GT(point["metrics"]["packets_delivered"], 0) << point["params"];
    EXPECT_NE(point["status"], "deadlock") << point["params"];
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryExample, testing::ValuesIn(names_of_examples()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST_F(Examples, HaveTheTreeThatABuyerOf36PortSwitchesGets) {
  const Outcome resolved = shell("headway check --resolved " + quoted("2048-nodes-36-ports"));
  EXPECT_THAT(resolved.out, HasSubstr("children = [16, 16, 8]"));
  EXPECT_THAT(resolved.out, HasSubstr("parents = [1, 8, 4]"));
  EXPECT_THAT(resolved.out, HasSubstr("links = [1, 1, 4]"));
}

}  // namespace
}  // namespace headway::test
