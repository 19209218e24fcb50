// SPDX-License-Identifier: Apache-2.0
#include "headway/io/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "headway/base/visible.h"
#include "headway/io/number_text.h"

namespace headway {

// A whole number gets a decimal, so that readers that tell integers from doubles take it for a double.
void append_json(std::string& text, double number) {
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  const std::size_t start = text.size();
  append_number(text, number);
  if (text.find_first_of(".e", start) == std::string::npos) text += ".0";
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
