// SPDX-License-Identifier: Apache-2.0
#include "headway/imports/dot_scanner.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "headway/base/error.h"
#include "headway/imports/text_rows.h"

namespace headway::imports {
namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
}

}  // namespace

DotToken DotScanner::next() {
  skip();
  DotToken token{"", false, false, line_};
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  if (c == '"') return quoted(token);
  if (c == '<') return html(token);
  if (text_.substr(at_).starts_with("--") || text_.substr(at_).starts_with("->")) return symbol(token, 2);
  if (!is_word(c) && c != '-') return symbol(token, 1);
  const std::size_t begin = at_++;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  token.text = text_.substr(begin, at_ - begin);
  token.is_id = true;
  return token;
}

void DotScanner::wrong(std::uint32_t line, std::string message, std::string hint) const {
  throw SpecError("FILE", std::move(message), std::move(hint), place_in(path_, line));
}

DotToken DotScanner::symbol(DotToken token, std::size_t length) {
  token.text = text_.substr(at_, length);
  at_ += length;
  return token;
}

DotToken DotScanner::quoted(DotToken token) {
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\n'))
      ++at_;
    if (text_[at_] == '\n') ++line_;
    token.text += text_[at_];
  }
  if (at_ == text_.size()) wrong(token.line, "a text in quotes does not end");
  ++at_;
  token.is_id = token.is_quoted = true;
  return token;
}

DotToken DotScanner::html(DotToken token) {
  std::size_t depth = 0;
  do {
    if (at_ == text_.size()) wrong(token.line, "a text in < > does not end");
    if (text_[at_] == '<') ++depth;
    if (text_[at_] == '>') --depth;
    if (text_[at_] == '\n') ++line_;
    token.text += text_[at_++];
  } while (depth > 0);
  token.is_id = token.is_quoted = true;
  return token;
}

void DotScanner::skip() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    std::size_t end = 0;
    if (std::isspace(static_cast<unsigned char>(rest[0])) != 0)
      end = 1;
    else if (rest.starts_with("//") || (rest[0] == '#' && (at_ == 0 || text_[at_ - 1] == '\n')))
      end = std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with("/*"))
      end = rest.find("*/") == std::string_view::npos ? rest.size() : rest.find("*/") + 2;
    else
      return;
    line_ += static_cast<std::uint32_t>(std::ranges::count(rest.substr(0, end), '\n'));
    at_ += end;
  }
}

}  // namespace headway::imports
