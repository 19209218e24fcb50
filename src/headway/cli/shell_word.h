// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headway::cli {

// A word as bash, zsh and ksh take it when it is pasted: in quotes if it must be, and on one line that a
// terminal can show.
std::string shell_word(std::string_view word);

}  // namespace headway::cli
