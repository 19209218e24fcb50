// SPDX-License-Identifier: Apache-2.0
// The keys of a spec file as a list, from the description that also parses them (spec/spec_fields.h).
#pragma once

#include <string>
#include <vector>

#include "headway/cli/catalogue.h"

namespace headway::cli {

struct Key {
  std::string path;            // "switch.input_memory", "traffic.flow.load"
  ParameterRow row;            // its name is the last part of the path
  std::string only_with = {};  // what must be chosen: "switch.scheme = dbbm or obqa"; empty: nothing
};

// In the order of a spec file, then the parameters of the members of families.
std::vector<Key> keys();

// What `--set KEY=` takes: a key that is no table, and the names among its values.
struct Setting {
  std::string key;
  std::vector<std::string_view> names;
};
std::vector<Setting> settings();

// Everything that `headway explain` knows by name: keys, members of families, metrics.
std::vector<std::string> topics();

}  // namespace headway::cli
