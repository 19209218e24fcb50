// SPDX-License-Identifier: Apache-2.0
// On a narrow terminal, no line of help, of a table, or of a message is wider than the terminal, unless it is
// a single word or a command to copy.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "headway/base/wrapped.h"
#include "headway/cli/command.h"
#include "tests/cli/on_terminal.h"
#include "tests/cli/repository.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

class NarrowTerminal : public ShellTest, public testing::WithParamInterface<std::size_t> {
 protected:
  NarrowTerminal() {
    write("small.toml",
          "[network]\nk = 4\nn = 2\n[measure]\nwarmup = \"5 us\"\nduration = \"20 "
          "us\"\n[[traffic.flow]]\n[sweep]\n"
          "\"switch.scheme\" = [\"1q\", \"obqa\"]\n\"traffic.flow.load\" = [0.3, 0.95]\n");
    write("wrong.toml", "[network]\ntopology = \"fat-tree\"\n[switch]\nbufer = 3\ncolour = 1\n");
  }
  std::string shown(const std::string& command) const { return shell(on_terminal(command, GetParam())).out; }
  void expect_fits(const std::string& command, std::string_view up_to = "\n\n\n") const {
    const std::string text = shown(command);
    EXPECT_NE(text, "") << command;
    std::istringstream lines(text.substr(0, text.find(up_to)));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
      const bool is_word = line.find(' ', start) == std::string::npos;
      EXPECT_TRUE(columns(line) <= GetParam() || is_word) << command << "\n" << line;
    }
  }
};

TEST_P(NarrowTerminal, HelpFits) {
  expect_fits("headway --help");
  for (const cli::Command& command : cli::commands())  // examples are commands to copy
    if (command.name != "help") expect_fits(fmt::format("headway {} --help", command.name), "\nexamples:");
}

TEST_P(NarrowTerminal, ListsAndExplanationsFit) {
  for (const char* const command :
       {"headway list", "headway list metrics", "headway list tables", "headway new", "headway paper",
        "headway explain obqa", "headway explain traffic.flow.load", "headway explain measure.tables",
        "headway explain hol_blocking_ns", "headway explain per_link", "headway explain vc",
        "headway explain status"})
    expect_fits(command);
}

// The rest of a row is below its text, however long the names of other rows are.
TEST_P(NarrowTerminal, RowsOfAListKeepTheirIndent) {
  static const std::regex row("  [^ ]+  +[^ ].*"), rest("   +[^ ].*"), heading("[^ ]+  .*");
  for (const char* const command : {"headway paper"}) {
    std::istringstream lines(shown(command));
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(std::regex_match(line, row) || std::regex_match(line, rest) ||
                  std::regex_match(line, heading))
          << command << "\n"
          << line;
  }
}

TEST_P(NarrowTerminal, MistakesFit) {
  for (const char* const command :
       {"headway check wrong.toml", "headway list nonsense", "headway run small.toml --nonsense"})
    expect_fits(command);
}

TEST_P(NarrowTerminal, ResultsFit) {
  expect_fits("headway run small.toml");
  expect_fits("headway why small.toml --set switch.scheme=1q --set traffic.flow.load=0.95");
  expect_fits("headway check small.toml");
}

INSTANTIATE_TEST_SUITE_P(Columns, NarrowTerminal, testing::Values(60, 80),
                         [](const testing::TestParamInfo<std::size_t>& columns) {
                           return "columns_" + std::to_string(columns.param);
                         });

using OtherTerminal = ShellTest;

TEST_F(OtherTerminal, NotesHaveTheRightPlural) {
  write("lanes.toml", repository_file("tests/findings/lanes-take-turns.toml"));
  EXPECT_THAT(shell(on_terminal("headway run lanes.toml", 60)).out,
              AllOf(HasSubstr("not shown of classes: "), HasSubstr("not shown of flows: ")));
}

TEST_F(OtherTerminal, ATableOf80ColumnsKeepsAcceptedLoadAndLatency) {
  write("small.toml",
        "[network]\nk = 4\nn = 2\n[measure]\nwarmup = \"5 us\"\nduration = \"20 "
        "us\"\n[[traffic.flow]]\n[sweep]\n"
        "\"switch.scheme\" = [\"1q\", \"obqa\"]\n\"traffic.flow.load\" = [0.3, 0.95]\n");
  const std::string narrow = shell(on_terminal("headway run small.toml", 80)).out;
  EXPECT_THAT(narrow,
              HasSubstr("scheme  load  status      accepted_load  latency_mean_ns  latency_p99_ns\n"));
  EXPECT_THAT(narrow, HasSubstr("not shown: offered_load (--json and"));
}

}  // namespace
}  // namespace headway::test
