// SPDX-License-Identifier: Apache-2.0
// Reads tables that users write as text: a row of words per line; a '#' begins a comment.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/base/error.h"
#include "headway/base/input_file.h"
#include "headway/base/parse_number.h"

namespace headway {

inline std::optional<std::uint32_t> whole_number(std::string_view word) {
  return parse_number<std::uint32_t>(word);
}
inline std::optional<double> real_number(std::string_view word) { return parse_number<double>(word); }

// The members of a network by number or, if they have names, by name.
class NumberedNames {
 public:
  // `what` is the word for a member ("node"). `names` is empty if the members have no names.
  NumberedNames(std::string what, std::uint32_t count, const std::vector<std::string>& names = {});

  // The first and the last member that a word means: a name, a number, or a range of numbers ("3-5").
  std::optional<std::pair<std::uint32_t, std::uint32_t>> find(std::string_view word) const;
  // The member with this name or number.
  std::optional<std::uint32_t> single(std::string_view word) const;
  std::string no_such(std::string_view word) const;  // "there is no node ..."
  std::string hint(std::string_view word) const;     // the valid range, or the nearest name
  std::uint32_t count() const { return count_; }

 private:
  std::string what_;
  std::uint32_t count_;
  std::map<std::string, std::uint32_t, std::less<>> number_of_;
};

// Every mistake has the place of its row. At most kMostShown are listed; `finish` reports the number of the
// others.
class RowReader {
 public:
  static constexpr std::size_t kMostShown = 20;

  // Mistakes are reported under `key`. A file that cannot be read is a mistake and has no rows.
  RowReader(const InputFile& file, std::string key, Mistakes& mistakes);
  // `file` is the name for mistakes.
  RowReader(const std::string* text, std::string file, std::string key, Mistakes& mistakes)
      : file_(std::move(file)), key_(std::move(key)), mistakes_(mistakes), text_(text) {
    if (text_ != nullptr) rest_ = *text_;
  }

  const std::string* text() const { return text_; }  // null if the file cannot be read
  bool next();                                       // moves on to the next row with words
  const std::vector<std::string_view>& words() const { return words_; }
  std::string_view whole() const { return whole_; }  // the row with its comment
  std::uint32_t line() const { return line_; }
  // Line 0 is the whole file.
  std::string place(std::uint32_t line) const {
    return line == 0 ? file_ : file_ + ':' + std::to_string(line) + ":1";
  }

  void wrong(std::string message, std::string hint = "") {
    wrong_at(line_, std::move(message), std::move(hint));
  }
  void wrong_at(std::uint32_t line, std::string message, std::string hint = "");
  bool any_wrong() const { return wrong_ > 0 || text_ == nullptr; }
  bool has_unlisted() const { return wrong_ > kMostShown; }
  void finish();

 private:
  std::string file_, key_;
  Mistakes& mistakes_;
  const std::string* text_;
  std::string_view rest_, whole_;
  std::vector<std::string_view> words_;
  std::uint32_t line_ = 0;
  std::size_t wrong_ = 0;
};

}  // namespace headway
