// SPDX-License-Identifier: Apache-2.0
// Numbers as text, in JSON and in comma-separated values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace headway {

// Appends the fewest digits that read back as the same number, which must be finite.
void append_number(std::string& text, double number);

// Collects numbers and characters before they are appended to a text: appending each to a string would take
// as long as finding its digits. Nothing is in the text before `flush`.
class NumberChunk {
 public:
  explicit NumberChunk(std::string& text) : text_(text) {}

  void add(char c) {
    if (end_ == chunk_.size()) flush();
    chunk_[end_++] = c;
  }
  // A finite number; then `after_whole`, of at most two characters, if it has no point and no exponent.
  void add(double number, std::string_view after_whole = "");
  void flush();

 private:
  std::string& text_;
  std::array<char, 4096> chunk_;
  std::size_t end_ = 0;
};

}  // namespace headway
