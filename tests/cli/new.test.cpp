// SPDX-License-Identifier: Apache-2.0
// headway new: every spec that it writes runs as it is, and every key in it is explained.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "headway/catalogue/starters.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

using catalogue::Starter;

class New : public ShellTest {};

TEST_F(New, WritesSpecsThatRun) {
  for (const Starter& starter : catalogue::starters()) {
    const std::string name(starter.name);
    const Outcome outcome =
        shell("headway new " + name + " --out " + name + ".toml && headway run " + name + ".toml");
    EXPECT_EQ(outcome.code, 0) << name << ": " << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("deadlock"))) << name;
  }
  EXPECT_THAT(read("headway.schema.json"), StartsWith("{"));
}

TEST_F(New, ExplainsEveryKey) {
  for (const Starter& starter : catalogue::starters()) {
    std::istringstream text(explained_spec(starter));
    std::string before, table;
    for (std::string line; std::getline(text, line); before = line) {
      if (line.starts_with('[')) table = line;
      if (line.find(" = ") == std::string::npos || line.starts_with('#') || table.starts_with("[sweep") ||
          table.starts_with("[[sweep"))
        continue;
      EXPECT_THAT(before, AllOf(StartsWith("# "), testing::EndsWith(")"))) << starter.name << ": " << line;
    }
  }
}

TEST_F(New, ReplacesNoFile) {
  write("my.toml", "# mine\n");
  write("headway.schema.json", "mine\n");
  const Outcome outcome = shell("headway new tree --out my.toml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("my.toml exists"));
  EXPECT_EQ(read("my.toml"), "# mine\n");
  shell("headway new tree --out other.toml");
  EXPECT_EQ(read("headway.schema.json"), "mine\n");
}

TEST_F(New, ListsFamiliesAndNamesTheNearest) {
  EXPECT_THAT(shell("headway new").out, AllOf(HasSubstr("dragonfly "), HasSubstr("incast ")));
  const Outcome outcome = shell("headway new dragonfyl");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("dragonfly"));
}

}  // namespace
}  // namespace headway::test
