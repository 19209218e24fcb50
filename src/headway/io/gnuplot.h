// SPDX-License-Identifier: Apache-2.0
// The only interface to gnuplot: writes text into scripts and runs scripts. A script is a program, and
// gnuplot runs shell commands in backticks inside double quotes. So text of a user must be written with
// gnuplot_text and must not occur anywhere else, not even in a comment. No shell is involved.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headway {

// A literal for this text on one line. A terminal with the option noenhanced draws the text, with escapes for
// characters that are not printable (base/visible.h).
std::string gnuplot_text(std::string_view text);

// Runs a script in `directory`, without the user's settings. Returns an error message, or an empty string.
std::string run_gnuplot(const std::filesystem::path& directory, const std::string& script);

}  // namespace headway
