// SPDX-License-Identifier: Apache-2.0
// Makes text of users safe to show. Names in files, file names and command-line words can contain escape
// sequences that control a terminal, line ends that forge a line of output, or marks that reverse the text
// direction. These characters are shown as escapes: \x1b, \x0a, \u202e.
#pragma once

#include <string>
#include <string_view>

namespace headway {

// For one line: replaces characters that are not printable, and bytes that are not UTF-8, by escapes with
// their number. Printable text is unchanged.
std::string visible(std::string_view text);

// Like visible, but for several lines: keeps line ends and tabs.
std::string visible_lines(std::string_view text);

// Returns true if visible would not change the text.
bool is_visible(std::string_view text);

// Returns true if the text is valid UTF-8. Specs and JSON must be UTF-8; file names need not be.
bool is_utf8(std::string_view text);

// The text with U+FFFD for each part that is not valid UTF-8. As Unicode recommends (section 3.9), the
// beginning of a valid character counts as one part.
std::string with_valid_utf8(std::string_view text);

// Escapes such characters in a TOML or JSON document as \u009b; they can only occur in its strings.
std::string escaped(std::string_view document);

}  // namespace headway
