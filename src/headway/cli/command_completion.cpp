// SPDX-License-Identifier: Apache-2.0
// headway completion: scripts that make a shell complete commands, options and names.
#include "headway/cli/help.h"

namespace headway::cli {
namespace {

int run(const Arguments& arguments, Terminal& terminal) {
  terminal.print(completion_script(*arguments.value("SHELL")));
  return kFine;
}

}  // namespace

Command command_completion() {
  return {.name = "completion",
          .summary = "completion for bash, zsh or fish",
          .description = "Prints a script that makes the shell complete commands, options, files and names.",
          .positionals = {{.name = "SHELL",
                           .help = "one of",
                           .choices = {kShells, kShells + std::size(kShells)}}},
          .examples = {{"source <(headway completion bash)", "completes in this shell"},
                       {"headway completion fish > ~/.config/fish/completions/headway.fish",
                        "completes in every fish"}},
          .run = run};
}

}  // namespace headway::cli
