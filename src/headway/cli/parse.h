// SPDX-License-Identifier: Apache-2.0
// From words to Arguments, by a command's description. The only place that knows the command line library.
#pragma once

#include <string>
#include <vector>

#include "headway/cli/command.h"

namespace headway::cli {

// The flags that every command has besides its own.
std::span<const Flag> common_flags();

// `words` follow the command's name. Throws UsageError for a flag that does not exist (with the nearest that
// does), a missing or superfluous value, or a value that is none of the choices. With --help nothing else is
// demanded.
Arguments parse(const Command& command, const std::vector<std::string>& words);

// "unknown command 'rum'; did you mean 'run'?"
std::string unknown(std::string_view what, std::string_view word, std::span<const std::string_view> valid);

}  // namespace headway::cli
