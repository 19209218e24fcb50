// SPDX-License-Identifier: Apache-2.0
// The list of all commands, whichever folder they are in.
#include "headway/cli/command.h"

#include <algorithm>
#include <vector>

#include "headway/config/registry.h"

namespace headway::cli {

#define HEADWAY_ENTRY(command) Command command_##command();
#include "commands.inc"
#undef HEADWAY_ENTRY

std::span<const Command> commands() {
  static const std::vector<Command> list = [] {
    std::vector<Command> all = {
#define HEADWAY_ENTRY(command) command_##command(),
#include "commands.inc"
#undef HEADWAY_ENTRY
    };
    std::ranges::sort(all, {}, &Command::place);
    return all;
  }();
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

std::vector<std::string_view> command_names() { return names_of(commands()); }

}  // namespace headway::cli
