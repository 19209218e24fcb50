// SPDX-License-Identifier: Apache-2.0
// The words of DOT: names, numbers, texts in quotes and in HTML, and symbols, without comments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headway::imports {

struct DotToken {
  std::string text;        // empty: the end of the file
  bool is_id = false;      // a name, a number, a text in quotes or HTML
  bool is_quoted = false;  // so it is no keyword
  std::uint32_t line = 0;
};

class DotScanner {
 public:
  DotScanner(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  // Throws SpecError if a text does not end.
  DotToken next();
  [[noreturn]] void wrong(std::uint32_t line, std::string message, std::string hint = "") const;

 private:
  DotToken symbol(DotToken token, std::size_t length);
  DotToken quoted(DotToken token);
  DotToken html(DotToken token);
  void skip();  // blanks, comments, and lines of a preprocessor

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace headway::imports
