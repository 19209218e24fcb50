// SPDX-License-Identifier: Apache-2.0
// Setting parameters by name from code: `choose(topologies(), "k-ary-n-tree", {{"k", 4}, {"n", 3}})`. For
// programs that use the library instead of a spec file.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway {

struct Argument {
  using Value =
      std::variant<bool, std::int64_t, double, std::string, Bytes, Duration, Rate, std::vector<std::int64_t>,
                   std::vector<double>, NodeSet, std::vector<std::string>>;

  template <class T>
  Argument(std::string_view argument_name, T&& argument) : name(argument_name) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::integral<Plain> && !std::same_as<Plain, bool>)
      value = static_cast<std::int64_t>(argument);
    else if constexpr (std::convertible_to<T, std::string_view>)
      value = std::string(argument);
    else
      value = std::forward<T>(argument);
  }

  std::string_view name;
  Value value;
};

using Arguments = std::initializer_list<Argument>;

// Assigns the argument to the parameter with its name among those that are described.
void assign(const std::function<void(Parameters&)>& describe, const Argument& argument);

// Throws std::invalid_argument if `object` has no parameter with this name and type, or if the value is out
// of range.
template <class T>
void assign(T& object, const Argument& argument) {
  assign([&](Parameters& parameters) { object.describe(parameters); }, argument);
}

// A choice by name with some parameters given; the others keep their defaults.
template <class T>
Choice<T> choose(Registry<T> registry, std::string_view name, Arguments arguments) {
  Choice<T> choice = choose(registry, name);
  for (const Argument& argument : arguments) assign(*choice, argument);
  return choice;
}

}  // namespace headway
