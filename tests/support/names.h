// SPDX-License-Identifier: Apache-2.0
// The members of a family as messages list them, so that tests need no change for a new entry.
#pragma once

#include <string>
#include <vector>

#include "headway/config/parameter_values.h"
#include "headway/config/parameters.h"
#include "headway/config/registry.h"

namespace headway::test {

template <class T>
std::string names_of(Registry<T> registry) {
  std::vector<std::string_view> names;
  for (const Entry<T>& entry : registry) names.push_back(entry.name);
  return list_text(names, "or");
}

// Looks for a parameter with this name.
struct ParameterFinder : ParameterVisitor<ParameterFinder> {
  std::string_view wanted;
  bool found = false;
  template <class V>
  void visit(const Parameter& parameter, V&) {
    found |= parameter.name == wanted;
  }
};

// The members that have a parameter with this name.
template <class T>
std::string owners_of(std::string_view parameter, Registry<T> registry) {
  std::vector<std::string_view> names;
  for (const Entry<T>& entry : registry) {
    ParameterFinder finder;
    finder.wanted = parameter;
    entry.make()->describe(finder);
    if (finder.found) names.push_back(entry.name);
  }
  return list_text(names);
}

}  // namespace headway::test
