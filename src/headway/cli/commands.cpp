// SPDX-License-Identifier: Apache-2.0
// All commands, in the order in which they are listed. One line per file command_*.cpp.
#include "headway/cli/command.h"

#include <algorithm>

namespace headway::cli {

Command command_new(), command_run(), command_check(), command_list(), command_explain(), command_schema(),
    command_help(), command_completion(), command_paper(), command_trace(), command_program(),
    command_saturation(), command_status(), command_submit(), command_plot(), command_why(), command_view(),
    command_export(), command_import();

std::span<const Command> commands() {
  static const Command list[] = {
      command_new(),        command_run(),     command_check(),  command_submit(),     command_status(),
      command_saturation(), command_why(),     command_view(),   command_plot(),       command_paper(),
      command_trace(),      command_program(), command_export(), command_import(),     command_list(),
      command_explain(),    command_schema(),  command_help(),   command_completion(),
  };
  return list;
}

std::vector<Flag> joined(std::initializer_list<std::vector<Flag>> lists) {
  std::vector<Flag> all;
  for (const std::vector<Flag>& flags : lists) all.insert(all.end(), flags.begin(), flags.end());
  return all;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return names;
}

}  // namespace headway::cli
