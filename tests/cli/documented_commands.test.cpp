// SPDX-License-Identifier: Apache-2.0
// Runs every command that README.md and docs/*.md show, and checks that its output still contains what they
// show.
//
// In a ```console block a line "$ COMMAND" is a command, run by bash in a directory of the document's own
// with the built program first on the PATH; it must succeed. The lines below it must appear in its output in
// that order; "..." stands for any text within a line; a line with only "..." stands for any lines. A ```toml
// or ```text block that starts with "# NAME.toml" or "# NAME.txt" is that file in the directory.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "test_paths.h"
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
    } else if (block == "console" && !document.commands.empty() && !line.empty()) {
      document.commands.back().shown.push_back(line);
    } else if ((block == "toml" || block == "text") && first && line.starts_with("# ") &&
               (line.ends_with(".toml") || line.ends_with(".txt"))) {
      document.files.push_back({line.substr(2), ""});
      named = true;
    } else if (named) {
      document.files.back().content += line + "\n";
    }
    first = false;
  }
  return document;
}

// Equal, or numbers with the same text behind them that differ by at most a tenth.
bool same_word(const std::string& output, const std::string& shown) {
  char* output_rest = nullptr;
  char* shown_rest = nullptr;
  const double got = std::strtod(output.c_str(), &output_rest);
  const double said = std::strtod(shown.c_str(), &shown_rest);
  return output == shown || (shown_rest != shown.c_str() && std::string(output_rest) == shown_rest &&
                             std::abs(got - said) <= 0.1 * std::abs(said));
}

// Whether a line of output is the line shown, word by word; "..." at its end stands for any words.
bool matches(const std::string& output, const std::string& shown) {
  std::istringstream output_words(output), shown_words(shown);
  for (std::string said, got; shown_words >> said;) {
    if (said == "...") return true;
    if (!(output_words >> got) || !same_word(got, said)) return false;
  }
  return (output_words >> std::ws).eof();
}

// The first line shown that does not come in the output, or an empty string.
std::string first_missing(const std::vector<std::string>& output, const std::vector<std::string>& shown) {
  std::size_t next = 0;
  for (const std::string& line : shown) {
    while (next < output.size() && !matches(output[next], line)) ++next;
    if (next == output.size()) return line;
    ++next;
  }
  return "";
}

// The documents that show commands, by their path in the repository.
std::vector<std::string> documents() {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!read_document(repository_file(name)).commands.empty()) names.push_back(name);
  };
  add("README.md");
  for (const auto& entry : fs::directory_iterator(fs::path(kSourceDir) / "docs"))
    if (entry.path().extension() == ".md") add("docs/" + entry.path().filename().string());
  return names;
}

class DocumentedCommands : public ShellTest {};
class DocumentedCommandsOf : public ShellTest, public testing::WithParamInterface<std::string> {};

TEST_P(DocumentedCommandsOf, Run) {
  const Document document = read_document(repository_file(GetParam()));
  for (const File& file : document.files) write(file.name, file.content);
  for (const Command& command : document.commands) {
    const auto [status, output, narration] = shell("exec 2>&1\n" + command.text);
    const std::string where = GetParam() + ":" + std::to_string(command.line) + ": " + command.text;
    EXPECT_EQ(status, 0) << where << "\n" << output;
    EXPECT_EQ(first_missing(lines_of(output), command.shown), "") << where << "\n" << output;
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, DocumentedCommandsOf, testing::ValuesIn(documents()),
                         [](const testing::TestParamInfo<std::string>& document) {
                           return std::regex_replace(document.param, std::regex("[^A-Za-z0-9]"), "_");
                         });

TEST_F(DocumentedCommands, ReadmeShowsTheProgramAtWork) {
  EXPECT_GE(read_document(repository_file("README.md")).commands.size(), 3U);
}

TEST_F(DocumentedCommands, DevHelpListsEveryDevCommandNamed) {
  const std::string help = shell(std::string(kSourceDir) + "/dev help").out;
  for (const char* name : {"README.md", "CONTRIBUTING.md"}) {
    const std::string text = repository_file(name);
    static const std::regex dev_command(R"(\./dev ([a-z]+))");
    for (std::sregex_iterator found(text.begin(), text.end(), dev_command), end; found != end; ++found)
      EXPECT_TRUE(std::regex_search(help, std::regex("\n  " + (*found)[1].str() + " ")))
          << name << ": " << found->str();
  }
}

TEST_F(DocumentedCommands, AreFoundWithTheirFilesAndWhatTheyShow) {
  const Document document = read_document(
      "# Title\n```toml\n# a.toml\nseed = 1\n```\n```console\n$ headway run a.toml\nload 0.5 ok\nand so on "
      "...\n$ true\n```\n"
      "```toml\nseed = 2\n```\n");
  ASSERT_EQ(document.files.size(), 1U);
  EXPECT_EQ(document.files[0].name, "a.toml");
  EXPECT_EQ(document.files[0].content, "seed = 1\n");
  ASSERT_EQ(document.commands.size(), 2U);
  EXPECT_EQ(document.commands[0].line, 7U);
  EXPECT_EQ(document.commands[0].text, "headway run a.toml");
}

TEST_F(DocumentedCommands, MustShowWhatTheyAreSaidToShow) {
  EXPECT_TRUE(matches("load  0.51 ok", "load 0.5 ok"));
  EXPECT_TRUE(matches("load 0.5 (any)", "load 0.5 ..."));
  EXPECT_TRUE(matches("p99 3952*", "p99 4000*"));
  EXPECT_FALSE(matches("load 0.6 ok", "load 0.5 ok"));
  EXPECT_FALSE(matches("load 0.5 ok", "load 0.5"));
  EXPECT_FALSE(matches("load", "load 0.5"));
  EXPECT_FALSE(matches("p99 3952", "p99 3952*"));
  EXPECT_EQ(first_missing({"x", "one", "y", "two"}, {"one", "two"}), "");
  EXPECT_EQ(first_missing({"two", "one"}, {"one", "two"}), "two");
}

}  // namespace
}  // namespace headway::test
