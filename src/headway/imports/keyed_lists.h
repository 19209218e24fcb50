// SPDX-License-Identifier: Apache-2.0
// Files of names with a value or a list of values: JSON objects, and as much of YAML as such files use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headway/base/error.h"
#include "headway/imports/import.h"

namespace headway::imports {

struct KeyedList {
  std::string name;
  std::vector<std::string> values;  // of a single value, one
  std::string where;

  std::string shown() const;  // "name = a, b"
};

// Throw SpecError if the file is not of this form.
std::vector<KeyedList> json_lists(const Source& source);
// "name: [ a, b ]  # comment", "name: a", or "name:" and lines "  - a".
std::vector<KeyedList> yaml_lists(const Source& source);

}  // namespace headway::imports
