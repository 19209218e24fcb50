// SPDX-License-Identifier: Apache-2.0
// headway help: prints the descriptions of the commands as help text, man page or Markdown.
#include "headway/base/small_letters.h"
#include "headway/cli/help.h"
#include "headway/config/nearest.h"

namespace headway::cli {
namespace {

int run_help(const Arguments& arguments, Terminal& terminal) {
  if (arguments.has("--man")) {
    terminal.print(man_page());
  } else if (arguments.has("--markdown")) {
    terminal.print(markdown_reference());
  } else if (const auto name = arguments.value("COMMAND")) {
    const Command* const command = find_command(in_small_letters(*name));
    if (command == nullptr) throw UsageError(unknown("command", *name, command_names()));
    terminal.print(command_help_text(*command, terminal));
  } else {
    terminal.print(program_help(terminal));
  }
  return kFine;
}

}  // namespace

Command command_help() {
  return {.name = "help",
          .place = 180,
          .summary = "show the help of a command, or the man page",
          .description =
              "Shows the arguments and options of a command. With an option, prints all commands as one "
              "document.",
          .positionals = {{.name = "COMMAND",
                           .help = "name of a command; default: an overview of all commands",
                           .required = false}},
          .flags = {{.spelled = "--man", .help = "prints the man page, as roff"},
                    {.spelled = "--markdown", .help = "prints all commands as Markdown"}},
          .examples = {{"headway help run", "same as 'headway run --help'"},
                       {"headway help --man | man -l -", "shows the man page"}},
          .run = run_help};
}

}  // namespace headway::cli
