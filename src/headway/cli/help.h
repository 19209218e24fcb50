// SPDX-License-Identifier: Apache-2.0
// Texts that are generated from the descriptions of the commands.
#pragma once

#include <string>
#include <string_view>

#include "headway/cli/command.h"

namespace headway::cli {

std::string program_help(const Terminal& terminal);  // overview of Headway and its commands
std::string command_help_text(const Command& command, const Terminal& terminal);
std::string man_page();            // roff, section 1
std::string markdown_reference();  // docs/cli.md

// "headway run SPEC [--set KEY=VALUE]... [-o|--out DIR]"
std::string usage(const Command& command);

}  // namespace headway::cli
