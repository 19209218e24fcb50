// SPDX-License-Identifier: Apache-2.0
// The digits are those of fmt, "{}". Nearly all numbers of results are whole or have few decimals. Their
// digits are found without the search for the shortest ones, in a tenth of the instructions: two different
// decimals of at most 15 digits are never the same double, so no shorter one than these can be.
#include "headway/io/number_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headway {
namespace {

constexpr std::size_t kMostDigits = 24;

// Each writes at `to`, which has room for kMostDigits, and returns the end. Both return null, with nothing
// written, if the number is of another kind.
char* write_whole(char* to, double number) {
  if (!(std::abs(number) < 1e15)) return nullptr;
  const auto whole = static_cast<std::int64_t>(number);
  if (static_cast<double>(whole) != number || (whole == 0 && std::signbit(number))) return nullptr;
  return std::to_chars(to, to + kMostDigits, whole).ptr;
}

// With at most six decimals. Smaller numbers have an exponent.
char* write_decimal(char* to, double number) {
  constexpr std::uint32_t kMillion = 1'000'000;
  const double size = std::abs(number);
  if (!(size >= 1e-4 && size < 1e9)) return nullptr;
  const auto millionths = static_cast<std::uint64_t>(size * kMillion + 0.5);
  if (static_cast<double>(millionths) / kMillion != size) return nullptr;
  if (number < 0) *to++ = '-';
  constexpr int kMost = 10;  // digits of either part
  char* const point = std::to_chars(to, to + kMost, static_cast<std::uint32_t>(millionths / kMillion)).ptr;
  const auto decimals = static_cast<std::uint32_t>(millionths % kMillion);
  char* end = std::to_chars(point, point + kMost, kMillion + decimals).ptr;
  *point = '.';  // was the 1 of the million
  while (end[-1] == '0') --end;
  return end;
}

}  // namespace

void append_number(std::string& text, double number) {
  NumberChunk chunk(text);
  chunk.add(number);
  chunk.flush();
}

void NumberChunk::add(double number, std::string_view after_whole) {
  if (chunk_.size() - end_ < kMostDigits + 2) flush();
  char* const begin = chunk_.data() + end_;
  char* end = write_whole(begin, number);
  bool is_whole = end != nullptr;  // without a point and an exponent
  if (!is_whole) end = write_decimal(begin, number);
  if (end == nullptr) {
    end = fmt::format_to(begin, FMT_COMPILE("{}"), number);
    is_whole = std::string_view(begin, end).find_first_of(".e") == std::string_view::npos;
  }
  if (is_whole) end = std::ranges::copy(after_whole, end).out;
  end_ = static_cast<std::size_t>(end - chunk_.data());
}

void NumberChunk::flush() {
  text_.append(chunk_.data(), end_);
  end_ = 0;
}

}  // namespace headway
