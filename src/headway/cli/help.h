// SPDX-License-Identifier: Apache-2.0
// What the descriptions of the commands are turned into.
#pragma once

#include <string>
#include <string_view>

#include "headway/cli/command.h"

namespace headway::cli {

std::string program_help(const Terminal& terminal);  // what Headway is, its commands
std::string command_help_text(const Command& command, const Terminal& terminal);
std::string man_page();                                 // roff, section 1
std::string markdown_reference();                       // docs/cli.md
std::string completion_script(std::string_view shell);  // shell: one of kShells
inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

// "headway run SPEC [--set KEY=VALUE]... [--jobs N]"
std::string usage(const Command& command);
// A flag as help shows it: "--jobs N".
std::string form(const Flag& flag);

// Breaks text into lines of at most `width` columns, each after `indent` spaces; an empty line stays one.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

}  // namespace headway::cli
