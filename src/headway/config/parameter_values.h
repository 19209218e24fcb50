// SPDX-License-Identifier: Apache-2.0
// The values of parameters: names of their types, range checks, and ranges as text.
#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "headway/config/document.h"
#include "headway/config/parameters.h"

namespace headway {

// A type as text.
struct TypeWords {
  std::string_view name;          // "a size"
  std::string_view example = {};  // example of a quantity, as written in a spec
  std::string_view units = {};    // of a quantity
  std::string_view base = {};     // unit of the bounds
};

template <class V>
constexpr TypeWords type_words() {
  if constexpr (std::same_as<V, bool>) return {"true or false"};
  if constexpr (std::same_as<V, std::int64_t>) return {"a whole number"};
  if constexpr (std::same_as<V, double>) return {"a number"};
  if constexpr (std::same_as<V, std::string>) return {"a text"};
  if constexpr (std::same_as<V, InputFile>) return {"a file"};
  if constexpr (std::same_as<V, Bytes>) return {"a size", "4 KiB", "B, KiB, MiB, GiB, kB, MB, GB", " B"};
  if constexpr (std::same_as<V, Duration>) return {"a time", "4 ns", "ps, ns, us, ms, s", " ns"};
  if constexpr (std::same_as<V, Rate>)
    return {"a rate", "1 GB/s",
            "B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s",
            " GB/s"};
  if constexpr (std::same_as<V, std::vector<std::int64_t>>) return {"a list of whole numbers"};
  if constexpr (std::same_as<V, std::vector<double>>) return {"a list of numbers"};
  if constexpr (std::same_as<V, NodeSet>) return {"\"all\" or a table"};
  if constexpr (std::same_as<V, std::vector<std::string>>) return {"a list of names"};
}

// Returns true if the value, or every element of a list, satisfies the parameter's bounds and choices.
template <class V>
bool in_range(const Parameter& parameter, const V& value) {
  const auto within = [&bounds = parameter.bounds](double number) {
    return (!bounds.at_least || number >= *bounds.at_least) && (!bounds.above || number > *bounds.above) &&
           (!bounds.at_most || number <= *bounds.at_most);
  };
  if constexpr (std::same_as<V, std::string>)
    return parameter.choices.empty() ||
           std::ranges::find(parameter.choices, value) != parameter.choices.end();
  if constexpr (std::same_as<V, std::int64_t> || std::same_as<V, double>)
    return within(static_cast<double>(value));
  if constexpr (std::same_as<V, Bytes>) return within(static_cast<double>(value.count));
  if constexpr (std::same_as<V, Duration>) return within(value.ns.to_double());
  if constexpr (std::same_as<V, Rate>) return within(value.bytes_per_ns.to_double());
  if constexpr (std::same_as<V, std::vector<std::int64_t>>)
    return std::ranges::all_of(value,
                               [&](std::int64_t element) { return within(static_cast<double>(element)); });
  if constexpr (std::same_as<V, std::vector<double>>) return std::ranges::all_of(value, within);
  if constexpr (std::same_as<V, std::vector<std::string>>)
    return std::ranges::all_of(value,
                               [&](const std::string& element) { return in_range(parameter, element); });
  return true;
}

// "at least 1, at most 65535", or the choices; empty if there are no limits. `unit` follows each bound.
std::string range_text(const Parameter& parameter, std::string_view unit = {});

// A value as a spec has it: quantities are texts with a unit.
template <class V>
Document written_value(const V& value) {
  if constexpr (std::constructible_from<Document::Value, V>)
    return Document(value);
  else
    return Document(to_string(value));
}
Document written_value(const InputFile& file);
Document written_value(const NodeSet& set);
template <class Element>
Document written_value(const std::vector<Element>& list) {
  Document::Array elements;
  for (const Element& element : list) elements.push_back(written_value(element));
  return Document(std::move(elements));
}

// "dbbm", "obqa" and "emptiest".
std::string list_text(std::span<const std::string_view> names, std::string_view last_link = "and");

}  // namespace headway
