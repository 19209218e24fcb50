// SPDX-License-Identifier: Apache-2.0
// headway completion: prints scripts with which a shell completes commands, options and names.
#include "headway/cli/help.h"

namespace headway::cli {
namespace {

int run_completion(const Arguments& arguments, Terminal& terminal) {
  terminal.print(completion_script(*arguments.value("SHELL")));
  return kFine;
}

}  // namespace

Command command_completion() {
  return {.name = "completion",
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
