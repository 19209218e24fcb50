// SPDX-License-Identifier: Apache-2.0
// Completion scripts. Names are written into them: they are regenerated with each release, and a shell need
// not run the program at every press of a key.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "headway/cli/catalogue.h"
#include "headway/cli/help.h"
#include "headway/cli/keys.h"
#include "headway/cli/parse.h"

namespace headway::cli {
namespace {

std::vector<Flag> all_flags(const Command& command) {
  std::vector<Flag> flags = command.flags;
  flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  return flags;
}

std::string command_names() {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

// The names that may stand for an argument, separated by blanks.
std::string words_of(Completes completes) {
  if (completes == Completes::topics) return fmt::format("{}", fmt::join(topics(), " "));
  std::vector<std::string_view> words;
  for (const Family& family : families()) words.push_back(family.name);
  return fmt::format("{}", fmt::join(words, " "));
}

std::string words_of(const Command& command) {
  std::vector<std::string> words;
  for (const Positional& positional : command.positionals) {
    for (const std::string_view choice : positional.choices) words.emplace_back(choice);
    if (positional.completes == Completes::families || positional.completes == Completes::topics)
      words.push_back(words_of(positional.completes));
  }
  if (command.name == "help") words.push_back(command_names());
  return fmt::format("{}", fmt::join(words, " "));
}

bool takes_files(const Command& command) {
  for (const Positional& positional : command.positionals)
    if (positional.completes == Completes::files) return true;
  return false;
}

// Single quotes are closed, escaped and opened again.
std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

std::string bash() {
  std::string script =
      "# bash completion for headway\n_headway() {\n  local word=${COMP_WORDS[COMP_CWORD]} words= files=\n";
  script += "  if ((COMP_CWORD == 1)); then\n    words='" + command_names() + " --help --version'\n  else\n";
  script += "    case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD - 1]} in\n";
  for (const Command& command : commands())
    for (const Flag& flag : command.flags) {
      if (flag.value.empty()) continue;
      const std::string_view kind = flag.completes == Completes::files         ? "files=-f"
                                    : flag.completes == Completes::directories ? "files=-d"
                                                                               : ":";
      script += fmt::format("      {}:{}) {} ;;\n", command.name, flag.name, kind);
    }
  for (const Command& command : commands()) {
    std::string words = words_of(command);
    for (const Flag& flag : all_flags(command)) words += fmt::format(" {}", flag.name);
    script += fmt::format("      {}:*) words='{}'{} ;;\n", command.name, words,
                          takes_files(command) ? " files=-f" : "");
  }
  script += "    esac\n  fi\n";
  script += "  mapfile -t COMPREPLY < <(compgen ${files:+\"$files\"} -W \"$words\" -- \"$word\")\n}\n";
  return script + "complete -o filenames -F _headway headway\n";
}

std::string zsh() {
  std::string script =
      "#compdef headway\n# zsh completion for headway\n_headway() {\n  local -a commands=(\n";
  for (const Command& command : commands())
    script += fmt::format("    {}\n", quoted(fmt::format("{}:{}", command.name, command.summary)));
  script += "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n";
  script += "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const Command& command : commands()) {
    script += fmt::format("    {}) _arguments", command.name);
    for (const Flag& flag : all_flags(command)) {
      std::string help;
      for (const char c : flag.help) help += c == '[' || c == ']' || c == ':' ? ' ' : c;
      std::string spec = fmt::format("{}{}[{}]", flag.repeatable ? "*" : "", flag.name, help);
      if (!flag.value.empty())
        spec += fmt::format(":{}:{}", flag.value,
                            flag.completes == Completes::files         ? "_files"
                            : flag.completes == Completes::directories ? "_files -/"
                                                                       : "");
      script += fmt::format(" \\\n      {}", quoted(spec));
    }
    if (takes_files(command))
      script += " \\\n      '*:file:_files'";
    else if (const std::string words = words_of(command); !words.empty())
      script += fmt::format(" \\\n      {}", quoted(fmt::format("*:name:({})", words)));
    script += " ;;\n";
  }
  return script + "  esac\n}\ncompdef _headway headway\n";
}

std::string fish() {
  std::string script = "# fish completion for headway\ncomplete -c headway -f\n";
  for (const Command& command : commands()) {
    script += fmt::format("complete -c headway -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          quoted(command.summary));
    const std::string when =
        fmt::format("complete -c headway -n '__fish_seen_subcommand_from {}'", command.name);
    for (const Flag& flag : all_flags(command)) {
      script += fmt::format("{} -l {} -d {}", when, flag.name.substr(2), quoted(flag.help));
      if (!flag.value.empty()) script += flag.completes == Completes::nothing ? " -x" : " -r -F";
      script += '\n';
    }
    if (takes_files(command)) script += when + " -F\n";
    if (const std::string words = words_of(command); !words.empty())
      script += fmt::format("{} -a {}\n", when, quoted(words));
  }
  return script;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  return fish();
}

}  // namespace headway::cli
