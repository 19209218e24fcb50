// SPDX-License-Identifier: Apache-2.0
// The members of a family, as messages list them; so that a new entry does not change what tests expect.
#pragma once

#include <string>
#include <vector>

#include "headway/base/parameter_values.h"
#include "headway/base/registry.h"

namespace headway::test {

template <class T>
std::string names_of(Registry<T> registry) {
  std::vector<std::string_view> names;
  for (const Entry<T>& entry : registry) names.push_back(entry.name);
  return list_text(names, "or");
}

}  // namespace headway::test
