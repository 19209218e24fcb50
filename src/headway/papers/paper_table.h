// SPDX-License-Identifier: Apache-2.0
// One table of a paper's files, read key by key. After a missing or wrong value reading continues, so that
// all mistakes are found at once.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/visible.h"
#include "headway/compile/load.h"
#include "headway/config/names.h"
#include "headway/config/table_reader.h"

namespace headway {

// Maximum length of a word that is safe in a file name, in a claim's expression and in a command.
inline constexpr std::size_t kLongestWord = 64;
inline bool is_plain_word(std::string_view word) {
  constexpr std::string_view kFirst = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !word.empty() && word.size() <= kLongestWord && kFirst.find(word[0]) != std::string_view::npos &&
         word.find_first_not_of(std::string(kFirst) + "._+-") == std::string_view::npos;
}
inline std::string plain_words() {
  return fmt::format("at most {} letters, digits and . _ + -, the first a letter or a digit", kLongestWord);
}

// Reads the members of one table of a paper's files and reports unknown ones at the end.
class PaperTable : public TableReader {
 public:
  using TableReader::TableReader;
  PaperTable(const PaperTable&) = delete;
  PaperTable& operator=(const PaperTable&) = delete;
  ~PaperTable() { refuse_others(); }

  // Text; a missing one is a mistake unless it is optional.
  std::string text(std::string_view name, bool optional = false) {
    const Document* const value = take(name);
    if (value == nullptr && !optional) missing(name);
    const auto text = text_of(name);
    if (text) check_printable(name, *text, *value);
    return text.value_or("");
  }

  // A name that files, commands and claims use as a reference.
  std::string word(std::string_view name) {
    const std::string word = text(name);
    const Document* const value = take(name);
    if (value != nullptr && value->get<std::string>() && !is_plain_word(word))
      wrong(name, *value, fmt::format("\"{}\" is not a plain word", visible(word)), plain_words());
    return word;
  }

  std::optional<double> number(std::string_view name) {
    const Document* value = take(name);
    if (value == nullptr) return std::nullopt;
    if (const auto* whole = value->get<std::int64_t>()) return static_cast<double>(*whole);
    if (const auto* number = value->get<double>(); number != nullptr && std::isfinite(*number))
      return *number;
    wrong(name, *value, "must be a number");
    return std::nullopt;
  }

  bool flag(std::string_view name, bool otherwise) {
    const Document* value = take(name);
    if (value == nullptr) return otherwise;
    if (const auto* flag = value->get<bool>()) return *flag;
    wrong(name, *value, "must be true or false");
    return otherwise;
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> list;
    for_each(name, [&](const Document& element, const std::string&) {
      if (const auto* text = element.get<std::string>()) {
        check_printable(name, *text, element);
        list.push_back(*text);
      } else {
        wrong(name, element, "must be text in quotes");
      }
    });
    return list;
  }

  // Calls visit(name, value) for the members of a table, if there is one. `what` they are, for mistakes.
  void for_each_member(std::string_view name, std::string_view what, const auto& visit) {
    const Document* const value = take(name);
    if (value == nullptr) return;
    const auto* const table = value->get<Document::Table>();
    if (table == nullptr) return wrong(name, *value, fmt::format("must be a table of {}", what));
    for (const Document::Member& member : *table) visit(member.name, member.value);
  }

  // One of these names, or none if the key is missing or wrong.
  std::optional<std::string_view> choice(std::string_view name, std::span<const std::string_view> names) {
    const Document* value = take(name);
    if (value == nullptr) return std::nullopt;
    const auto* text = value->get<std::string>();
    const auto found = text == nullptr ? names.end() : std::ranges::find(names, *text);
    if (found != names.end()) return *found;
    wrong(name, *value, fmt::format("there is no such {}", name),
          fmt::format("valid: {}", fmt::join(names, ", ")));
    return std::nullopt;
  }
  template <class E>
  std::optional<E> choice(std::string_view name) {
    const auto chosen = choice(name, kNames<E>);
    return chosen ? value_of<E>(*chosen) : std::nullopt;
  }

 private:
  // Text for pictures, pages and terminals must be one line without control characters.
  void check_printable(std::string_view name, std::string_view text, const Document& value) {
    if (!is_visible(text))
      wrong(name, value, fmt::format("\"{}\" has characters that cannot be printed", visible(text)),
            "a backslash at the end of a line continues it in the next line");
  }
};

// Keys of a spec with values.
inline std::vector<Override> read_settings(PaperTable& reader, std::string_view name) {
  std::vector<Override> settings;
  reader.for_each_member(name, "keys and values", [&](const std::string& key, const Document& value) {
    settings.push_back({key, value});
  });
  return settings;
}

}  // namespace headway
