// SPDX-License-Identifier: Apache-2.0
// The tables of a spec file and their keys, each with its JSON Schema.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/config/parameters.h"
#include "headway/io/json.h"
#include "headway/spec/spec.h"

namespace headway::catalogue {

using Properties = std::vector<std::pair<std::string, Json>>;

// The schema of a name; null if there is none.
const Json* find(const Properties& properties, std::string_view name);
Json object_of(const Properties& properties);
// The schemas of the parameters that are described.
Properties properties_of(const std::function<void(Parameters&)>& describe);

struct ChoiceKey {
  using Member = std::pair<std::string, Properties>;  // with its parameters
  std::string name;
  std::string standard;  // the member that is chosen without the key
  std::vector<Member> members;
};

struct Table {
  std::string help;
  bool is_list = false;
  Properties keys;  // without parameters of members
  std::vector<ChoiceKey> choices;
};
using Tables = std::map<std::string, Table>;  // by path; the root is ""

// The tables of specs of a kernel.
Tables tables_of(Spec spec);
// Adds the keys of another kernel.
void add_keys(const Tables& of_other, Tables& all);

// The keys and the parameters of all members.
Properties all_properties(const Table& table);

Json reference_to(const std::string& definition);
// A list of tables; a single table counts as a list of one.
Json list_of_tables(const std::string& definition);

}  // namespace headway::catalogue
