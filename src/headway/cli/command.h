// SPDX-License-Identifier: Apache-2.0
// A command as data: its name, arguments, options and function. Parsing, --help, the man page, the shell
// completions and docs/cli.md are all generated from this data, so that they stay consistent (as in ripgrep's
// flags).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/visible.h"
#include "headway/cli/terminal.h"

namespace headway {
class Processes;
}

namespace headway::cli {

// Exit codes (architecture.md).
inline constexpr int kFine = 0;
inline constexpr int kFailed = 1;    // a run or a claim failed
inline constexpr int kBadInput = 2;  // a mistake in the spec or on the command line
inline constexpr int kInterrupted = 130;

// What a shell completes for an argument.
enum class Completes { nothing, files, directories, families, topics };

struct Flag {
  // As the help shows it: "-o, --out DIR", or without a short form or a value; a value in brackets can be
  // left out, and then has an "=". A shell completes the values FILE, DIR and KEY=VALUE.
  std::string_view spelled;
  std::string_view help;
  bool repeatable = false;
  std::string_view table = {};  // of the keys of KEY=VALUE, with a dot: "traffic.job."; empty: keys of a spec

  std::string_view letter() const { return spelled.starts_with("--") ? "" : spelled.substr(0, 2); }  // "-o"
  std::string_view form() const { return spelled.substr(spelled.find("--")); }  // "--out DIR"
  std::string_view name() const { return form().substr(0, form().find(' ')); }  // "--out"
  std::string_view value() const {                                              // "DIR"
    if (name() == form()) return "";
    const std::string_view value = form().substr(name().size() + 1);
    return needs_value() ? value : value.substr(1, value.size() - 2);
  }
  bool needs_value() const { return !form().ends_with(']'); }
  static constexpr std::string_view kNoValue = "true";  // given without a value
};
// The flags of several lists, in order.
std::vector<Flag> joined(std::initializer_list<std::vector<Flag>> lists);

inline constexpr std::uint64_t kMostPoints = 1'000'000;  // of --point

struct Positional {
  std::string_view name;  // "SPEC"
  std::string_view help;
  bool required = true;
  Completes completes = Completes::nothing;
  std::vector<std::string_view> choices = {};  // the valid values; empty: any
  bool rest = false;                           // takes all words behind "--", instead of one word
};

struct Example {
  std::string_view command;
  std::string_view what;
};

// A mistake on the command line. what() is one line that describes it and, where possible, suggests a
// correction.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(std::string_view message) : std::runtime_error(visible(message)) {}
};

// The given values, by the names of flags and positionals.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> words = {}) : words_(std::move(words)) {}
  void add(std::string_view name, std::string value) { given_.emplace_back(name, std::move(value)); }

  // All words after the command's name, unchanged.
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
  // The processes that mpirun has started together, of which this is one; null: it is alone.
  Processes* processes = nullptr;

  // Returns a whole number from `least` to `most`. Throws UsageError for any other value. Of a repeated flag,
  // the value at `index`, or the last one.
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t least, std::uint64_t most,
                                      std::size_t index = 0) const;

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
  int place;                     // in lists of commands, which go by it
  std::string_view summary;      // one line
  std::string_view description;  // paragraphs, separated by an empty line
  std::vector<Positional> positionals = {};
  std::vector<Flag> flags = {};
  std::vector<Example> examples = {};
  int (*run)(const Arguments& arguments, Terminal& terminal);  // returns the exit code
};

// All commands, by their places. To add a command, write a file command_NAME.cpp in any folder, which defines
// the function command_NAME(); CMake finds it (cmake/lists.cmake).
std::span<const Command> commands();
const Command* find_command(std::string_view name);  // null if there is none
std::vector<std::string_view> command_names();

// Runs `headway ARGUMENTS...` and returns the exit code. Reports all failures on the terminal. `processes`:
// as in Arguments. `mpi`: the MPI of headway-mpi, for --version.
int run_program(const std::vector<std::string>& arguments, Terminal& terminal, Processes* processes = nullptr,
                std::string_view mpi = {});

}  // namespace headway::cli
