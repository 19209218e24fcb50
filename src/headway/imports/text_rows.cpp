// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/text_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "headway/base/parse_number.h"
#include "headway/base/small_letters.h"
#include "headway/base/units.h"
#include "headway/topology/infiniband_speeds.h"

namespace headway::imports {
namespace {

constexpr std::string_view kBlanksOfRows = " \t\r\f\v";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanksOfRows);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanksOfRows) - first + 1);
}

bool begins_comment(std::string_view word) {
  return word.starts_with('#') || word.starts_with('%') || word.starts_with("//");
}

// The line without its comment.
std::string_view content_of(std::string_view line) {
  for (std::size_t at = 0; at < line.size();) {
    at = line.find_first_not_of(kBlanksOfRows, at);
    if (at == std::string_view::npos) break;
    if (begins_comment(line.substr(at))) return without_blanks(line.substr(0, at));
    at = std::min(line.find_first_of(kBlanksOfRows, at), line.size());
  }
  return without_blanks(line);
}

std::vector<std::string_view> split_at_blanks(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(kBlanksOfRows), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(line.find_first_not_of(kBlanksOfRows, end), line.size()));
  }
  return words;
}

// The fields between separators; none if one is empty, or has blanks without quotes.
std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (bool last = false; !last;) {
    const std::size_t end = line.find(separator);
    last = end == std::string_view::npos;
    std::string_view field = without_blanks(line.substr(0, end));
    if (!last) line.remove_prefix(end + 1);
    const bool quoted = field.size() > 2 && field.starts_with('"') && field.ends_with('"');
    if (quoted) field = field.substr(1, field.size() - 2);
    if (field.empty() || (!quoted && field.find_first_of(kBlanksOfRows) != std::string_view::npos)) return {};
    fields.push_back(field);
  }
  return fields;
}

// The number at the beginning of a word, as text, and what follows it.
std::optional<std::pair<std::string_view, std::string_view>> number_and_unit(std::string_view word) {
  const std::size_t end = std::min(word.find_first_not_of("0123456789."), word.size());
  if (!parse_number<double>(word.substr(0, end))) return std::nullopt;
  return std::pair(word.substr(0, end), without_blanks(word.substr(end)));
}

// "Gbps" -> "Gbit/s", "GB/s" -> "GB/s"; empty if it is no unit of rates.
std::string rate_unit(std::string_view unit) {
  std::string prefix;
  if (!unit.empty() && std::string_view("kKmMgGtT").find(unit.front()) != std::string_view::npos) {
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
    prefix = letter == 'K' ? 'k' : letter;
    unit.remove_prefix(1);
  }
  if (unit == "Bps" || unit == "B/s") return prefix + "B/s";
  const std::string small = in_small_letters(unit);
  if (small == "bps" || small == "b/s" || small == "bit/s" || small == "bits/s" ||
      (small.empty() && !prefix.empty()))
    return prefix + "bit/s";
  return "";
}

}  // namespace

TextRows rows_of(std::string_view text) {
  struct Line {
    std::string_view content;
    std::uint32_t number;
  };
  std::vector<Line> lines;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (const std::string_view content = content_of(line); !content.empty())
      lines.push_back({content, number});
  }
  TextRows result;
  for (const char separator : {',', ';'}) {
    if (lines.empty() || lines.front().content.find(separator) == std::string_view::npos) continue;
    const std::size_t fields = fields_of(lines.front().content, separator).size();
    for (const Line& line : lines) {
      std::vector<std::string_view> words = fields_of(line.content, separator);
      if (words.empty() || words.size() != fields) break;
      result.rows.push_back({std::move(words), line.number});
    }
    if (result.rows.size() == lines.size()) return result;
    result.rows.clear();
  }
  for (const Line& line : lines) {
    std::vector<std::string_view> words = split_at_blanks(line.content);
    const auto dictionary =
        std::ranges::find_if(words, [](std::string_view word) { return word.starts_with('{'); });
    std::string_view behind;
    if (dictionary != words.end() && dictionary - words.begin() >= 2) {
      behind = line.content.substr(static_cast<std::size_t>(dictionary->data() - line.content.data()));
      words.erase(dictionary, words.end());
    }
    result.rows.push_back({std::move(words), line.number, behind});
  }
  return result;
}

bool all_have(const TextRows& rows, std::size_t words) {
  return std::ranges::all_of(rows.rows, [&](const TextRow& row) { return row.words.size() == words; });
}

std::optional<std::vector<std::pair<std::string_view, std::string_view>>> entries_of(
    std::string_view dictionary) {
  if (!dictionary.starts_with('{') || !dictionary.ends_with('}')) return std::nullopt;
  std::string_view left = without_blanks(dictionary.substr(1, dictionary.size() - 2));
  // The next text between quotes, or the one before the separator.
  const auto take = [&](char separator) {
    const bool quoted = left.starts_with('\'') || left.starts_with('"');
    const std::size_t end = quoted ? left.find(left.front(), 1) : left.find(separator);
    const std::string_view text = quoted ? left.substr(1, end - 1) : without_blanks(left.substr(0, end));
    const bool ends = end == std::string_view::npos;
    left = ends ? "" : without_blanks(left.substr(quoted ? end + 1 : end));
    return quoted && ends ? std::nullopt : std::optional(text);
  };
  std::vector<std::pair<std::string_view, std::string_view>> entries;
  while (!left.empty()) {
    const auto name = take(':');
    if (!name || !left.starts_with(':')) return std::nullopt;
    left = without_blanks(left.substr(1));
    const auto value = take(',');
    if (!value || !(left.empty() || left.starts_with(','))) return std::nullopt;
    if (!left.empty()) left = without_blanks(left.substr(1));
    entries.emplace_back(*name, *value);
  }
  return entries;
}

std::optional<std::string> rate_word(std::string_view word, std::string_view unit) {
  if (const auto infiniband = infiniband_rate(word)) return to_string(*infiniband);
  const auto parts = number_and_unit(word);
  if (!parts) return std::nullopt;
  const std::string name = rate_unit(parts->second.empty() ? unit : parts->second);
  std::string text = fmt::format("{} {}", parts->first, name);
  const auto rate = name.empty() ? std::nullopt : parse_rate(text);
  return rate && rate->bytes_per_ns > Rational(0) ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> delay_word(std::string_view word, std::string_view unit) {
  const auto parts = number_and_unit(word);
  if (!parts) return std::nullopt;
  std::string name(parts->second.empty() ? unit : parts->second);
  if (name == "\u00b5s" || name == "\u03bcs") name = "us";
  std::string text = fmt::format("{} {}", parts->first, name);
  return parse_duration(text) ? std::optional(std::move(text)) : std::nullopt;
}

std::string place_in(const std::string& path, std::uint32_t line) {
  return line == 0 ? path : fmt::format("{}:{}", path, line);
}

std::uint32_t line_of(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, byte), '\n'));
}

}  // namespace headway::imports
