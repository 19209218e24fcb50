// SPDX-License-Identifier: Apache-2.0
#include "headway/io/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "headway/base/visible.h"
#include "headway/io/number_text.h"

namespace headway {

namespace {

constexpr std::size_t kMostOfANumber = kMostDigits + 2;

// A whole number gets a decimal, so that readers that tell integers from doubles take it for a double.
char* write_json(char* to, double number) {
  if (!std::isfinite(number)) return std::ranges::copy(std::string_view("null"), to).out;
  bool is_whole = false;
  to = write_number(to, number, is_whole);
  return is_whole ? std::ranges::copy(std::string_view(".0"), to).out : to;
}

}  // namespace

void append_json(std::string& text, double number) {
  std::array<char, kMostOfANumber> digits;
  const char* const end = write_json(digits.data(), number);
  text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

// Fills a chunk at a time: appending each number to a string would take as long as finding its digits.
void append_list(std::string& text, const std::vector<double>& numbers) {
  std::array<char, 4096> chunk;
  char* at = chunk.data();
  *at++ = '[';
  for (const double& number : numbers) {
    if (&number != numbers.data()) *at++ = ',';
    at = write_json(at, number);
    if (chunk.data() + chunk.size() - at >= std::ptrdiff_t{kMostOfANumber + 2}) continue;
    text.append(chunk.data(), at);
    at = chunk.data();
  }
  *at++ = ']';
  text.append(chunk.data(), at);
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
  if (std::ranges::all_of(string, plain))
    text.append("\"").append(string).append("\"");
  else
    text += escaped(nlohmann::json(string).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace headway
