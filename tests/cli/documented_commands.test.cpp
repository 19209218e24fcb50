// SPDX-License-Identifier: Apache-2.0
// Runs every command that README.md and the pages of docs/ show, as a reader copies it, and compares its
// whole output with what they show.
//
// In a ```console block a line "$ COMMAND" is a command, run by bash in a directory of the document's own,
// with the built program first on the PATH and the examples of the repository; it must succeed. The lines
// below it are its output, in which "..." stands for any text within a line, and a line with only "..." for
// any lines. A page with the comment "<!-- terminal: 80 columns -->" shows what a terminal of this width
// shows (tools/recording.py writes what such a page shows). A ```toml or ```text block that starts with "#
// NAME.toml" or "# NAME.txt" is that file in the directory, with this line.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/wrapped.h"
#include "test_paths.h"
#include "tests/cli/on_terminal.h"
#include "tests/cli/repository.h"
#include "tests/cli/shell.h"

namespace headway::test {
namespace {

namespace fs = std::filesystem;

struct Command {
  std::size_t line;  // in the document, from 1
  std::string text;
  std::vector<std::string> shown;
};

struct File {
  std::string name;
  std::string content;
};

struct Document {
  std::size_t columns = 0;  // of the terminal; 0: there is none
  std::vector<Command> commands;
  std::vector<File> files;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Document read_document(const std::string& text) {
  Document document;
  static const std::regex terminal("<!-- terminal: ([0-9]+) columns -->");
  if (std::smatch found; std::regex_search(text, found, terminal))
    document.columns = std::stoul(found[1].str());
  std::string block;   // the language of the open block; empty outside
  bool first = false;  // whether the line is the first of its block
  bool named = false;  // whether the block is a file
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (line.starts_with("```")) {
      block = line.substr(3);
      first = true;
      named = false;
      continue;
    }
    if (block == "console" && line.starts_with("$ ")) {
      document.commands.push_back({number, line.substr(2), {}});
    } else if (block == "console" && !document.commands.empty()) {
      document.commands.back().shown.push_back(line);
    } else if ((block == "toml" || block == "text") && first && line.starts_with("# ") &&
               (line.ends_with(".toml") || line.ends_with(".txt"))) {
      document.files.push_back({line.substr(2), line + "\n"});
      named = true;
    } else if (named) {
      document.files.back().content += line + "\n";
    }
    first = false;
  }
  return document;
}

// Whether a line of output is the line shown, in which "..." stands for any text.
bool matches(std::string_view output, std::string_view shown) {
  const std::size_t gap = shown.find("...");
  if (gap == std::string_view::npos) return output == shown;
  if (!output.starts_with(shown.substr(0, gap))) return false;
  for (std::size_t from = gap; from <= output.size(); ++from)
    if (matches(output.substr(from), shown.substr(gap + 3))) return true;
  return false;
}

// What is the first difference between the output and what is shown; empty if there is none.
std::string first_difference(const std::vector<std::string>& output, const std::vector<std::string>& shown) {
  std::size_t next = 0;
  bool gap = false;
  for (const std::string& line : shown) {
    if (line == "...") {
      gap = true;
      continue;
    }
    while (gap && next < output.size() && !matches(output[next], line)) ++next;
    if (next == output.size()) return "shown, but not printed: " + line;
    if (!matches(output[next], line)) return "shown: " + line + "\nprinted: " + output[next];
    ++next;
    gap = false;
  }
  return gap || next == output.size() ? "" : "printed, but not shown: " + output[next];
}

// The documents that show commands, by their path in the repository.
std::vector<std::string> documents() {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!read_document(repository_file(name)).commands.empty()) names.push_back(name);
  };
  add("README.md");
  const fs::path root(kSourceDir);
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") add(fs::relative(entry.path(), root).string());
  return names;
}

class DocumentedCommands : public ShellTest {};
class DocumentedCommandsOf : public ShellTest, public testing::WithParamInterface<std::string> {};

TEST_P(DocumentedCommandsOf, Run) {
  const Document document = read_document(repository_file(GetParam()));
  fs::create_directory_symlink(fs::path(kSourceDir) / "examples", directory_ / "examples");
  for (const File& file : document.files)
    if (file.name.starts_with("examples/"))  // the document shows a part of it
      EXPECT_TRUE(fs::exists(directory_ / file.name)) << file.name;
    else
      write(file.name, file.content);
  for (const Command& command : document.commands) {
    const auto [status, output, narration] = shell(
        "exec 2>&1\n" + (document.columns == 0 ? command.text : on_terminal(command.text, document.columns)));
    const std::string where = GetParam() + ":" + std::to_string(command.line) + ": " + command.text;
    EXPECT_EQ(status, 0) << where << "\n" << output;
    EXPECT_EQ(first_difference(lines_of(output), command.shown), "") << where << "\n" << output;
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, DocumentedCommandsOf, testing::ValuesIn(documents()),
                         [](const testing::TestParamInfo<std::string>& document) {
                           return std::regex_replace(document.param, std::regex("[^A-Za-z0-9]"), "_");
                         });

TEST_F(DocumentedCommands, ReadmeShowsTheProgramAtWork) {
  EXPECT_GE(read_document(repository_file("README.md")).commands.size(), 3U);
}

// A reader's terminal may have 80 columns.
TEST_F(DocumentedCommands, ReadmeAndHowTosShowWhatFits) {
  for (const std::string& name : documents()) {
    if (name != "README.md" && !name.starts_with("docs/howto/")) continue;
    for (const Command& command : read_document(repository_file(name)).commands)
      for (const std::string& line : command.shown) EXPECT_LE(columns(line), 80U) << name << ": " << line;
  }
}

// Blocks that no test runs, because they take long or install packages, name commands that exist.
TEST_F(DocumentedCommands, ShellBlocksAndDevCommandsNameCommandsThatExist) {
  const std::string of_dev = shell(std::string(kSourceDir) + "/dev help").out,
                    of_program = shell("headway help").out;
  static const std::regex dev_command(R"(\./dev ([a-z]+))"), command(R"(build/release/headway ([a-z]+))");
  const fs::path root(kSourceDir);
  for (const char* folder : {"", "docs", "papers", "studies", "bench"}) {
    const auto expect_commands_of = [&](const fs::path& page) {
      if (page.extension() != ".md") return;
      const std::string name = fs::relative(page, root).string(), text = repository_file(name);
      for (const auto& [pattern, help] : {std::pair(dev_command, of_dev), {command, of_program}})
        for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found)
          EXPECT_TRUE(std::regex_search(help, std::regex("\n  " + (*found)[1].str() + " ")))
              << name << ": " << found->str();
    };
    if (*folder == '\0')
      for (const auto& entry : fs::directory_iterator(root)) expect_commands_of(entry.path());
    else
      for (const auto& entry : fs::recursive_directory_iterator(root / folder))
        expect_commands_of(entry.path());
  }
}

TEST_F(DocumentedCommands, AreFoundWithTheirFilesAndWhatTheyShow) {
  const Document document = read_document(
      "# Title\n```toml\n# a.toml\nseed = 1\n```\n```console\n$ headway run a.toml\nload 0.5 ok\nand so on "
      "...\n$ true\n```\n"
      "```toml\nseed = 2\n```\n");
  ASSERT_EQ(document.files.size(), 1U);
  EXPECT_EQ(document.files[0].name, "a.toml");
  EXPECT_EQ(document.files[0].content, "# a.toml\nseed = 1\n");
  ASSERT_EQ(document.commands.size(), 2U);
  EXPECT_EQ(document.commands[0].line, 7U);
  EXPECT_EQ(document.commands[0].text, "headway run a.toml");
}

TEST_F(DocumentedCommands, MustShowWhatTheyAreSaidToShow) {
  EXPECT_TRUE(matches("load 0.5 (any)", "load 0.5 ..."));
  EXPECT_TRUE(matches("load 0.5 in 3 s, of 4", "load ... in ... s, ..."));
  EXPECT_FALSE(matches("load 0.51 ok", "load 0.5 ok"));
  EXPECT_FALSE(matches("load 0.5 ok", "load 0.5"));
  EXPECT_FALSE(matches("load", "load ... ok"));
  EXPECT_EQ(first_difference({"one", "two"}, {"one", "two"}), "");
  EXPECT_EQ(first_difference({"x", "one", "y", "two", "z"}, {"...", "one", "...", "two", "..."}), "");
  EXPECT_NE(first_difference({"one", "y", "two"}, {"one", "two"}), "");
  EXPECT_NE(first_difference({"one", "two"}, {"one"}), "");
  EXPECT_NE(first_difference({"one"}, {"one", "two"}), "");
  EXPECT_NE(first_difference({"one"}, {}), "");
}

}  // namespace
}  // namespace headway::test
