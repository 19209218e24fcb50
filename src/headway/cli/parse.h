// SPDX-License-Identifier: Apache-2.0
// Parses words into Arguments by a command's description. Only this file uses the command-line library.
#pragma once

#include <string>
#include <vector>

#include "headway/cli/command.h"

namespace headway::cli {

// The flags that all commands have in addition to their own.
std::vector<Flag> common_flags();
// The flags of the command, then the common ones.
std::vector<Flag> all_flags(const Command& command);

// `words` are the words after the command's name. Throws UsageError for an unknown flag (and suggests the
// nearest valid one), a missing or superfluous value, or a value that is not one of the choices. With --help,
// required arguments may be missing.
Arguments parse(const Command& command, const std::vector<std::string>& words);

}  // namespace headway::cli
