// SPDX-License-Identifier: Apache-2.0
// Converts TOML text to a Document and back. For any input, reading returns a document or throws a SpecError
// with line and column; it never crashes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "headway/config/document.h"

namespace headway {

// The places of mistakes begin with `name`: "my.toml" gives "my.toml:3:8".
Document parse_toml(std::string_view text, std::string_view name);

// Also throws SpecError if the file cannot be read.
Document read_toml(const std::filesystem::path& path);

// Parses a single value: 8, "4 KiB", [1, 2]. Text that is not a TOML value is a string, so that obqa needs no
// quotes in a shell. Throws SpecError if it begins like a list or a table and is none.
Document parse_toml_value(std::string_view text, std::string_view name);

// Writes a table as a file: first plain values, then [tables] and [[lists of tables]] in order; inner tables
// on one line.
std::string write_toml(const Document& document);

}  // namespace headway
