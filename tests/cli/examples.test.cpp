// SPDX-License-Identifier: Apache-2.0
// The gallery of examples/: every spec is valid as it stands, and those of fabrics run for a moment.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "test_paths.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Examples : public ShellTest {};

TEST_F(Examples, AreValid) {
  int found = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(kSourceDir) / "examples")) {
    if (entry.path().extension() != ".toml") continue;
    const Outcome outcome = shell("headway check '" + entry.path().string() + "'");
    EXPECT_EQ(outcome.code, 0) << entry.path() << outcome.err;
    ++found;
  }
  EXPECT_GE(found, 2);
}

TEST_F(Examples, TheFatTreeOf36PortSwitchesRuns) {
  const std::string spec = std::string("'") + kSourceDir + "/examples/2048-nodes-36-ports.toml'";
  const Outcome resolved = shell("headway check --resolved " + spec);
  EXPECT_THAT(resolved.out, HasSubstr("children = [16, 16, 8]"));
  EXPECT_THAT(resolved.out, HasSubstr("parents = [1, 8, 4]"));
  EXPECT_THAT(resolved.out, HasSubstr("links = [1, 1, 4]"));
  const Outcome run = shell("headway run " + spec +
                            " --json --set 'measure.warmup=\"0 us\"' --set 'measure.duration=\"2 us\"'");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("accepted_load"));
}

}  // namespace
}  // namespace headway::test
