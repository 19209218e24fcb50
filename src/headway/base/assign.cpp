// SPDX-License-Identifier: Apache-2.0
#include "headway/base/assign.h"

#include <algorithm>

namespace headway {
namespace {

// The number that a parameter's bounds are compared with.
template <class V>
std::optional<double> measure(const V& value) {
  if constexpr (std::same_as<V, std::int64_t> || std::same_as<V, double>) return static_cast<double>(value);
  if constexpr (std::same_as<V, Bytes>) return static_cast<double>(value.count);
  if constexpr (std::same_as<V, Duration>) return value.ns.to_double();
  if constexpr (std::same_as<V, Rate>) return value.bytes_per_ns.to_double();
  return std::nullopt;
}

template <class V>
bool in_range(const Parameter& parameter, const V& value) {
  if constexpr (std::same_as<V, std::string>)
    return parameter.choices.empty() ||
           std::ranges::find(parameter.choices, value) != parameter.choices.end();
  const std::optional<double> number = measure(value);
  if (!number) return true;
  return !(parameter.at_least && *number < *parameter.at_least) &&
         !(parameter.at_most && *number > *parameter.at_most) &&
         !(parameter.above && *number <= *parameter.above);
}

// An integer is also a real number.
template <class V>
std::optional<V> as(const Argument::Value& value) {
  if (const auto* given = std::get_if<V>(&value)) return *given;
  if constexpr (std::same_as<V, double>)
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

}  // namespace

template <class V>
void Assigner::take(const Parameter& parameter, V& value) {
  if (parameter.name != argument_.name) return;
  const std::optional<V> given = as<V>(argument_.value);
  if (!given)
    throw std::invalid_argument("parameter '" + std::string(parameter.name) + "' is of another type");
  if (!in_range(parameter, *given))
    throw std::invalid_argument("parameter '" + std::string(parameter.name) + "' is out of range");
  value = *given;
  assigned_ = true;
}

template void Assigner::take(const Parameter&, bool&);
template void Assigner::take(const Parameter&, std::int64_t&);
template void Assigner::take(const Parameter&, double&);
template void Assigner::take(const Parameter&, std::string&);
template void Assigner::take(const Parameter&, Bytes&);
template void Assigner::take(const Parameter&, Duration&);
template void Assigner::take(const Parameter&, Rate&);
template void Assigner::take(const Parameter&, std::vector<std::int64_t>&);

}  // namespace headway
