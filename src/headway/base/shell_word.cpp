// SPDX-License-Identifier: Apache-2.0
#include "headway/base/shell_word.h"

#include <fmt/format.h>

#include "headway/base/visible.h"

namespace headway {

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted;
  if (is_visible(word)) {
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return '\'' + quoted + '\'';
  }
  for (const char c : word) {  // as octal escapes, because a byte cannot be shown
    const bool plain = kPlain.find(c) != std::string_view::npos || c == ' ';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return "$'" + quoted + '\'';
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace headway
