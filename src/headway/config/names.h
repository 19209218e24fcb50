// SPDX-License-Identifier: Apache-2.0
// The names of the values of an enumeration in specs: `kNames<Switching>`, in the order of the enumerators.
// Each enumeration defines its list once, by a function in its namespace:
//
//     enum class Mapping { modulo, block };
//     constexpr auto names_in_specs(Mapping) { return name_list("modulo", "block"); }
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

namespace headway {

template <class... Texts>
constexpr std::array<std::string_view, sizeof...(Texts)> name_list(Texts... texts) {
  return {texts...};
}

template <class E>
inline constexpr auto kNames = names_in_specs(E{});

// The name of a value, or "" if the value is not an enumerator.
template <class E>
constexpr std::string_view name_of(E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < std::size(kNames<E>) ? kNames<E>[index] : std::string_view{};
}

// The value with this name, or nullopt if there is none.
template <class E>
constexpr std::optional<E> value_of(std::string_view name) {
  const auto* const found = std::ranges::find(kNames<E>, name);
  if (found == std::end(kNames<E>)) return std::nullopt;
  return static_cast<E>(found - std::begin(kNames<E>));
}

}  // namespace headway
