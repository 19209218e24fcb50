// SPDX-License-Identifier: Apache-2.0
// Text of a user, made safe to show. Names in files, file names and words of the command line may hold
// anything: escape sequences that steer a terminal, line ends that forge a line of output, marks that reverse
// what is read. All of that is shown as what it is: \x1b, \x0a, \u202e.
#pragma once

#include <string>
#include <string_view>

namespace headway {

// On one line: what is not a printable character is replaced by its number, and so is what is not UTF-8. Text
// that is printable comes back as it is.
std::string visible(std::string_view text);

// As visible, but for text of several lines: line ends and tabs stay.
std::string visible_lines(std::string_view text);

// Whether visible would change nothing.
bool is_visible(std::string_view text);

// Whether it is UTF-8, as specs and JSON must be and names of files need not be.
bool is_utf8(std::string_view text);

// A document in TOML or JSON with such characters, which can only stand in its strings, escaped as both do:
// \u009b.
std::string escaped(std::string_view document);

}  // namespace headway
