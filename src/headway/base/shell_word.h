// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headway {

// Quotes a word for pasting into bash, zsh or ksh: in quotes if necessary, and on one line that a terminal
// can show.
std::string shell_word(std::string_view word);
// The words, separated by blanks.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace headway
