// SPDX-License-Identifier: Apache-2.0
// A command as data: what it is called, what it takes and what it does. Parsing, --help, the man page, the
// shell completions and docs/cli.md are all made from it, so they cannot drift apart (style: ripgrep's
// flags).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/visible.h"
#include "headway/cli/terminal.h"

namespace headway::cli {

// Exit codes (architecture.md).
inline constexpr int kFine = 0;
inline constexpr int kFailed = 1;    // a run or a claim failed
inline constexpr int kBadInput = 2;  // a mistake in the spec or on the command line
inline constexpr int kInterrupted = 130;

// What a shell offers for a value.
enum class Completes {
  nothing,
  files,
  directories,
  families,
  topics,
  settings,       // KEY=VALUE of a spec
  trace_settings  // of its [[traffic.trace]]
};

struct Flag {
  std::string_view name;         // "--jobs"
  std::string_view letter = {};  // "-o", the same in short; empty: none
  std::string_view value = {};   // what its value is called, "N"; empty: none is taken
  std::string_view help;
  bool repeatable = false;
  Completes completes = Completes::nothing;
};

struct Positional {
  std::string_view name;  // "SPEC"
  std::string_view help;
  bool required = true;
  Completes completes = Completes::nothing;
  std::vector<std::string_view> choices = {};  // the valid values; empty: any
};

struct Example {
  std::string_view command;
  std::string_view what;
};

// A mistake on the command line; what() says on one line what and, where it can, what was meant.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(std::string_view message) : std::runtime_error(visible(message)) {}
};

// What the user gave, by the names of flags and positionals.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> words = {}) : words_(std::move(words)) {}
  void add(std::string_view name, std::string value) { given_.emplace_back(name, std::move(value)); }

  // As they were given, after the command's name.
  const std::vector<std::string>& words() const { return words_; }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::optional<std::string> value(std::string_view name) const {
    const std::string* found = find(name);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
  std::vector<std::string> values(std::string_view name) const {
    std::vector<std::string> all;
    for (const auto& [flag, value] : given_)
      if (flag == name) all.push_back(value);
    return all;
  }
  // A whole number from `least` to `most`. Throws UsageError if it is anything else.
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t least, std::uint64_t most) const;

 private:
  const std::string* find(std::string_view name) const {
    for (const auto& [flag, value] : given_)
      if (flag == name) return &value;
    return nullptr;
  }

  std::vector<std::string> words_;
  std::vector<std::pair<std::string_view, std::string>> given_;
};

struct Command {
  std::string_view name;
  std::string_view summary;      // one line
  std::string_view description;  // paragraphs, separated by an empty line
  std::vector<Positional> positionals = {};
  std::vector<Flag> flags = {};
  std::vector<Example> examples = {};
  int (*run)(const Arguments& arguments, Terminal& terminal);  // returns the exit code
};

// The commands in the order they are shown. To add one: a file command_NAME.cpp and a line in commands.cpp.
std::span<const Command> commands();

// Runs `headway ARGUMENTS...` and returns the exit code; all failures are reported on the terminal.
int run_program(const std::vector<std::string>& arguments, Terminal& terminal);

}  // namespace headway::cli
