// SPDX-License-Identifier: Apache-2.0
// headway completion: prints scripts with which a shell completes commands, options and names. They contain
// the names, so that the shell need not run the program at every key press; each release regenerates them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "headway/catalogue/names.h"
#include "headway/cli/help.h"
#include "headway/cli/parse.h"

namespace headway::cli {
namespace {

using namespace catalogue;

std::string in_a_row(const auto& words) { return fmt::format("{}", fmt::join(words, " ")); }

// The names that are valid for the arguments of a command.
std::string words_of(const Command& command) {
  std::vector<std::string> words;
  const auto add = [&](const auto& names) { words.insert(words.end(), names.begin(), names.end()); };
  for (const Positional& positional : command.positionals) {
    add(positional.choices);
    if (positional.completes == Completes::families) add(family_names());
    if (positional.completes == Completes::topics) add(topics());
  }
  if (command.name == "help") add(command_names());
  return in_a_row(words);
}

// The paths that complete the arguments of a command: files, directories or nothing. A shell that completes
// files completes directories, too.
Completes paths_of(const Command& command) {
  for (const Completes paths : {Completes::files, Completes::directories})
    if (std::ranges::find(command.positionals, paths, &Positional::completes) != command.positionals.end())
      return paths;
  return Completes::nothing;
}

bool completes_settings(const Flag& flag) { return flag.value() == "KEY=VALUE"; }

std::string setting_keys() {
  std::vector<std::string> keys;
  for (const NamedValues& setting : settings()) keys.push_back(setting.key);
  return in_a_row(keys);
}

// One line for every key that takes names.
std::string cases_of_settings(fmt::format_string<const std::string&, std::string> line) {
  std::string text;
  for (const NamedValues& setting : settings())
    if (!setting.names.empty()) text += fmt::format(line, setting.key, in_a_row(setting.names));
  return text;
}

// In single quotes; a single quote inside is written as '\''.
std::string single_quoted(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

std::string with_cases(std::string_view script, const std::string& cases) {
  constexpr std::string_view kHere = "%CASES%";
  return std::string(script).replace(script.find(kHere), kHere.size(), cases);
}

// Bash splits KEY=VALUE into three words, unless COMP_WORDBREAKS has no "=".
constexpr std::string_view kBash =
    R"(# Completions of SAID, a part of KEY=VALUE; the keys of TABLE are given without its name.
_headway_settings() {
  local table=$1 said=$2 key
  if [[ $said != *=* ]]; then
    for key in $_headway_keys; do [[ $key == "$table"* ]] && echo "${key#"$table"}="; done
    return
  fi
  case $table${said%%=*} in
%CASES%  esac
}
_headway() {
  local word=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD words= files= setting= prefix=
  local said=$word option
  while ((at > 2)) && [[ ${COMP_WORDS[at]} == = || ${COMP_WORDS[at - 1]} == = ]]; do
    said=${COMP_WORDS[--at]}$said
  done
  option=${COMP_WORDS[at - 1]}
  if [[ $said == --*=* ]]; then option=${said%%=*} said=${said#*=}; fi
  if [[ $word == = ]]; then word=; fi
)";

std::string bash() {
  std::string script = "# bash completion for headway\n_headway_keys='" + setting_keys() + "'\n";
  script += with_cases(kBash, cases_of_settings("    {}) echo '{}' ;;\n"));
  script += "  if ((COMP_CWORD == 1)); then\n    words='" + in_a_row(command_names()) +
            " --help --version'\n  else\n";
  script += "    case ${COMP_WORDS[1]}:$option in\n";
  for (const Command& command : commands())
    for (const Flag& flag : command.flags) {
      if (flag.value().empty()) continue;
      const std::string kind =
          flag.value() == "FILE"  ? "files=-f"
          : flag.value() == "DIR" ? "files=-d"
          : completes_settings(flag)
              ? fmt::format("setting=1 words=$(_headway_settings '{}' \"$said\")", flag.table)
              : ":";
      script += fmt::format("      {}:{}) {} ;;\n", command.name, flag.name(), kind);
    }
  for (const Command& command : commands()) {
    std::string words = words_of(command);
    for (const Flag& flag : all_flags(command)) words += fmt::format(" {}", flag.name());
    const Completes paths = paths_of(command);
    script += fmt::format("      {}:*) words='{}'{} ;;\n", command.name, words,
                          paths == Completes::files         ? " files=-f"
                          : paths == Completes::directories ? " files=-d"
                                                            : "");
  }
  script += "    esac\n  fi\n";
  script +=
      "  if [[ -n $setting ]]; then\n"
      "    compopt +o filenames 2>/dev/null\n"
      "    if [[ $said != *=* ]]; then compopt -o nospace 2>/dev/null; fi\n"
      "    if [[ $word == *=* ]]; then prefix=${word%\"${said#*=}\"}; fi\n"
      "  fi\n";
  script +=
      "  mapfile -t COMPREPLY < <(compgen ${prefix:+-P \"$prefix\"} ${files:+\"$files\"} -W \"$words\" -- "
      "\"${word#\"$prefix\"}\")\n}\n";
  return script + "complete -o filenames -F _headway headway\n";
}

constexpr std::string_view kZsh = R"(_headway_settings() {
  local table=$1
  if compset -P 1 '*='; then
    case $table${IPREFIX%=} in
%CASES%    esac
  else
    compadd -S = -q -- ${${(M)${(s: :)_headway_keys}:#$table*}#$table}
  fi
}
)";

std::string zsh() {
  std::string script =
      "#compdef headway\n# zsh completion for headway\n_headway_keys='" + setting_keys() + "'\n";
  script += with_cases(kZsh, cases_of_settings("      {}) compadd -- {} ;;\n"));
  script += "_headway() {\n  local -a commands=(\n";
  for (const Command& command : commands())
    script += fmt::format("    {}\n", single_quoted(fmt::format("{}:{}", command.name, command.summary)));
  script += "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n";
  script += "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const Command& command : commands()) {
    script += fmt::format("    {}) _arguments", command.name);
    for (const Flag& flag : all_flags(command)) {
      std::string help;
      for (const char c : flag.help) help += c == '[' || c == ']' || c == ':' ? ' ' : c;
      std::string spec = fmt::format("{}{}[{}]", flag.repeatable ? "*" : "", flag.name(), help);
      if (!flag.value().empty())
        spec += fmt::format(":{}:{}", flag.value(),
                            flag.value() == "FILE"     ? std::string("_files")
                            : flag.value() == "DIR"    ? "_files -/"
                            : completes_settings(flag) ? fmt::format(" _headway_settings {}", flag.table)
                                                       : "");
      script += fmt::format(" \\\n      {}", single_quoted(spec));
    }
    const Completes paths = paths_of(command);
    if (paths == Completes::files)
      script += " \\\n      '*:file:_files'";
    else if (paths == Completes::directories)
      script += " \\\n      '*:directory:_files -/'";
    else if (const std::string words = words_of(command); !words.empty())
      script += fmt::format(" \\\n      {}", single_quoted(fmt::format("*:name:({})", words)));
    script += " ;;\n";
  }
  script += "  esac\n}\n";
  // In zsh's function path, the first completion runs this file; otherwise the user sources it.
  return script +
         "if [[ $funcstack[1] == _headway ]]; then\n  _headway \"$@\"\nelse\n  compdef _headway "
         "headway\nfi\n";
}

constexpr std::string_view kFish = R"(function __headway_settings
  set -l table $argv[1]
  set -l said (string replace -r -- '^--set=' '' (commandline -ct))
  if not string match -q -- '*=*' $said
    string match -- "$table*" $__headway_keys | string replace -- "$table" '' | string replace -r '$' =
    return
  end
  set -l key (string split -m 1 = -- $said)[1]
  switch $table$key
%CASES%  end
end
)";

std::string fish() {
  std::string script = "# fish completion for headway\nset -g __headway_keys " + setting_keys() + "\n";
  script += with_cases(kFish, cases_of_settings("    case {}\n      printf \"$key=%s\\n\" {}\n"));
  script += "complete -c headway -f\n";
  for (const Command& command : commands()) {
    script += fmt::format("complete -c headway -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          single_quoted(command.summary));
    const std::string when =
        fmt::format("complete -c headway -n '__fish_seen_subcommand_from {}'", command.name);
    for (const Flag& flag : all_flags(command)) {
      script += fmt::format("{} -l {} -d {}", when, flag.name().substr(2), single_quoted(flag.help));
      if (completes_settings(flag))
        script += fmt::format(" -x -a '(__headway_settings \"{}\")'", flag.table);
      else if (!flag.value().empty())
        script += flag.value() == "FILE" || flag.value() == "DIR" ? " -r -F" : " -x";
      script += '\n';
    }
    const Completes paths = paths_of(command);
    if (paths == Completes::files)
      script += when + " -F\n";
    else if (paths == Completes::directories)
      script += when + " -a '(__fish_complete_directories)'\n";
    if (const std::string words = words_of(command); !words.empty())
      script += fmt::format("{} -a {}\n", when, single_quoted(words));
  }
  return script;
}

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

int run_completion(const Arguments& arguments, Terminal& terminal) {
  const std::string shell = *arguments.value("SHELL");
  terminal.print(shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish());
  return kFine;
}

}  // namespace

Command command_completion() {
  return {.name = "completion",
          .place = 190,
          .summary = "print a completion script for bash, zsh or fish",
          .description =
              "Prints a script with which the shell completes commands, options, file names and names.",
          .positionals = {{.name = "SHELL",
                           .help = "one of",
                           .choices = {kShells, kShells + std::size(kShells)}}},
          .examples = {{"source <(headway completion bash)", "enables completion in this shell"},
                       {"headway completion fish > ~/.config/fish/completions/headway.fish",
                        "enables completion in all fish shells"}},
          .run = run_completion};
}

}  // namespace headway::cli
