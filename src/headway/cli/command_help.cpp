// SPDX-License-Identifier: Apache-2.0
// headway help: the descriptions of the commands, as help, man page or Markdown.
#include "headway/cli/help.h"
#include "headway/cli/parse.h"

namespace headway::cli {
namespace {

int run(const Arguments& arguments, Terminal& terminal) {
  if (arguments.has("--man")) {
    terminal.print(man_page());
  } else if (arguments.has("--markdown")) {
    terminal.print(markdown_reference());
  } else if (const auto name = arguments.value("COMMAND")) {
    std::vector<std::string_view> names;
    for (const Command& command : commands()) {
      if (command.name == *name) {
        terminal.print(command_help_text(command, terminal));
        return kFine;
      }
      names.push_back(command.name);
    }
    throw UsageError(unknown("command", *name, names));
  } else {
    terminal.print(program_help(terminal));
  }
  return kFine;
}

}  // namespace

Command command_help() {
  return {.name = "help",
          .summary = "what a command takes; the man page",
          .description = "Shows what a command takes, or with an option all commands in one document.",
          .positionals = {{.name = "COMMAND", .help = "the command; none: an overview", .required = false}},
          .flags = {{.name = "--man", .help = "the man page, as roff"},
                    {.name = "--markdown", .help = "all commands as Markdown"}},
          .examples = {{"headway help run", "the same as 'headway run --help'"},
                       {"headway help --man | man -l -", "reads the man page"}},
          .run = run};
}

}  // namespace headway::cli
