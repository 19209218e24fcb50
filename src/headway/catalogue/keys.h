// SPDX-License-Identifier: Apache-2.0
// The keys of a spec file as a list, from the same description that the parser uses (spec/spec_fields.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "headway/catalogue/catalogue.h"

namespace headway::catalogue {

struct Key {
  std::string path;            // "switch.input_memory", "traffic.flow.load"
  ParameterRow row;            // row.name is the last part of the path
  std::string only_with = {};  // choice that the key needs: "switch.scheme = dbbm or obqa"; empty: none
};

// First the keys in the order of a spec file, then the parameters of the members of families.
std::vector<Key> keys();

// A key and its values that are names.
struct NamedValues {
  std::string key;
  std::vector<std::string_view> names;
};
// All keys for `--set KEY=`, which are not tables.
std::vector<NamedValues> settings();
// Keys whose values are names without parameters of their own: switch.arbiter, also called arbiter and
// arbiters. Without a word: all of them.
std::vector<NamedValues> named_values(const std::optional<std::string>& word);

// All names that `headway explain` accepts and that are ours: keys, members of families, named values,
// metrics, numbers in snapshots, tables, statuses.
std::vector<std::string> topics();

}  // namespace headway::catalogue
