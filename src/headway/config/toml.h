// SPDX-License-Identifier: Apache-2.0
// TOML text to Document and back. Whatever the bytes are, reading ends with a document or a SpecError that
// says line and column; it never crashes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "headway/config/document.h"

namespace headway {

// `name` is what the places of mistakes begin with: "my.toml" gives "my.toml:3:8".
Document parse_toml(std::string_view text, std::string_view name);

// Throws SpecError also if the file cannot be read.
Document read_toml(const std::filesystem::path& path);

// One value: 8, "4 KiB", [1, 2]. Text that is no TOML value is a string, so that a shell needs no quotes:
// obqa.
Document parse_toml_value(std::string_view text, std::string_view name);

// A document that is a table, as a file: plain values first, then [tables] and [[lists of tables]] in order;
// tables within them on one line.
std::string write_toml(const Document& document);

}  // namespace headway
