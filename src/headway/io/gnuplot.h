// SPDX-License-Identifier: Apache-2.0
// The only way to gnuplot: how text gets into a script, and how a script is run. A script is a program, and
// gnuplot runs shell commands in backticks inside double quotes, so text of a user stands between single
// quotes and nowhere else, not even in a comment. No shell is involved.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headway {

// A literal that stands for this text on one line; drawn by a terminal with the option noenhanced it is the
// text, but for characters that are not printable (base/visible.h).
std::string gnuplot_text(std::string_view text);

// Runs a script that lies in `directory`, in that directory, without any settings of the user. Returns what
// went wrong, or nothing.
std::string run_gnuplot(const std::filesystem::path& directory, const std::string& script);

}  // namespace headway
