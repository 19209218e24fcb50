// SPDX-License-Identifier: Apache-2.0
// Numbers in text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace headway {

// std::from_chars for standard libraries that have it for whole numbers only (libc++ before version 20).
std::from_chars_result fraction_from_chars(const char* begin, const char* end, double& value);

// Takes a number from the front of a text. If the text begins with none, or with one that is too large,
// returns none and leaves the text as it is. `base...` is the base of a whole number, 10 unless given.
template <class Number, class... Base>
std::optional<Number> take_number(std::string_view& rest, Base... base) {
  Number value{};
  const char* const begin = rest.data();
  const char* const end = begin + rest.size();
  std::from_chars_result taken{};
  if constexpr (requires { std::from_chars(begin, end, value, base...); })
    taken = std::from_chars(begin, end, value, base...);
  else
    taken = fraction_from_chars(begin, end, value);
  if (taken.ec != std::errc{}) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(taken.ptr - begin));
  return value;
}

// The number that the whole text is.
template <class Number, class... Base>
std::optional<Number> parse_number(std::string_view text, Base... base) {
  const auto value = take_number<Number>(text, base...);
  return text.empty() ? value : std::nullopt;
}

}  // namespace headway
