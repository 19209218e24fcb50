// SPDX-License-Identifier: Apache-2.0
#include "headway/config/assign.h"

#include "headway/base/input_file.h"
#include "headway/config/parameter_values.h"

namespace headway {
namespace {

// An integer is also accepted as a real number, and a text as a file name.
template <class V>
std::optional<V> as(const Argument::Value& value) {
  if (const auto* given = std::get_if<V>(&value)) return *given;
  if constexpr (std::same_as<V, double>)
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}
template <>
std::optional<InputFile> as(const Argument::Value& value) {
  const auto* path = std::get_if<std::string>(&value);
  return path == nullptr ? std::nullopt : std::optional(InputFile(*path));
}

template <class V>
void set(const Parameter& parameter, const Argument::Value& argument, V& value) {
  const std::optional<V> given = as<V>(argument);
  if (!given)
    throw std::invalid_argument("parameter '" + std::string(parameter.name) + "' is of another type");
  if (!in_range(parameter, *given))
    throw std::invalid_argument("parameter '" + std::string(parameter.name) + "' is out of range");
  value = *given;
}
template <class V>
void set(const Parameter& parameter, const Argument::Value& argument, std::optional<V>& value) {
  V given{};
  set(parameter, argument, given);
  value = given;
}

}  // namespace

void assign(const std::function<void(Parameters&)>& describe, const Argument& argument) {
  bool assigned = false;
  EachParameter each([&](const Parameter& parameter, auto& value) {
    if (parameter.name != argument.name) return;
    set(parameter, argument.value, value);
    assigned = true;
  });
  describe(each);
  if (!assigned) throw std::invalid_argument("no parameter named '" + std::string(argument.name) + "'");
}

}  // namespace headway
