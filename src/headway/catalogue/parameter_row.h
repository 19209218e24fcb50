// SPDX-License-Identifier: Apache-2.0
// A parameter as text, from its description and its default.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

template <class V>
ParameterRow row_of(const Parameter& parameter, const V& value) {
  constexpr TypeWords words = type_words<V>();
  ParameterRow row{std::string(parameter.name), std::string(words.name), to_text(written_value(value)),
                   range_text(parameter, words.base), std::string(parameter.help)};
  row.names.assign(parameter.choices.begin(), parameter.choices.end());
  if constexpr (std::same_as<V, bool>) row.names = {"false", "true"};
  return row;
}
template <class V>
ParameterRow row_of(const Parameter& parameter, const std::optional<V>& value) {
  ParameterRow row = row_of(parameter, value.value_or(V{}));
  if (!value) row.standard = "";
  return row;
}

}  // namespace headway::catalogue
