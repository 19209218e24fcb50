// SPDX-License-Identifier: Apache-2.0
// A backslash before a punctuation mark removes its special meaning (CommonMark 0.31, section 2.4). "<" is
// written as an entity, so that the page contains no HTML comments either.
#include "headway/io/markdown.h"

#include "headway/base/visible.h"

namespace headway {

std::string markdown_text(std::string_view text) {
  std::string one_line(text);
  for (char& c : one_line)
    if (c == '\n') c = ' ';
  std::string result;
  for (const char c : visible(one_line)) {
    if (c == '<') {
      result += "&lt;";
      continue;
    }
    if (std::string_view("\\|[]`").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace headway
