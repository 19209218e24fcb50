// SPDX-License-Identifier: Apache-2.0
#include "headway/config/parameter_values.h"

#include <fmt/format.h>

#include "headway/base/input_file.h"

namespace headway {

namespace {

// Times from a second on in seconds, and sizes from a GB on in GB.
std::string bound_text(double bound, std::string_view unit) {
  constexpr double kGiga = 1e9;
  if (bound >= kGiga && unit == " ns") return fmt::format("{} s", bound / kGiga);
  if (bound >= kGiga && unit == " B") return fmt::format("{} GB", bound / kGiga);
  return fmt::format("{}{}", bound, unit);
}

}  // namespace

std::string range_text(const Parameter& parameter, std::string_view unit) {
  if (!parameter.choices.empty()) return list_text(parameter.choices, "or");
  std::string text;
  const auto add = [&](std::string_view words, const std::optional<double>& bound) {
    if (bound) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words, bound_text(*bound, unit));
  };
  add("at least", parameter.bounds.at_least);
  add("above", parameter.bounds.above);
  add("at most", parameter.bounds.at_most);
  return text;
}

Document written_value(const InputFile& file) { return Document(file.path()); }

Document written_value(const NodeSet& set) {
  using Kind = NodeSet::Kind;
  const auto only = [](std::string name, const auto& value) {
    return Document(Document::Table{{std::move(name), "", written_value(value)}});
  };
  switch (set.kind) {
    case Kind::all:
      return Document(std::string("all"));
    case Kind::fraction:
      return only("fraction", set.fraction);
    case Kind::first:
      return only("first", set.first);
    case Kind::nodes:
      return only("nodes", set.nodes);
    case Kind::random:
      return only("random", set.fraction);
    case Kind::rest:
      return only("rest", true);
  }
  return {};
}

std::string list_text(std::span<const std::string_view> names, std::string_view last_link) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last_link) : ", ";
    text += fmt::format("\"{}\"", names[i]);
  }
  return text;
}

}  // namespace headway
