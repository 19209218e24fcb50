// SPDX-License-Identifier: Apache-2.0
// The tables of a spec file and their keys, each with its JSON Schema.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headway/catalogue/schema_values.h"
#include "headway/config/parameter_values.h"
#include "headway/io/json.h"
#include "headway/spec/spec.h"

namespace headway::catalogue {

using Properties = std::vector<std::pair<std::string, Json>>;

// The schema of a name; null if there is none.
const Json* find(const Properties& properties, std::string_view name);
Json object_of(const Properties& properties);

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

// The tables of specs of a kernel, and of specs of both kernels.
Tables tables_of(Spec spec);
Tables merged(const Tables& event_driven, const Tables& slotted);

// The keys and the parameters of all members.
Properties all_properties(const Table& table);

Json reference_to(const std::string& definition);
// A list of tables; a single table counts as a list of one.
Json list_of_tables(const std::string& definition);

template <class V>
Json described(const Parameter& parameter, const V& value) {
  return with_help(schema_of(parameter, value), parameter, range_text(parameter, type_words<V>().base),
                   written_value(value));
}
template <class V>
Json described(const Parameter& parameter, const std::optional<V>& value) {
  if (value) return described(parameter, *value);
  return with_help(schema_of(parameter, V{}), parameter, range_text(parameter, type_words<V>().base),
                   std::nullopt);
}

class PropertyVisitor final : public ParameterVisitor<PropertyVisitor> {
 public:
  Properties properties;
  template <class V>
  void visit(const Parameter& parameter, const V& value) {
    properties.emplace_back(parameter.name, described(parameter, value));
  }
};

}  // namespace headway::catalogue
