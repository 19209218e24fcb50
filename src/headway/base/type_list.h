// SPDX-License-Identifier: Apache-2.0
// A list of types: the members of a family whose code the engine inlines. What is needed of all members, such
// as a variant of their rules or the list of their entries, is made from the list.
#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>
#include <vector>

namespace headway {

template <class... Types>
struct TypeList {
  using Variant = std::variant<Types...>;

  template <class Type>
  static constexpr std::size_t index_of() {
    std::size_t index = 0;
    (void)((std::is_same_v<Type, Types> || (++index, false)) || ...);
    return index;
  }
  // Returns call.operator()<Types...>().
  template <class Call>
  static constexpr decltype(auto) with_all(Call&& call) {
    return call.template operator()<Types...>();
  }
};

// The States of the members of a list, each of which has one: the State of some member, or several of it.
template <class List>
struct OfStates;
template <class... Types>
struct OfStates<TypeList<Types...>> {
  using One = std::variant<typename Types::State...>;
  using Lists = std::variant<std::vector<typename Types::State>...>;
};

}  // namespace headway
