// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headway::cli {

// Quotes a word for pasting into bash, zsh or ksh: in quotes if necessary, and on one line that a terminal
// can show.
std::string shell_word(std::string_view word);

}  // namespace headway::cli
