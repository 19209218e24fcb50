// SPDX-License-Identifier: Apache-2.0
// Files of rows: words between blanks, or fields between commas or semicolons if all rows have as many of
// them. A word that begins with #, % or // begins a comment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headway::imports {

struct TextRow {
  std::vector<std::string_view> words;  // at least one
  std::uint32_t line = 0;
  std::string_view dictionary = "";  // "{'weight': 3}" behind the words, as NetworkX writes; not in them
};
struct TextRows {
  std::vector<TextRow> rows;
};

TextRows rows_of(std::string_view text);

// Whether every row has this many words, or as many as the first row.
bool all_have(const TextRows& rows, std::size_t words);
inline bool have_same_length(const TextRows& rows) {
  return !rows.rows.empty() && all_have(rows, rows.rows.front().words.size());
}

// The names and values in a dictionary; nullopt if it is not as Python writes one.
std::optional<std::vector<std::pair<std::string_view, std::string_view>>> entries_of(
    std::string_view dictionary);

// Rates and times in one word, as other tools write them: "100Gbps", "100G", "12.5GB/s", "4xEDR"; "0.001ms",
// "500ns". In Headway's spelling; nullopt if the word is none. `unit` stands behind a number without one.
std::optional<std::string> rate_word(std::string_view word, std::string_view unit = "");
std::optional<std::string> delay_word(std::string_view word, std::string_view unit = "");

// "file.txt:3"
std::string place_in(const std::string& path, std::uint32_t line);
// The line of a byte of the text.
std::uint32_t line_of(std::string_view text, std::size_t byte);

}  // namespace headway::imports
