// SPDX-License-Identifier: Apache-2.0
#include "headway/io/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "headway/base/visible.h"
#include "headway/io/number_text.h"

namespace headway {

namespace {

void add(NumberChunk& chunk, double number) {
  if (std::isfinite(number))
    chunk.add(number, ".0");
  else
    std::ranges::for_each(std::string_view("null"), [&](char c) { chunk.add(c); });
}

// A character that JSON cannot contain as it is.
void add_escaped(std::string& text, char c) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  if (const std::size_t at = kShort.find(c); at != std::string_view::npos)
    text.append("\\").append(1, kLetters[at]);
  else
    text += fmt::format("\\u{:04x}", c);
}

}  // namespace

void append_json(std::string& text, double number) {
  NumberChunk chunk(text);
  add(chunk, number);
  chunk.flush();
}

void append_list(std::string& text, const std::vector<double>& numbers) {
  NumberChunk chunk(text);
  chunk.add('[');
  for (const double& number : numbers) {
    if (&number != numbers.data()) chunk.add(',');
    add(chunk, number);
  }
  chunk.add(']');
  chunk.flush();
}

void append_list(std::string& text, const std::vector<std::string>& strings) {
  text += '[';
  for (const std::string& string : strings) {
    next_in_json(text);
    append_json(text, string);
  }
  text += ']';
}

void append_json(std::string& text, std::uint64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

void append_json(std::string& text, std::string_view string) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  text += '"';
  if (std::ranges::all_of(string, plain)) {
    text += string;
  } else {
    std::string inside;
    for (const char c : with_valid_utf8(string))
      if ((c >= '\0' && c < ' ') || c == '"' || c == '\\')
        add_escaped(inside, c);
      else
        inside += c;
    text += escaped(inside);
  }
  text += '"';
}

}  // namespace headway
