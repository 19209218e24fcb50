// SPDX-License-Identifier: Apache-2.0
// A parameter as text, from its description and its default.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <vector>

#include "headway/base/input_file.h"
#include "headway/config/parameter_values.h"
#include "headway/config/parameters.h"

namespace headway::catalogue {

struct ParameterRow {
  std::string name;
  std::string type = {};      // "a whole number", "a size" ...
  std::string standard = {};  // its default, as a spec writes it; empty: none
  std::string valid = {};     // range or choices; empty: anything
  std::string help = {};
  // Valid names, also for the elements of a list; empty: the values are not names.
  std::vector<std::string_view> names = {};
};

// Values as a spec writes them.
inline std::string text_of(bool value) { return value ? "true" : "false"; }
inline std::string text_of(std::int64_t value) { return std::to_string(value); }
inline std::string text_of(double value) { return fmt::format("{}", value); }
inline std::string text_of(const std::string& value) { return fmt::format("\"{}\"", value); }
inline std::string text_of(const InputFile& value) { return fmt::format("\"{}\"", value.path()); }
inline std::string text_of(Bytes value) { return fmt::format("\"{}\"", to_string(value)); }
inline std::string text_of(Duration value) { return fmt::format("\"{}\"", to_string(value)); }
inline std::string text_of(Rate value) { return fmt::format("\"{}\"", to_string(value)); }
inline std::string text_of(const NodeSet& value) {
  using Kind = NodeSet::Kind;
  if (value.kind == Kind::rest) return "{ rest = true }";
  return value.kind == Kind::fraction ? fmt::format("{{ fraction = {} }}", value.fraction) : "\"all\"";
}
template <class Element>
std::string text_of(const std::vector<Element>& value) {
  std::vector<std::string> elements;
  for (const Element& element : value) elements.push_back(text_of(element));
  return fmt::format("[{}]", fmt::join(elements, ", "));
}
template <class V>
std::string text_of(const std::optional<V>& value) {
  return value ? text_of(*value) : "";
}

// The type without std::optional.
template <class V>
struct PlainOf {
  using Type = V;
};
template <class V>
struct PlainOf<std::optional<V>> {
  using Type = V;
};
template <class V>
using Plain = typename PlainOf<V>::Type;

template <class V>
ParameterRow row_of(const Parameter& parameter, const V& value) {
  constexpr TypeWords words = type_words<Plain<V>>();
  ParameterRow row{std::string(parameter.name), std::string(words.name), text_of(value),
                   range_text(parameter, words.base), std::string(parameter.help)};
  row.names.assign(parameter.choices.begin(), parameter.choices.end());
  if constexpr (std::same_as<V, bool>) row.names = {"false", "true"};
  return row;
}

}  // namespace headway::catalogue
