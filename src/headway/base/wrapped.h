// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway {

// The columns of a terminal that text takes: continuation bytes of UTF-8 take none, and neither do bytes
// above those of UTF-8, which mark styles (cli/terminal.h).
std::size_t columns(std::string_view text);

// Breaks text into lines of at most `width` columns, each indented by `indent` spaces; empty lines are kept.
// No line ends between a number and its unit ("5 %"), or between a thing and its number ("stage 1"); `folded`
// keeps them together, too.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 80);

// Rows of a name and a text, indented, with the texts below each other.
std::string in_two_columns(const std::vector<std::pair<std::string, std::string>>& rows);

// Breaks only lines that are longer than `width` columns, between words. The rest of a row of columns (" name
// text", with two blanks or more between them) is below its last column that begins in the first half of the
// line, the rest of another line below its first word, indented by `hang` more.
std::string folded(std::string_view text, std::size_t width, std::size_t hang = 0);

}  // namespace headway
