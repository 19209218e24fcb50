// SPDX-License-Identifier: Apache-2.0
// Names that people look up are the same in capitals and in small letters. Only the letters of ASCII change,
// whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace headway {

constexpr char in_small_letters(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = in_small_letters(c);
  return small;
}

}  // namespace headway
